package ingest

import "strings"

var texLevels = map[string]int{"part": 1, "chapter": 1, "section": 2, "subsection": 3, "subsubsection": 4, "paragraph": 5, "subparagraph": 6, "frametitle": 2}

// What is left out: commands with their arguments, environments with what is in them.
var (
	texDrops = setOf("label", "ref", "eqref", "pageref", "cref", "Cref", "autoref", "cite", "citep", "citet", "parencite", "textcite", "nocite",
		"includegraphics", "input", "include", "usepackage", "RequirePackage", "documentclass", "vspace", "hspace", "bibliography", "bibliographystyle",
		"addbibresource", "index", "setlength", "addtolength", "setcounter", "addtocounter", "hypersetup", "pagestyle", "thispagestyle", "geometry",
		"newcommand", "renewcommand", "providecommand", "newenvironment", "renewenvironment", "newtheorem", "DeclareMathOperator", "def", "date",
		"color", "definecolor", "graphicspath", "lstset", "usetikzlibrary", "footnotemark", "pdfbookmark", "fontsize", "selectfont", "rule",
		"resizebox", "scalebox", "hyphenation", "theoremstyle", "bibitem", "multicolumn", "cline", "cmidrule")
	texFirst  = setOf("href", "hypertarget", "hyperlink", "hyperref", "textcolor", "colorbox", "raisebox", "parbox") // of these, the first alone
	texHidden = setOf("equation", "align", "gather", "multline", "eqnarray", "displaymath", "math", "alignat", "flalign", "comment", "tikzpicture",
		"picture", "filecontents", "pgfpicture", "forest", "circuitikz")
	texVerbatim = setOf("verbatim", "Verbatim", "lstlisting", "minted", "alltt", "BVerbatim")
	texTables   = setOf("tabular", "tabularx", "longtable", "array", "tabulary", "supertabular")
	texLists    = setOf("itemize", "enumerate", "description", "compactitem", "compactenum")
	texSigns    = map[string]string{"ldots": "…", "dots": "…", "textellipsis": "…", "LaTeX": "LaTeX", "TeX": "TeX", "ss": "ß", "ae": "æ", "AE": "Æ",
		"oe": "œ", "OE": "Œ", "o": "ø", "O": "Ø", "aa": "å", "AA": "Å", "l": "ł", "L": "Ł", "i": "i", "j": "j", "textbackslash": "\\", "textasciitilde": "~",
		"S": "§", "P": "¶", "copyright": "©", "pounds": "£", "euro": "€", "quad": " ", "qquad": " ", "newline": " ", "textbar": "|", "textless": "<", "textgreater": ">", "and": ","}
	texAccents = map[byte]string{'`': "\u0300", '\'': "\u0301", '^': "\u0302", '~': "\u0303", '=': "\u0304", 'u': "\u0306", '.': "\u0307", '"': "\u0308",
		'r': "\u030A", 'H': "\u030B", 'v': "\u030C", 'c': "\u0327", 'k': "\u0328", 'd': "\u0323"}
	texQuotes = strings.NewReplacer("---", "—", "--", "–", "``", "“", "''", "”", "~", " ")
)

func setOf(words ...string) map[string]bool {
	m := map[string]bool{}
	for _, w := range words {
		m[w] = true
	}
	return m
}
