package ingest

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/nsfl-go/nsfl/passage"
)

// markup describes a language that is mostly text: Org, reStructuredText or LaTeX. Its reader
// finds headings and removes marks; code and tables become text.
//
// The optional end of an expression must not match the character that the expression begins
// with, or the time to clean a text grows with the square of its length.
type markup struct {
	title      *regexp.Regexp // in the whole text; nil: a heading
	start, end string         // around the text; empty or missing: all is text
	heading    *regexp.Regexp // captures the mark and the text; nil: headings are underlined
	levels     map[string]int // of headings, by mark; nil: the length of the mark
	skip       *regexp.Regexp // lines without text
	marks      []replacement
}

type replacement struct {
	mark *regexp.Regexp
	by   string
}

func replace(mark, by string) replacement { return replacement{regexp.MustCompile(mark), by} }

var orgMode = &markup{
	title:   regexp.MustCompile(`(?im)^#\+title:\s*(.*)`),
	heading: regexp.MustCompile(`^(\*+)\s+(?:(?:TODO|DONE|NEXT|WAITING)\s+)?(?:\[#\w\]\s*)?(.*?)(?:\s+:[\w@:]+:\s*)?$`),
	skip:    regexp.MustCompile(`^\s*(#( |$|\+)|:[\w-]+:|(SCHEDULED|DEADLINE|CLOSED):|\|-)`),
	marks: []replacement{
		replace(`\[fn:[^\[\]]*\]|\[\[[^\[\]]*\]\[|\[\[|\]\]`, ""), replace(`(?m)^([ \t]*[-+][ \t]+)\[[ xX-]\]`, "$1"),
		replace(`(?m)^[ \t]*\|`, "- "), replace(`(?m)\|[ \t]*$`, ""),
		replace(`(^|[\s({'"-])[*/_=~+]([^\s*/_=~+](?:[^*/_=~+]*[^\s*/_=~+])?)[*/_=~+]`, "$1$2"),
	},
}

var structured = &markup{
	skip: regexp.MustCompile(`^\s*(:[\w -]+:(\s|$)|\.\.\s*$|__ |\.\. ((image|toctree|contents|index|raw|include|literalinclude|role|meta)::|_|[^:\[]*$)|\+[-=+]+\+\s*$|={2,}(\s+={2,})*\s*$|::\s*$)`),
	marks: []replacement{
		replace(`(?m)^[ \t]*#\. `, "- "), replace(`(?m)^[ \t]*\.\. (?:(?:code|code-block|sourcecode|parsed-literal|doctest)::.*|[\w:+.-]+::)?`, ""),
		replace(`(?m)::[ \t]*$`, ":"), replace(`\[[#*\w-]+\]_`, ""), replace(`(?m)^[ \t]*\|`, "- "), replace(`(?m)\|[ \t]*$`, ""),
		replace(":[\\w+.-]+:`|\\s*<[^`<>]*>`_*|`+_*|\\*\\*|\\\\ ", ""), replace(`(^|[\s(])\*([^*\s][^*]*)\*`, "$1$2"),
	},
}

var latex = &markup{
	title:   regexp.MustCompile(`(?m)^[ \t]*\\title(?:\[[^\]]*\])?\{(.*)\}`),
	start:   `\begin{document}`,
	end:     `\end{document}`,
	heading: regexp.MustCompile(`^\s*\\(part|chapter|section|subsection|subsubsection|paragraph|frametitle)\*?(?:\[[^\]]*\])?\{(.*)`),
	levels:  map[string]int{"part": 1, "chapter": 1, "section": 2, "subsection": 3, "subsubsection": 4, "paragraph": 5, "frametitle": 2},
	skip:    regexp.MustCompile(`^\s*(%|\\(begin|end|maketitle|tableofcontents|input|include|usepackage|newcommand|setlength|hline|toprule|midrule|bottomrule|endhead|tightlist|centering)\b)`),
	marks: []replacement{
		replace(`(?m)(^|[^\\])%.*`, "$1"), replace(`\\\[.*?\\\]|\\(href|textcolor|hypertarget|hyperlink)\{[^{}\\]*\}`, ""),
		replace(`\\(label|ref|eqref|pageref|autoref|cite\w*|includegraphics|vspace|hspace|index)\*?(\[[^\]\\]*\])?\{[^{}\\]*\}`, ""),
		replace(`([^\\])&`, "$1|"),
		replace(`\\item(\[([^\]\\]*)\])?[ \t]*\n[ \t]*`, "\n- $2 "), // the item begins on the next line
		replace(`\\item(\[([^\]\\]*)\])?`, "- $2 "), replace(`\\([ij])\b ?`, "$1"), replace(`\\[a-zA-Z@]+\*? ?`, ""),
		replace(`(^|[^\\])[{}]+`, "$1"), replace(`\\[,; \\]|~`, " "), replace("``|''", `"`),
		replace("\\\\[\"'^~=.`](.?)", "$1"), replace(`\\(.?)`, "$1"),
	},
}

func (m *markup) read(b *budget, content []byte) (draft, error) {
	text, title := strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(string(content)), ""
	if m.title != nil {
		if found := m.title.FindStringSubmatch(text); found != nil {
			title = passage.OneLine(m.plain(found[1]))
		}
	}
	before, rest, found := strings.Cut(text, m.start)
	if !found {
		before, rest = "", text
	}
	if m.end != "" {
		rest, _, _ = strings.Cut(rest, m.end)
	}
	var blocks []passage.Block
	var prose []string // lines since the last heading
	var signs []string // that underline headings, the highest level first
	begin := 1 + strings.Count(before, "\n")
	flush := func(heading string, level int) {
		for _, block := range b.blocks(m.plain(strings.Join(prose, "\n"))) {
			block.Line += begin - 1
			blocks = append(blocks, block)
		}
		begin, prose = begin+len(prose), nil
		if heading = passage.OneLine(m.plain(heading)); heading != "" {
			blocks = append(blocks, passage.Block{Kind: passage.Heading, Rows: []string{heading}, Level: min(level, 6), Line: begin})
		}
	}
	lines := strings.Split(rest, "\n")
	for i := 0; i < len(lines) && b.spend(1, 0); i++ {
		line := lines[i]
		switch {
		case m.heading == nil && i+1 < len(lines) && isRule(lines[i+1]) && !isRule(line) && strings.TrimLeft(line, " \t") == line && line != "":
			sign := lines[i+1][:1]
			if !slices.Contains(signs, sign) {
				signs = append(signs, sign)
			}
			flush(line, 1+slices.Index(signs, sign))
			prose = []string{"", ""} // the heading and its underline
			i++
		case m.heading != nil && m.heading.MatchString(line):
			found := m.heading.FindStringSubmatch(line)
			flush(found[2], cmp.Or(m.levels[found[1]], len(found[1])))
			prose = []string{""}
		case isRule(line) || m.skip.MatchString(line):
			prose = append(prose, "")
		default:
			prose = append(prose, line)
		}
	}
	flush("", 0)
	return withoutTitle(title, blocks, false), b.err
}

// plain removes the marks from a text.
func (m *markup) plain(text string) string {
	for _, r := range m.marks {
		text = r.mark.ReplaceAllString(text, r.by)
	}
	return text
}

// isRule reports whether a line repeats a single punctuation mark.
func isRule(line string) bool {
	line = strings.TrimRight(line, " \t")
	return len(line) > 2 && strings.ContainsAny(line[:1], "=-`'~^_*+#.:\"") && strings.Trim(line, line[:1]) == ""
}
