package report

import (
	"strings"
	"unicode/utf8"

	"github.com/nsfl-go/nsfl/internal/termsafe"
)

// width is the assumed width of a terminal.
const width = 120

// text writes aligned columns. A table that is too wide continues below itself, with the
// columns of words repeated.
func (t *Table) text(w *strings.Builder) {
	if t.Caption != "" {
		w.WriteString(fold(t.Caption) + "\n")
	}
	widths, keys := t.widths(), 0
	for _, n := range widths[:t.Left] {
		keys += n + 2
	}
	for from := t.Left; len(t.Rows) > 0; {
		to, used := from, keys
		for to < len(t.Head) && (to == from || used+widths[to] <= width) {
			used += widths[to] + 2
			to++
		}
		t.block(w, widths, from, to, used-2)
		if to == len(t.Head) {
			break
		}
		w.WriteString("\n")
		from = to
	}
	if len(t.Rows) > 0 && len(t.Notes) > 0 {
		w.WriteString("\n")
	}
	for _, n := range t.Notes {
		w.WriteString(fold(n))
	}
}

func (t *Table) widths() []int {
	widths := make([]int, len(t.Head))
	for _, row := range append([]line{{Cells: words(t.Head...)}}, t.Rows...) {
		for c, one := range row.Cells {
			widths[c] = max(widths[c], utf8.RuneCountInString(t.marked(one, c)))
		}
	}
	return widths
}

// marked returns the text of a cell followed by its mark. Columns of figures always reserve
// space for it.
func (t *Table) marked(c cell, column int) string {
	switch {
	case c.Best:
		return termsafe.Line(c.Text) + "*"
	case column >= t.Left:
		return termsafe.Line(c.Text) + " "
	}
	return termsafe.Line(c.Text)
}

// block writes the columns of words and the columns from one to another.
func (t *Table) block(w *strings.Builder, widths []int, from, to, total int) {
	print := func(cells []cell) {
		var b strings.Builder
		for c := range cells {
			if c >= t.Left && (c < from || c >= to) {
				continue
			}
			s := t.marked(cells[c], c)
			space := strings.Repeat(" ", widths[c]-utf8.RuneCountInString(s))
			if c < t.Left {
				b.WriteString(s + space + "  ")
			} else {
				b.WriteString(space + s + "  ")
			}
		}
		w.WriteString(strings.TrimRight(b.String(), " ") + "\n")
	}
	print(words(t.Head...))
	w.WriteString(strings.Repeat("─", total) + "\n")
	for i, row := range t.Rows {
		if row.Rule && i > 0 {
			w.WriteString(strings.Repeat("╌", total) + "\n")
		}
		if row.Cells == nil {
			w.WriteString(termsafe.Line(row.Title) + "\n")
			continue
		}
		print(row.Cells)
	}
}

// fold wraps a text at spaces and adds a final newline.
func fold(s string) string {
	var b strings.Builder
	used := 0
	for i, word := range strings.Fields(termsafe.Line(s)) {
		n := utf8.RuneCountInString(word)
		switch {
		case i == 0:
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
	return b.String() + "\n"
}
