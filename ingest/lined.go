package ingest

import (
	"strings"

	"github.com/nsfl-go/nsfl/passage"
)

// lined makes blocks of formats that are written in lines, and keeps these.
type lined struct {
	blocks []passage.Block
	words  []string            // of the paragraph
	rows   [][]string          // of the list, table or code, each with what goes on with it
	begin  int                 // the line of either
	inline func(string) string // takes the marks out of what is not code
}

// say adds to a paragraph.
func (l *lined) say(line int, s string) {
	if s = passage.OneLine(s); s == "" {
		return
	}
	if len(l.rows) > 0 {
		l.flush()
	}
	if len(l.words) == 0 {
		l.begin = line
	}
	l.words = append(l.words, s)
}

// row adds one of a list, a table or code.
func (l *lined) row(line int, s string) {
	if strings.TrimSpace(s) == "" {
		return
	}
	if len(l.words) > 0 {
		l.flush()
	}
	if len(l.rows) == 0 {
		l.begin = line
	}
	l.rows = append(l.rows, []string{s})
}

// more goes on with the last row, or with the paragraph where there is none.
func (l *lined) more(line int, s string) {
	if s = passage.OneLine(s); s != "" && len(l.rows) > 0 {
		last := &l.rows[len(l.rows)-1]
		*last = append(*last, s)
		return
	}
	l.say(line, s)
}

func (l *lined) heading(line, level int, s string) {
	l.flush()
	if s = l.plain(passage.OneLine(s)); s != "" {
		l.blocks = append(l.blocks, passage.Block{Kind: passage.Heading, Rows: []string{s}, Level: min(max(level, 1), 6), Line: line})
	}
}

// code adds lines as they are, without the white space that all of them begin with.
func (l *lined) code(line int, lines []string) {
	l.flush()
	for i, b := range passage.Code(strings.Join(dedent(lines), "\n")) {
		for i == 0 && line > 0 && len(lines) > 0 && strings.TrimSpace(lines[0]) == "" {
			line, lines = line+1, lines[1:]
		}
		b.Line = line
		l.blocks = append(l.blocks, b)
	}
}

func (l *lined) flush() {
	if s := l.plain(strings.Join(l.words, " ")); s != "" {
		l.blocks = append(l.blocks, passage.Block{Kind: passage.Prose, Rows: []string{s}, Line: l.begin})
	}
	var rows []string
	for _, parts := range l.rows {
		if row := l.plain(strings.Join(parts, " ")); strings.TrimSpace(row) != "" {
			rows = append(rows, row)
		}
	}
	if rows != nil {
		l.blocks = append(l.blocks, passage.Block{Kind: passage.Rows, Rows: rows, Line: l.begin})
	}
	l.words, l.rows = nil, nil
}

func (l *lined) plain(s string) string {
	if l.inline == nil {
		return s
	}
	return strings.TrimRight(l.inline(s), " ")
}

// indentOf counts the white space that a line begins with; a tab reaches to the next
// multiple of eight.
func indentOf(line string) int {
	n := 0
	for _, r := range line {
		switch r {
		case ' ':
			n++
		case '\t':
			n += 8 - n%8
		default:
			return n
		}
	}
	return n
}

func dedent(lines []string) []string {
	least := -1
	for _, line := range lines {
		if n := indentOf(line); strings.TrimSpace(line) != "" && (least < 0 || n < least) {
			least = n
		}
	}
	var out []string
	for _, line := range lines {
		for n := 0; n < least && line != "" && (line[0] == ' ' || line[0] == '\t'); line = line[1:] {
			n += indentOf(line[:1])
		}
		out = append(out, line)
	}
	return out
}
