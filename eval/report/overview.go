package report

import (
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"strconv"

	"github.com/nsfl-go/nsfl/eval/stats"
)

// Text writes the overview for a terminal.
func (r *Report) Text(w io.Writer) error { return r.write(w, r.overview(), Text) }

// Markdown writes the overview as Markdown.
func (r *Report) Markdown(w io.Writer) error { return r.write(w, r.overview(), Markdown) }

// LaTeX writes the overview as a table of booktabs.
func (r *Report) LaTeX(w io.Writer) error { return r.write(w, r.overview(), LaTeX) }

const bestMarked = "Marked: the best of each column."

// overview is mAP@100 of all outcomes.
func (r *Report) overview() *table {
	t := &table{caption: r.caption("mAP@100"), label: "tab:overview"}
	t.head = append(r.keys(), r.symbols()...)
	t.left = len(r.keys())
	t.head = append(t.head, "mean", "mean, R", "gain over baseline")
	var values [][]float64
	for i := range r.Rows {
		row := &r.Rows[i]
		cells := r.key(row)
		var v []float64
		for _, c := range row.Cells {
			v = append(v, c.MAP)
		}
		v = append(v, row.Summary.MAP, row.Summary.MAPAll)
		for _, x := range v {
			cells = append(cells, cell{text: figure(x)})
		}
		values = append(values, v)
		cells = append(cells, cell{text: row.gain()})
		rule := i > 0 && conditions(row.Outcome) != conditions(r.Rows[i-1].Outcome)
		t.rows = append(t.rows, line{rule: rule, cells: cells})
	}
	markBest(t.rows, values, t.left)
	t.notes = append([]string{bestMarked + " Sums of precisions are divided by min(R, 100), R being the relevant documents of a query; by R in the column that says so."}, r.notes()...)
	return t
}

// gain is the relative gain with its interval.
func (row *Row) gain() string {
	if row.Gain == nil {
		return ""
	}
	return percents(row.Gain)
}

// percents is a relative gain with its interval.
func percents(in *stats.Interval) string {
	return percent(in.Value) + " [" + minus(fmt.Sprintf("%+.1f", 100*in.Low)) + ", " + minus(fmt.Sprintf("%+.1f", 100*in.High)) + "]"
}

func (r *Report) caption(what string) string {
	s := fmt.Sprintf("%s on %s (%s): %d documents, %d queries, %s", what, r.Meta.Set, r.Meta.Split, r.Meta.Documents, r.Meta.Queries, r.Meta.Encoder)
	first := r.Rows[0].Outcome
	if !r.several(fusions) {
		s += ", " + first.Fusion.String() + " fusion"
	}
	if !r.several(passages) {
		s += ", passages: " + first.Passages.String()
	}
	return s + "."
}

// notes are what stands below a table.
func (r *Report) notes() []string {
	notes := []string{"Means are over templates; intervals are of 95 %, from resampled queries. " + r.Counts.String()}
	for _, w := range r.Warnings {
		notes = append(notes, "Note: "+w+".")
	}
	return notes
}

// write writes a table with the command that printed it.
func (r *Report) write(w io.Writer, t *table, f Format) error {
	if r.Meta.Command != "" {
		t.notes = append(t.notes, "Printed by: "+r.Meta.Command)
	}
	return t.write(w, f)
}

func fusions(row *Row) string  { return row.Outcome.Fusion.String() }
func passages(row *Row) string { return row.Outcome.Passages.String() }

// several reports whether rows differ in something.
func (r *Report) several(of func(*Row) string) bool {
	for i := range r.Rows {
		if of(&r.Rows[i]) != of(&r.Rows[0]) {
			return true
		}
	}
	return false
}

// keys are the columns that name a row; what all have in common is in the caption.
func (r *Report) keys() []string {
	keys := []string{"method"}
	if r.several(fusions) {
		keys = append(keys, "fusion")
	}
	if r.several(passages) {
		keys = append(keys, "passages")
	}
	return keys
}

func (r *Report) key(row *Row) []cell {
	out := words(row.Outcome.Method.String())
	if r.several(fusions) {
		out = append(out, cell{text: fusions(row)})
	}
	if r.several(passages) {
		out = append(out, cell{text: passages(row)})
	}
	return out
}

func (r *Report) symbols() (out []string) {
	for _, t := range r.Templates {
		out = append(out, symbols(t))
	}
	return out
}

// CSV writes a line for each outcome and template, in full precision. Fields
// without a value are empty.
func (r *Report) CSV(out io.Writer) error {
	w := csv.NewWriter(out)
	w.Write([]string{ //nolint:errcheck // Error tells
		"set", "split", "encoder", "method", "fusion", "passages", "template", "n",
		"map100", "map100_low", "map100_high", "map100_R", "recall20", "recall100", "ndcg10",
		"baseline_map100", "difference", "difference_low", "difference_high", "gain", "p", "p_holm",
	})
	for i := range r.Rows {
		row := &r.Rows[i]
		o := row.Outcome
		for _, c := range row.Cells {
			fields := []string{r.Meta.Set, r.Meta.Split, r.Meta.Encoder, o.Method.String(), o.Fusion.String(), o.Passages.String(), c.Template, strconv.Itoa(c.N)}
			fields = append(fields, full(c.MAP, c.Interval.Low, c.Interval.High, c.MAPAll, c.Recall20, c.Recall100, c.NDCG10)...)
			if a := c.Against; a != nil {
				fields = append(fields, full(a.Base, a.Difference.Value, a.Difference.Low, a.Difference.High, a.Gain, a.Test.P, a.Adjusted)...)
			} else {
				fields = append(fields, make([]string, 7)...)
			}
			w.Write(fields) //nolint:errcheck // Error tells
		}
	}
	w.Flush()
	return w.Error()
}

func full(values ...float64) []string {
	var out []string
	for _, v := range values {
		if math.IsNaN(v) {
			out = append(out, "")
			continue
		}
		out = append(out, strconv.FormatFloat(v, 'g', -1, 64))
	}
	return out
}
