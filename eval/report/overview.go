package report

import (
	"fmt"
	"io"
	"slices"

	"github.com/nsfl-go/nsfl/eval/lab"
)

// Overview writes mAP@100 of all outcomes.
func (r *Report) Overview(w io.Writer) error { return r.write(w, r.overview()) }

const bestMarked = "Marked: the best of each column."

// overview returns the table of mAP@100 for all outcomes.
func (r *Report) overview() *Table {
	t := r.table("mAP@100", "mean", "mean, R", "gain over baseline")
	r.fill(t, func(row *Row) ([]float64, []cell) { return row.means(), words(gained(row.Gain)) })
	t.Notes = append([]string{bestMarked + " Sums of precisions are divided by min(R, 100), where R is the number of relevant documents of a query; by R in the column “mean, R”."}, r.notes()...)
	return t
}

// table returns a table with columns for the key of a row, for each template, and some more.
func (r *Report) table(what string, last ...string) *Table {
	head, _ := r.key(nil)
	t := &Table{Caption: r.caption(what), Head: head, Left: len(head)}
	for _, one := range r.Templates {
		t.Head = append(t.Head, symbols(one))
	}
	t.Head = append(t.Head, last...)
	return t
}

// fill adds a row for each outcome: its key, its own words, its figures with the best ones
// marked, and the last cells.
func (r *Report) fill(t *Table, of func(*Row) (figures []float64, last []cell), own ...func(*Row) string) {
	var values [][]float64
	first := len(t.Rows)
	for i := range r.Rows {
		row := &r.Rows[i]
		_, cells := r.key(row)
		for _, word := range own {
			cells = append(cells, cell{Text: word(row)})
		}
		figures, last := of(row)
		values = append(values, figures)
		t.Rows = append(t.Rows, line{Cells: slices.Concat(cells, numbers(figures...), last)})
	}
	markBest(t.Rows[first:], values, t.Left)
}

// fillMeans adds a row for each outcome, with a measure by template and its mean.
func (r *Report) fillMeans(t *Table, of func(lab.Means) float64) {
	r.fill(t, func(row *Row) (figures []float64, _ []cell) {
		for _, c := range row.Cells {
			figures = append(figures, of(c.Means))
		}
		return append(figures, of(row.Summary.Means)), nil
	})
}

// means returns mAP@100 by template, their mean, and the mean with the denominator R.
func (row *Row) means() (out []float64) {
	for _, c := range row.Cells {
		out = append(out, c.MAP)
	}
	return append(out, row.Summary.MAP, row.Summary.MAPAll)
}

func (r *Report) caption(what string) string {
	s := fmt.Sprintf("%s on %s (%s): %d documents, %d queries, %s", what, r.Meta.Set, r.Meta.Split, r.Meta.Documents, r.Meta.Queries, r.Meta.Encoder)
	first := r.Rows[0].Outcome
	switch r.Meta.Profile {
	case "":
	case "paper":
		s += ", the paper's configuration"
	default:
		s += ", profile " + r.Meta.Profile
	}
	if !r.several(fusions) {
		s += ", " + first.Fusion.String() + " fusion"
	}
	if !r.several(passages) {
		s += ", passages: " + first.Passages.String()
	}
	return s + "."
}

func (r *Report) notes() []string {
	notes := []string{"Means are over templates, with 95 % intervals from resampled queries. " + r.Counts.String()}
	for _, w := range r.Warnings {
		notes = append(notes, "Note: "+w+".")
	}
	return notes
}

// write writes a table with the command that printed it.
func (r *Report) write(w io.Writer, t *Table) error {
	t.Notes = append(t.Notes, printedBy(r.Meta.Command)...)
	return t.Write(w)
}

// printedBy returns a note with the command, or none if it is empty.
func printedBy(command string) []string {
	if command == "" {
		return nil
	}
	return []string{"Printed by: " + command}
}

func fusions(row *Row) string  { return row.Outcome.Fusion.String() }
func passages(row *Row) string { return row.Outcome.Passages.String() }

// distinct returns the distinct values of a property of rows, in order.
func (r *Report) distinct(of func(*Row) string) (out []string) {
	for i := range r.Rows {
		if v := of(&r.Rows[i]); !slices.Contains(out, v) {
			out = append(out, v)
		}
	}
	return out
}

// several reports whether rows differ in a property.
func (r *Report) several(of func(*Row) string) bool { return len(r.distinct(of)) > 1 }

// key returns the header cells of the columns that identify a row and, unless row is nil,
// the row's cells. Properties that all rows share are in the caption instead.
func (r *Report) key(row *Row) (head []string, cells []cell) {
	add := func(name string, of func(*Row) string) {
		head = append(head, name)
		if row != nil {
			cells = append(cells, cell{Text: of(row)})
		}
	}
	add("method", func(row *Row) string { return row.Outcome.Called() })
	if r.several(fusions) {
		add("fusion", fusions)
	}
	if r.several(passages) {
		add("passages", passages)
	}
	return head, cells
}
