package report

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/nsfl-go/nsfl/internal/termsafe"
)

// Table is a table with a caption and notes.
type Table struct {
	Caption string
	Head    []string
	Left    int // number of leading columns with words; all others have figures
	Rows    []line
	Notes   []string
}

// line is a row of a table.
type line struct {
	Title string // spans the whole width; such a line has no cells
	Cells []cell
}

// cell is a figure or a word.
type cell struct {
	Text string
	Best bool // marked, usually as the best of its column
}

// NewTable returns a table without rows.
func NewTable(left int, head ...string) *Table { return &Table{Head: head, Left: left} }

// Add appends a row.
func (t *Table) Add(texts ...string) { t.Rows = append(t.Rows, line{Cells: words(texts...)}) }

// Write writes the table as Markdown with aligned columns, which a terminal shows as a table
// too.
func (t *Table) Write(w io.Writer) error {
	var b strings.Builder
	if t.Caption != "" {
		b.WriteString(escape(t.Caption) + "\n\n")
	}
	if len(t.Rows) > 0 {
		t.rows(&b)
	}
	for _, n := range t.Notes {
		b.WriteString("\n" + escape(n) + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// rows writes the head and the rows.
func (t *Table) rows(b *strings.Builder) {
	head := make([]string, len(t.Head))
	for c, text := range t.Head {
		head[c] = escape(text)
	}
	all := [][]string{head}
	for _, row := range t.Rows {
		texts := make([]string, len(t.Head))
		if row.Cells == nil {
			texts[0] = "*" + escape(row.Title) + "*"
		}
		for c, one := range row.Cells {
			if texts[c] = escape(one.Text); one.Best {
				texts[c] = "**" + texts[c] + "**"
			}
		}
		all = append(all, texts)
	}
	widths := make([]int, len(t.Head))
	for _, texts := range all {
		for c, text := range texts {
			widths[c] = max(widths[c], utf8.RuneCountInString(text), len("--:"))
		}
	}
	for i, texts := range all {
		for c, text := range texts {
			space := strings.Repeat(" ", widths[c]-utf8.RuneCountInString(text))
			if c < t.Left {
				b.WriteString("| " + text + space + " ")
			} else {
				b.WriteString("| " + space + text + " ")
			}
		}
		b.WriteString("|\n")
		if i > 0 {
			continue
		}
		for c, n := range widths {
			if c < t.Left {
				b.WriteString("|" + strings.Repeat("-", n+2))
			} else {
				b.WriteString("|" + strings.Repeat("-", n+1) + ":")
			}
		}
		b.WriteString("|\n")
	}
}

var markdownSigns = strings.NewReplacer(`\`, `\\`, "|", `\|`, "*", `\*`, "`", "\\`", "<", "&lt;")

// escape returns a text as it is written in Markdown.
func escape(s string) string { return markdownSigns.Replace(termsafe.Line(s)) }

// WriteTables writes several tables, one below the other.
func WriteTables(w io.Writer, tables ...*Table) error {
	for i, t := range tables {
		if i > 0 {
			if _, err := fmt.Fprintln(w); err != nil {
				return err
			}
		}
		if err := t.Write(w); err != nil {
			return err
		}
	}
	return nil
}

func words(texts ...string) []cell {
	var out []cell
	for _, t := range texts {
		out = append(out, cell{Text: t})
	}
	return out
}

// numbers returns cells with four digits.
func numbers(values ...float64) []cell {
	var out []cell
	for _, v := range values {
		out = append(out, cell{Text: figure(v)})
	}
	return out
}

// markBest marks the largest value of each column among some rows, including all cells that
// print the same as the best.
func markBest(rows []line, values [][]float64, first int) {
	for c := range values[0] {
		best := 0
		for i := range values {
			if values[i][c] > values[best][c] {
				best = i
			}
		}
		for i := range rows {
			rows[i].Cells[first+c].Best = rows[i].Cells[first+c].Text == rows[best].Cells[first+c].Text
		}
	}
}
