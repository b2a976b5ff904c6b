package report

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// Format is how a table is written.
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

// FormatNames are the names of formats, with commas between them.
func FormatNames(of ...Format) string {
	var names []string
	for _, f := range of {
		names = append(names, f.String())
	}
	return strings.Join(names, ", ")
}

// ParseFormat is the format of a name. It is one of some, or of those of a table.
func ParseFormat(s string, of ...Format) (Format, error) {
	if of == nil {
		of = []Format{Text, Markdown, LaTeX, CSV}
	}
	if i := slices.IndexFunc(of, func(f Format) bool { return f.String() == s }); i >= 0 {
		return of[i], nil
	}
	return 0, fmt.Errorf("unknown format %q: it is one of %s", s, FormatNames(of...))
}

// Table is what all formats write.
type Table struct {
	Caption string
	Label   string // in LaTeX
	Head    []string
	Left    int // columns from the left that hold words; all others hold figures
	Rows    []line
	Notes   []string
}

// line is a row of a table.
type line struct {
	Rule  bool   // a rule stands above it
	Title string // over the whole width; there are no cells then
	Cells []cell
}

// cell is a figure or a word.
type cell struct {
	Text string
	Best bool // the best of its column, or what else is to be marked
}

// NewTable is one without rows.
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

// WriteTables writes tables below one another.
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

// numbers are cells of four digits.
func numbers(values ...float64) []cell {
	var out []cell
	for _, v := range values {
		out = append(out, cell{Text: figure(v)})
	}
	return out
}

// markBest marks the largest value of each column among some rows: every cell
// that is printed as the best one is.
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
