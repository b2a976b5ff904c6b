package report

import (
	"encoding/csv"
	"io"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// width is how many columns a table has in a terminal at most.
const width = 120

// text writes aligned columns. A table that is too wide goes on below itself,
// with the columns of words again.
func (t *table) text(out io.Writer) error {
	var w strings.Builder
	w.WriteString(fold(clean(t.caption), width) + "\n\n")
	widths := t.widths()
	keys := 0
	for _, n := range widths[:t.left] {
		keys += n + 2
	}
	for from := t.left; ; {
		to, used := from, keys
		for to < len(t.head) && (to == from || used+widths[to]+2 <= width+2) {
			used += widths[to] + 2
			to++
		}
		t.block(&w, widths, from, to, used-2)
		if to == len(t.head) {
			break
		}
		w.WriteString("\n")
		from = to
	}
	if len(t.notes) > 0 {
		w.WriteString("\n")
	}
	for _, n := range t.notes {
		w.WriteString(fold(clean(n), width) + "\n")
	}
	_, err := io.WriteString(out, w.String())
	return err
}

// widths are those of the columns.
func (t *table) widths() []int {
	widths := make([]int, len(t.head))
	for c, h := range t.head {
		widths[c] = cells(h)
		for _, row := range t.rows {
			if row.cells != nil {
				widths[c] = max(widths[c], cells(marked(row.cells[c], c >= t.left)))
			}
		}
	}
	return widths
}

// block writes the columns of words and those from one to another.
func (t *table) block(w *strings.Builder, widths []int, from, to, total int) {
	print := func(at func(c int) string) {
		var b strings.Builder
		for c := range t.head {
			if c >= t.left && (c < from || c >= to) {
				continue
			}
			s := at(c)
			space := strings.Repeat(" ", widths[c]-cells(s))
			if c < t.left {
				b.WriteString(s + space + "  ")
			} else {
				b.WriteString(space + s + "  ")
			}
		}
		w.WriteString(strings.TrimRight(b.String(), " ") + "\n")
	}
	// A figure keeps its place whether it is marked or not.
	print(func(c int) string {
		if c >= t.left && widths[c] > cells(t.head[c]) {
			return t.head[c] + " "
		}
		return t.head[c]
	})
	w.WriteString(strings.Repeat("─", total) + "\n")
	for i, row := range t.rows {
		if row.rule && i > 0 {
			w.WriteString(strings.Repeat("╌", total) + "\n")
		}
		if row.cells == nil {
			w.WriteString(clean(row.title) + "\n")
			continue
		}
		print(func(c int) string { return marked(row.cells[c], c >= t.left) })
	}
}

// marked is a cell with a sign after it, or with a space where figures stand.
func marked(c cell, figure bool) string {
	switch {
	case c.best:
		return clean(c.text) + "*"
	case figure:
		return clean(c.text) + " "
	}
	return clean(c.text)
}

// cells counts characters; none of those in a table is wide.
func cells(s string) int { return utf8.RuneCountInString(s) }

// clean takes out what could move a cursor, and ends no line.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t' || r == '\r':
			return ' '
		case unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r):
			return -1
		}
		return r
	}, s)
}

// fold breaks a text at spaces.
func fold(s string, width int) string {
	var b strings.Builder
	used := 0
	for _, word := range strings.Fields(s) {
		n := cells(word)
		switch {
		case used == 0:
		case used+1+n > width:
			b.WriteByte('\n')
			used = 0
		default:
			b.WriteByte(' ')
			used++
		}
		b.WriteString(word)
		used += n
	}
	return b.String()
}

// markdown writes a pipe table.
func (t *table) markdown(out io.Writer) error {
	var w strings.Builder
	w.WriteString(escapeMarkdown(t.caption) + "\n\n|")
	for _, h := range t.head {
		w.WriteString(" " + escapeMarkdown(h) + " |")
	}
	w.WriteString("\n|")
	for c := range t.head {
		if c < t.left {
			w.WriteString("---|")
		} else {
			w.WriteString("---:|")
		}
	}
	w.WriteString("\n")
	for _, row := range t.rows {
		w.WriteString("|")
		if row.cells == nil {
			w.WriteString(" *" + escapeMarkdown(row.title) + "* " + strings.Repeat("|", len(t.head)) + "\n")
			continue
		}
		for _, c := range row.cells {
			s := escapeMarkdown(c.text)
			if c.best {
				s = "**" + s + "**"
			}
			w.WriteString(strings.ReplaceAll(" "+s+" |", "  ", " "))
		}
		w.WriteString("\n")
	}
	for _, n := range t.notes {
		w.WriteString("\n" + escapeMarkdown(n) + "\n")
	}
	_, err := io.WriteString(out, w.String())
	return err
}

var markdownSigns = strings.NewReplacer(
	`\`, `\\`, "|", `\|`, "*", `\*`, "_", `\_`, "`", "\\`", "[", `\[`, "]", `\]`, "<", "&lt;", ">", "&gt;", "&", "&amp;", "#", `\#`)

func escapeMarkdown(s string) string { return markdownSigns.Replace(clean(s)) }

// csv writes the head and the rows. A title over rows is a field of each of them.
func (t *table) csv(out io.Writer) error {
	w := csv.NewWriter(out)
	titled := slices.ContainsFunc(t.rows, func(l line) bool { return l.cells == nil })
	fields := func(title string, texts []string) []string {
		if titled {
			texts = append([]string{title}, texts...)
		}
		return texts
	}
	rows, title := [][]string{fields("of", t.head)}, ""
	for _, row := range t.rows {
		if row.cells == nil {
			title = row.title
			continue
		}
		var texts []string
		for _, c := range row.cells {
			texts = append(texts, strings.ReplaceAll(c.text, "−", "-"))
		}
		rows = append(rows, fields(title, texts))
	}
	return w.WriteAll(rows)
}
