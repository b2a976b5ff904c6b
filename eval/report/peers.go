package report

import (
	"fmt"
	"io"

	"github.com/nsfl-go/nsfl/eval/lab"
)

// Leaks writes how often excluded terms and labels occur among the top ten results.
func (r *Report) Leaks(w io.Writer) error {
	t := NewTable(1, "method", "mention it", "have its label")
	t.Caption = fmt.Sprintf("How often NOT leaks on %s (%s): of the top ten results of queries with an excluded term, the share that", r.Meta.Set, r.Meta.Split)
	for i := range r.Rows {
		if o := &r.Rows[i].Outcome; o.Leaks != nil {
			t.Rows = append(t.Rows, line{Cells: words(o.Called(), share(o.Leaks.Words), share(o.Leaks.Labels))})
		}
	}
	if len(t.Rows) == 0 {
		return nil
	}
	return t.Write(w)
}

func share(v float64) string { return fmt.Sprintf("%.1f %%", 100*v) }

// Recall writes recall@20 by template.
func (r *Report) Recall(w io.Writer) error {
	t := r.table("recall@20", "mean")
	r.fillMeans(t, func(m lab.Means) float64 { return m.Recall20 })
	t.Notes = []string{bestMarked}
	return t.Write(w)
}

// Means writes the mean mAP@100 of each method on each of several sets, and the mean over
// sets. All reports must have the same methods.
func Means(w io.Writer, reports []*Report) error {
	t := NewTable(1, "method")
	t.Caption = "mAP@100, means over templates"
	var values [][]float64
	for i := range reports[0].Rows {
		var own []float64
		sum := 0.0
		for _, r := range reports {
			own = append(own, r.Rows[i].Summary.MAP)
			sum += r.Rows[i].Summary.MAP
		}
		own = append(own, sum/float64(len(reports)))
		values = append(values, own)
		t.Rows = append(t.Rows, line{Cells: append(words(reports[0].Rows[i].Outcome.Called()), numbers(own...)...)})
	}
	for _, r := range reports {
		t.Head = append(t.Head, r.Meta.Set)
	}
	t.Head = append(t.Head, "mean")
	t.Notes = append([]string{bestMarked}, printedBy(reports[0].Meta.Command)...)
	markBest(t.Rows, values, t.Left)
	return t.Write(w)
}
