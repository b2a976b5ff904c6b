package ingest

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/nsfl-go/nsfl/passage"
)

// markup describes a language that is mostly text: Org, reStructuredText or LaTeX. Its reader
// keeps paragraphs, headings, lists, tables and code, and drops other marks.
//
// The optional end of an expression must not match the character that the expression begins
// with, or the time to clean a line grows with the square of its length.
type markup struct {
	title      *regexp.Regexp // in the whole text
	start, end string         // around the text; empty or missing: all is text
	heading    *regexp.Regexp // captures the mark and the text; nil: headings are underlined
	levels     map[string]int // of headings, by mark; nil: the length of the mark
	code       *regexp.Regexp // the line before code
	close      *regexp.Regexp // the line after it; nil: it ends with its indentation
	skip       *regexp.Regexp // lines without text within a paragraph
	breaks     *regexp.Regexp // lines without text that end a paragraph
	row        *regexp.Regexp // a row of a table
	inline     []replacement  // of marks within a line
	emphasis   replacement    // of marks that may stand on different lines
}

type replacement struct {
	mark *regexp.Regexp
	by   string
}

func replace(mark, by string) replacement { return replacement{regexp.MustCompile(mark), by} }

var orgMode = &markup{
	title:   regexp.MustCompile(`(?im)^#\+title:\s*(.*)`),
	heading: regexp.MustCompile(`^(\*+)\s+(?:(?:TODO|DONE|NEXT|WAITING)\s+)?(?:\[#\w\]\s*)?(.*?)(?:\s+:[\w@:]+:\s*)?$`),
	code:    regexp.MustCompile(`(?i)^\s*#\+begin_(src|example|export|comment)`),
	close:   regexp.MustCompile(`(?i)^\s*#\+end_(src|example|export|comment)`),
	skip:    regexp.MustCompile(`^\s*(#( |$)|:[\w-]+:|(SCHEDULED|DEADLINE|CLOSED):|\|-)`),
	breaks:  regexp.MustCompile(`^\s*#\+`),
	row:     regexp.MustCompile(`^\s*\|(.*?)\|?\s*$`),
	inline: []replacement{
		replace(`\[fn:[^\[\]]*\]|\[\[[^\[\]]*\]\[|\[\[|\]\]`, ""), replace(`^(\s*[-+]\s+)\[[ xX-]\]`, "$1"),
	},
	emphasis: replace(`(^|[\s({'"-])[*/_=~+]([^\s*/_=~+](?:[^*/_=~+]*[^\s*/_=~+])?)[*/_=~+]`, "$1$2"),
}

var structured = &markup{
	code:   regexp.MustCompile(`^\s*\.\. (code|code-block|sourcecode|parsed-literal|doctest)::|::\s*$`),
	skip:   regexp.MustCompile(`^\s*(:[\w -]+:(\s|$)|\.\.\s*$|__ |\.\. ((image|toctree|contents|index|raw|include|literalinclude|role|meta)::|_|[^:\[]*$))`),
	breaks: regexp.MustCompile(`^\s*(\+[-=+]+\+|={2,}(\s+={2,})*)\s*$`),
	row:    regexp.MustCompile(`^\s*\|(.*?)\|?\s*$`),
	inline: []replacement{
		replace(`^\s*#\. `, "- "), replace(`^\s*\.\. ([\w:+.-]+::)?`, ""), replace(`::\s*$`, ":"), replace(`\[[#*\w-]+\]_`, ""),
		replace(":[\\w+.-]+:`|\\s*<[^`<>]*>`_*|`+_*|\\*\\*|\\\\ ", ""),
	},
	emphasis: replace(`(^|[\s(])\*([^*\s][^*]*)\*`, "$1$2"),
}

var latex = &markup{
	title:   regexp.MustCompile(`(?m)^\s*\\title(?:\[[^\]]*\])?\{(.*)\}`),
	start:   `\begin{document}`,
	end:     `\end{document}`,
	heading: regexp.MustCompile(`^\s*\\(part|chapter|section|subsection|subsubsection|paragraph|frametitle)\*?(?:\[[^\]]*\])?\{(.*)`),
	levels:  map[string]int{"part": 1, "chapter": 1, "section": 2, "subsection": 3, "subsubsection": 4, "paragraph": 5, "frametitle": 2},
	code:    regexp.MustCompile(`^\s*\\begin\{(verbatim|Verbatim|lstlisting|minted)\*?\}`),
	close:   regexp.MustCompile(`^\s*\\end\{(verbatim|Verbatim|lstlisting|minted)\*?\}`),
	skip:    regexp.MustCompile(`^\s*(%|\\(input|include|usepackage|newcommand|setlength|hline|toprule|midrule|bottomrule|endhead|tightlist|centering)\b)`),
	breaks:  regexp.MustCompile(`^\s*\\(begin|end|maketitle|tableofcontents)\b`),
	row:     regexp.MustCompile(`^(.*[^\\]&.*?)(?:\\\\.*)?$`),
	inline: []replacement{
		replace(`(^|[^\\])%.*`, "$1"), replace(`\\\[.*?\\\]|\\(href|textcolor|hypertarget|hyperlink)\{[^{}\\]*\}`, ""),
		replace(`\\(label|ref|eqref|pageref|autoref|cite\w*|includegraphics|vspace|hspace|index)\*?(\[[^\]\\]*\])?\{[^{}\\]*\}`, ""),
		replace(`\\item(\[([^\]\\]*)\])?`, "- $2 "), replace(`\\([ij])\b ?`, "$1"), replace(`\\[a-zA-Z@]+\*? ?`, ""),
		replace(`(^|[^\\])[{}]+`, "$1"), replace(`\\[,; \\]|~`, " "), replace("``|''", `"`),
		replace("\\\\[\"'^~=.`](.?)", "$1"),
	},
	emphasis: replace(`\\(.?)`, "$1"),
}

// cleaner collects the blocks of a file.
type cleaner struct {
	*markup
	blocks []passage.Block
	signs  []string // that underline headings, the highest level first
	prose  []string // the lines of the present paragraph or list
	rows   []string // of the present table or code
	begin  int      // the line of either
	inCode bool
	indent int // of the line before code
}

func (m *markup) read(b *budget, content []byte) (draft, error) {
	text, title := strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(string(content)), ""
	c := cleaner{markup: m}
	if m.title != nil {
		if found := m.title.FindStringSubmatch(text); found != nil {
			title = c.plain(found[1])
		}
	}
	_, rest, found := strings.Cut(text, m.start)
	if !found {
		rest = text
	}
	number := strings.Count(text[:len(text)-len(rest)], "\n")
	if m.end != "" {
		rest, _, _ = strings.Cut(rest, m.end)
	}
	for rest != "" && b.err == nil {
		var line string
		line, rest, _ = strings.Cut(rest, "\n")
		number++
		next, after, _ := strings.Cut(rest, "\n")
		if b.spend(1, len(line)); c.line(number, line, next) {
			rest, number = after, number+1
		}
	}
	c.flush()
	return withoutTitle(title, c.blocks, false), b.err
}

func (c *cleaner) plain(line string) string {
	for _, r := range c.inline {
		line = r.mark.ReplaceAllString(line, r.by)
	}
	return passage.OneLine(c.emphasis.mark.ReplaceAllString(line, c.emphasis.by))
}

const longestLine = 32 << 10 // bytes of a line that is cleaned

// line reads a line, and reports whether it consumed the next one as an underline.
func (c *cleaner) line(number int, line, next string) bool {
	trimmed := strings.TrimLeft(line, " \t")
	indent := len(line) - len(trimmed)
	if len(line) > longestLine { // too long to be written by a person
		c.keep(&c.prose, number, trimmed)
		return false
	}
	if c.inCode {
		if c.close != nil && !c.close.MatchString(line) || c.close == nil && (trimmed == "" || indent > c.indent) {
			if c.close != nil || len(c.rows) > 0 || !c.skip.MatchString(line) { // options of a directive
				c.keep(&c.rows, number, line)
			}
			return false
		}
		c.flush()
	}
	switch {
	case c.heading == nil && trimmed != "" && isRule(next) && !isRule(trimmed) && indent == 0:
		if !slices.Contains(c.signs, next[:1]) {
			c.signs = append(c.signs, next[:1])
		}
		c.addHeading(number, 1+slices.Index(c.signs, next[:1]), line)
		return true
	case c.code.MatchString(line):
		if c.close == nil && trimmed[0] != '.' && trimmed != "::" {
			c.keep(&c.prose, number, c.plain(line))
		}
		c.flush()
		c.inCode, c.indent = true, indent
	case trimmed == "" || isRule(trimmed) || c.breaks.MatchString(line):
		c.flush()
	case c.heading != nil && c.heading.MatchString(line):
		found := c.heading.FindStringSubmatch(line)
		c.addHeading(number, cmp.Or(c.levels[found[1]], len(found[1])), found[2])
	case c.skip.MatchString(line):
	case c.row.MatchString(line):
		row := c.plain(c.row.FindStringSubmatch(line)[1])
		c.keep(&c.rows, number, cellEnd.ReplaceAllString(row, " | "))
	default:
		c.keep(&c.prose, number, c.plain(line))
	}
	return false
}

var cellEnd = regexp.MustCompile(`\s*[|&]\s*`)

// isRule reports whether a line repeats a single punctuation mark.
func isRule(line string) bool {
	line = strings.TrimRight(line, " \t")
	return len(line) > 2 && strings.ContainsAny(line[:1], "=-`'~^_*+#.:\"") && strings.Trim(line, line[:1]) == ""
}

func (c *cleaner) addHeading(number, level int, s string) {
	c.flush()
	if s = c.plain(s); s != "" {
		c.blocks = append(c.blocks, passage.Block{Kind: passage.Heading, Rows: []string{s}, Level: min(level, 6), Line: number})
	}
}

// keep adds a line to the open prose or rows, and ends the other.
func (c *cleaner) keep(open *[]string, number int, line string) {
	if strings.TrimSpace(line) == "" {
		return
	}
	if len(*open) == 0 {
		inCode := c.inCode
		c.flush()
		c.begin, c.inCode = number, inCode
	}
	if n := len(*open); n > 0 && (*open)[n-1] == "-" { // an item that begins on the next line
		(*open)[n-1] += " " + line
		return
	}
	*open = append(*open, line)
}

func (c *cleaner) flush() {
	blocks := passage.Blocks(c.emphasis.mark.ReplaceAllString(strings.Join(c.prose, "\n"), c.emphasis.by))
	if len(c.rows) > 0 {
		margin := c.rows[0][:len(c.rows[0])-len(strings.TrimLeft(c.rows[0], " \t"))]
		blocks = passage.Code(strings.ReplaceAll("\n"+strings.Join(c.rows, "\n"), "\n"+margin, "\n"))
	}
	for _, b := range blocks {
		b.Line = max(b.Line, 1) + c.begin - 1
		c.blocks = append(c.blocks, b)
	}
	c.prose, c.rows, c.inCode = nil, nil, false
}
