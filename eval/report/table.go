package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/nsfl-go/nsfl/internal/enum"
)

// Format is the output format of a table.
type Format uint8

const (
	Text     Format = iota // aligned, for a terminal of 120 columns
	Markdown               // pipe tables
)

var formatNames = []string{"text", "markdown"}

func (f Format) String() string { return enum.Of(formatNames, f) }

// ParseFormat is the inverse of String.
func ParseFormat(s string) (Format, error) { return enum.Find[Format]("format", formatNames, s) }

// Table is a table that can be written in all formats.
type Table struct {
	Caption string
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
	if f == Markdown {
		t.markdown(&b)
	} else {
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
