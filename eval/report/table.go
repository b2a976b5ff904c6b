package report

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// Format is the output format of a table.
type Format uint8

const (
	Text     Format = iota // aligned, for a terminal of 120 columns
	Markdown               // pipe tables
	LaTeX                  // booktabs
	CSV                    // without captions and notes
	JSON                   // all figures, in full precision
)

var formatNames = [...]string{"text", "markdown", "latex", "csv", "json"}

func (f Format) String() string { return formatNames[f] }

// FormatNames returns the names of formats, separated by commas.
func FormatNames(of ...Format) string {
	var names []string
	for _, f := range of {
		names = append(names, f.String())
	}
	return strings.Join(names, ", ")
}

// ParseFormat parses the name of a format, which must be in of or, if that is empty, a format
// for tables.
func ParseFormat(s string, of ...Format) (Format, error) {
	if of == nil {
		of = []Format{Text, Markdown, LaTeX, CSV}
	}
	if i := slices.IndexFunc(of, func(f Format) bool { return f.String() == s }); i >= 0 {
		return of[i], nil
	}
	return 0, fmt.Errorf("unknown format %q: it is one of %s", s, FormatNames(of...))
}

// Table is a table that can be written in all formats.
type Table struct {
	Caption string
	Label   string // LaTeX label
	Head    []string
	Left    int // number of leading columns with words; all others have figures
	Rows    []line
	Notes   []string
}

// line is a row of a table.
type line struct {
	Rule  bool   // whether a rule is drawn above it
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

// Write writes the table.
func (t *Table) Write(w io.Writer, f Format) error {
	var b strings.Builder
	switch f {
	case Markdown:
		t.markdown(&b)
	case LaTeX:
		t.latex(&b)
	case CSV:
		return t.csv(w)
	default:
		t.text(&b)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// WriteTables writes several tables, one below the other.
func WriteTables(w io.Writer, f Format, tables ...*Table) error {
	for i, t := range tables {
		if i > 0 {
			if _, err := fmt.Fprintln(w); err != nil {
				return err
			}
		}
		if err := t.Write(w, f); err != nil {
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
