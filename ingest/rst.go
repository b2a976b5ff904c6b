package ingest

import (
	"regexp"
	"slices"
	"strings"

	"github.com/nsfl-go/nsfl/passage"
)

var (
	rstDirective = regexp.MustCompile(`^(\s*)\.\.\s+(?:\|[^|]+\|\s+)?([\w:+.-]+?)::(?:\s+(.*))?$`)
	rstNote      = regexp.MustCompile(`^\s*\.\.\s+\[([^\]]+)\]\s+(.*)$`)
	rstOption    = regexp.MustCompile(`^\s*:[\w -]+:(\s|$)`)
	rstField     = regexp.MustCompile(`^\s*:([^:` + "`" + `]+):\s+(.*)$`)
	rstItem      = regexp.MustCompile(`^(\s*)([-*+•]|#\.|\(?(?:\d+|[a-zA-Z]|[ivx]+)[.)])\s+(\S.*)$`)
	rstGrid      = regexp.MustCompile(`^\s*(\+[-=+]+\+|={2,}(\s+={2,})+)\s*$`)
	rstGap       = regexp.MustCompile(`\s{2,}`)
	rstRole      = regexp.MustCompile("(?::[\\w:+.-]+:)?`([^`<]*?)\\s*(?:<[^`>]*>)?`(?:__?)?")
	rstCode      = regexp.MustCompile("``([^`]+)``")
	rstStrong    = regexp.MustCompile(`\*\*([^*]+)\*\*|\*([^*\s][^*]*)\*`)
	rstReference = regexp.MustCompile(`\[[#*\w-]+\]_|(\w)_\b([\s.,;:)]|$)`)
)

// What a directive holds: code, or nothing that is text.
var (
	rstCodes = []string{"code", "code-block", "sourcecode", "prompt", "parsed-literal", "doctest", "testcode", "productionlist", "highlight-block"}
	rstDrops = []string{"image", "toctree", "contents", "sectnum", "index", "raw", "highlight", "include", "literalinclude", "math", "graphviz",
		"meta", "default-role", "role", "currentmodule", "module", "automodule", "autoclass", "autofunction", "tabularcolumns", "only", "ifconfig", "replace", "unicode", "date", "target-notes", "container", "class", "testsetup", "testcleanup"}
	rstText = []string{"only", "ifconfig", "container"} // of these, what is within is read
)

// readRST reads reStructuredText.
func readRST(content []byte) (draft, error) {
	all := slices.Collect(passage.Lines(string(content)))
	r := rst{lined: lined{inline: rstInline}, all: all}
	for r.at < len(all) {
		r.next()
	}
	r.flush()
	return withoutTitle("", r.blocks, false), nil
}

type rst struct {
	lined
	all    []string
	at     int
	table  bool     // within one whose columns stand apart
	levels []string // the signs of headings, the highest first
}

func (r *rst) next() {
	line, number := r.all[r.at], r.at+1
	trimmed := strings.TrimSpace(line)
	switch {
	case trimmed == "":
		r.flushWords()
		r.table = false
	case r.table && !rstGrid.MatchString(line):
		r.row(number, rstGap.ReplaceAllString(trimmed, " | "))
	case r.title():
		return
	case rstDirective.MatchString(line):
		r.directive(rstDirective.FindStringSubmatch(line))
		return
	case rstNote.MatchString(line):
		m := rstNote.FindStringSubmatch(line)
		r.flush()
		r.say(number, m[1]+": "+m[2])
	case trimmed == ".." || strings.HasPrefix(trimmed, ".. "): // a comment, or the target of links
		r.at++
		r.indented(indentOf(line))
		return
	case rstGrid.MatchString(line):
		if table := trimmed[0] == '='; table != r.table || len(r.words) > 0 {
			r.flush()
			r.table = table
		}
	case strings.HasPrefix(trimmed, "__ "):
	case strings.HasPrefix(trimmed, "| ") && strings.HasSuffix(trimmed, "|"):
		r.row(number, tableRow(trimmed))
	case strings.HasPrefix(trimmed, "| "):
		r.row(number, trimmed[2:])
	case strings.HasPrefix(trimmed, ">>> "):
		r.row(number, trimmed)
	case rstItem.MatchString(line) && len(r.words) == 0:
		m := rstItem.FindStringSubmatch(line)
		r.row(number, strings.Repeat(" ", min(len(m[1]), 8))+strings.Replace(m[2], "#.", "-", 1)+" "+m[3])
	case rstField.MatchString(line):
		m := rstField.FindStringSubmatch(line)
		r.row(number, m[1]+": "+m[2])
	default:
		r.paragraph(number, line)
	}
	r.at++
	if strings.HasSuffix(trimmed, "::") {
		r.literal(indentOf(line))
	}
}

func (r *rst) flushWords() {
	if len(r.words) > 0 {
		r.flush()
	}
}

// paragraph adds a line. One that is further in than the first explains it: a term and
// its definition.
func (r *rst) paragraph(number int, line string) {
	text := strings.TrimSuffix(strings.TrimSpace(line), "::")
	if strings.HasSuffix(strings.TrimSpace(line), "::") && text != "" {
		text += ":"
	}
	if len(r.words) == 1 && r.at > 0 {
		if before := r.all[r.at-1]; indentOf(line) > indentOf(before) && !strings.HasPrefix(strings.TrimSpace(before), "..") {
			r.flush()
		}
	}
	if len(r.rows) > 0 && indentOf(line) == 0 {
		r.flush()
	}
	r.more(number, text)
}

// title reads a heading: a line with a line of signs below it, or also above.
func (r *rst) title() bool {
	line := strings.TrimSpace(r.all[r.at])
	get := func(i int) string {
		if r.at+i < len(r.all) {
			return strings.TrimRight(r.all[r.at+i], " \t")
		}
		return ""
	}
	switch {
	case isRule(line) && isRule(get(2)) && line[0] == get(2)[0] && strings.TrimSpace(get(1)) != "" && !isRule(get(1)):
		r.heading(r.at+2, r.level(line[:1]+line[:1]), get(1))
		r.at += 3
	case isRule(get(1)) && !isRule(line) && indentOf(r.all[r.at]) == 0 && len(get(1)) >= min(len([]rune(line)), 4):
		r.heading(r.at+1, r.level(get(1)[:1]), line)
		r.at += 2
	case isRule(line) && len(line) >= 4: // a line between parts
		r.flush()
		r.at++
	default:
		return false
	}
	return true
}

func (r *rst) level(sign string) int {
	i := slices.Index(r.levels, sign)
	if i < 0 {
		r.levels, i = append(r.levels, sign), len(r.levels)
	}
	return i + 1
}

// isRule tells whether a line is one sign again and again.
func isRule(line string) bool {
	return len(line) >= 2 && strings.ContainsAny(line[:1], "=-`:'\"~^_*+#<>.!$%&,/;?@|") && strings.Trim(line, line[:1]) == "" && line != ".." && line != "::"
}

// directive reads ".. name:: argument", its options, and what is indented below it.
func (r *rst) directive(m []string) {
	r.flush()
	name, argument := m[2], strings.TrimSpace(m[3])
	number := r.at + 1
	r.at++
	for r.at < len(r.all) && rstOption.MatchString(r.all[r.at]) && indentOf(r.all[r.at]) > len(m[1]) {
		r.at++
	}
	switch {
	case slices.Contains(rstText, name):
	case slices.Contains(rstCodes, name):
		from := r.at + 1
		r.code(from, r.indented(len(m[1])))
	case slices.Contains(rstDrops, name):
		r.indented(len(m[1]))
	case name == "figure" || name == "csv-table" || name == "list-table" || name == "table":
		if name != "figure" {
			r.say(number, argument)
		}
	case strings.Contains(argument, "(") || strings.Contains(name, ":"): // what is described: a function, an option
		r.row(number, argument)
		r.flush()
	default:
		r.say(number, argument)
		if r.at < len(r.all) && strings.TrimSpace(r.all[r.at]) == "" {
			r.flush()
		}
	}
}

// literal reads code below a line that ends with two colons.
func (r *rst) literal(indent int) {
	at := r.at
	for at < len(r.all) && strings.TrimSpace(r.all[at]) == "" {
		at++
	}
	if at < len(r.all) && at > r.at && indentOf(r.all[at]) > indent {
		r.at = at
		r.code(at+1, r.indented(indent))
	}
}

// indented are the lines that follow and are further in.
func (r *rst) indented(indent int) []string {
	begin := r.at
	for r.at < len(r.all) && (strings.TrimSpace(r.all[r.at]) == "" || indentOf(r.all[r.at]) > indent) {
		r.at++
	}
	return r.all[begin:r.at]
}

// rstInline takes marks and the targets of links out of a line.
func rstInline(s string) string {
	s = strings.ReplaceAll(rstCode.ReplaceAllString(s, "$1"), `\ `, "")
	s = rstRole.ReplaceAllStringFunc(s, func(role string) string {
		if m := rstRole.FindStringSubmatch(role); m[1] != "" {
			return strings.TrimPrefix(strings.TrimPrefix(m[1], "~"), "!")
		}
		return role
	})
	s = rstStrong.ReplaceAllString(s, "$1$2")
	return rstReference.ReplaceAllString(s, "$1$2")
}
