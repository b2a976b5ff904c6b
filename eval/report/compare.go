package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/nsfl-go/nsfl/eval/lab"
	"github.com/nsfl-go/nsfl/eval/stats"
)

// comparer does the statistics of rows.
type comparer struct {
	bootstrap stats.Bootstrap
	strata    []string         // the template of each query
	queries   map[string][]int // those of each template
	warnings  warnings
}

// fill computes what a row has beside its summary.
func (c *comparer) fill(row *Row, outcomes []lab.Outcome) error {
	ap, all := values(row.Outcome)
	in, err := c.bootstrap.Mean(ap, c.strata)
	if err != nil {
		return err
	}
	row.MAP = c.keep(in, "")
	var baseAP, baseAll []float64
	if row.base >= 0 {
		baseAP, baseAll = values(outcomes[row.base])
		gain, err := c.bootstrap.RelativeGain(baseAP, ap, c.strata)
		if err != nil {
			c.warnings.add(err.Error(), name(row.Outcome))
		} else {
			c.keep(gain, "")
			row.Gain = gain
		}
	}
	for _, t := range row.Summary.Templates {
		own := c.queries[t.Template]
		in, err := c.bootstrap.Mean(pick(ap, own), nil)
		if err != nil {
			return err
		}
		cell := Cell{TemplateSummary: t, Interval: c.keep(in, t.Template)}
		if row.base >= 0 {
			if cell.Against, err = c.compare(pick(baseAP, own), pick(ap, own), name(row.Outcome)+", "+t.Template); err != nil {
				return err
			}
			baseTest, err := stats.Wilcoxon(pick(baseAll, own), pick(all, own))
			if err != nil {
				return err
			}
			cell.Against.TestAll, cell.Against.BaseAll = *baseTest, stats.Mean(pick(baseAll, own))
		}
		row.Cells = append(row.Cells, cell)
	}
	return nil
}

func (c *comparer) compare(base, method []float64, place string) (*Comparison, error) {
	difference, err := c.bootstrap.Difference(base, method, nil)
	if err != nil {
		return nil, err
	}
	test, err := stats.Wilcoxon(base, method)
	if err != nil {
		return nil, err
	}
	for _, w := range test.Warnings {
		c.warnings.add(w, place)
	}
	m := stats.Mean(base)
	return &Comparison{Base: m, Gain: stats.RelativeGain(m, stats.Mean(method)), Difference: c.keep(difference, place), Test: *test}, nil
}

// keep notes the warnings of an interval. A place is where it stands.
func (c *comparer) keep(in *stats.Interval, place string) stats.Interval {
	for _, w := range in.Warnings {
		c.warnings.add(w, place)
	}
	return *in
}

// correct adjusts all p-values together and counts.
func (r *Report) correct() error {
	var p []float64
	var cells []*Comparison
	for i := range r.Rows {
		for _, cell := range r.Rows[i].Cells {
			if cell.Against != nil {
				p = append(p, cell.Against.Test.P)
				cells = append(cells, cell.Against)
			}
		}
	}
	adjusted, err := stats.Holm(p)
	if err != nil {
		return err
	}
	n := &r.Counts
	n.Cells = len(cells)
	count := func(n *int, p, level float64) {
		if p <= level {
			*n++
		}
	}
	for i, c := range cells {
		c.Adjusted = adjusted[i]
		count(&n.P01, p[i], 0.01)
		count(&n.P05, p[i], 0.05)
		count(&n.Holm01, adjusted[i], 0.01)
		count(&n.Holm05, adjusted[i], 0.05)
		if c.Difference.Value < 0 {
			count(&n.Worse01, adjusted[i], 0.01)
		}
	}
	return nil
}

// String is the counts as a sentence.
func (n Counts) String() string {
	if n.Cells == 0 {
		return "There is no baseline with the same fusion and passages to compare with."
	}
	s := fmt.Sprintf("Of %d comparisons with the baseline (a template each, two-sided Wilcoxon test), %d are significant at 0.01 and %d at 0.05; after Holm's correction for all of them, %d and %d.",
		n.Cells, n.P01, n.P05, n.Holm01, n.Holm05)
	if n.Worse01 > 0 {
		s += fmt.Sprintf(" In %d of the %d the baseline is the better one.", n.Worse01, n.Holm01)
	}
	return s
}

// values are the average precisions of an outcome's queries with both
// denominators.
func values(o lab.Outcome) (ap, all []float64) {
	for i := range o.Queries {
		ap = append(ap, o.Queries[i].AP)
		all = append(all, o.Queries[i].APAll)
	}
	return ap, all
}

func pick(values []float64, at []int) []float64 {
	out := make([]float64, len(at))
	for i, k := range at {
		out[i] = values[k]
	}
	return out
}

// warnings are messages with the places they concern, in the order of their
// first appearance.
type warnings struct {
	messages []string
	places   map[string][]string
}

func (w *warnings) add(message, place string) {
	if w.places == nil {
		w.places = map[string][]string{}
	}
	if !slices.Contains(w.messages, message) {
		w.messages = append(w.messages, message)
	}
	if place != "" && !slices.Contains(w.places[message], place) {
		w.places[message] = append(w.places[message], place)
	}
}

func (w *warnings) join(o warnings) {
	for _, m := range o.messages {
		w.add(m, "")
		for _, place := range o.places[m] {
			w.add(m, place)
		}
	}
}

func (w *warnings) list() (out []string) {
	const most = 4 // places that are named
	for _, m := range w.messages {
		switch places := w.places[m]; {
		case len(places) > most:
			m += fmt.Sprintf(" (%s and %d more)", strings.Join(places[:most], "; "), len(places)-most)
		case len(places) > 0:
			m += " (" + strings.Join(places, "; ") + ")"
		}
		out = append(out, m)
	}
	return out
}
