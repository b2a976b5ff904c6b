package report

import (
	"fmt"

	"github.com/nsfl-go/nsfl/eval/lab"
	"github.com/nsfl-go/nsfl/eval/stats"
)

// comparer computes the statistics of rows.
type comparer struct {
	bootstrap stats.Bootstrap
	strata    []string         // template of each query
	queries   map[string][]int // queries of each template
	warnings  []string
}

// fill computes the figures of a row that its summary does not have.
func (c *comparer) fill(row *Row, outcomes []lab.Outcome) error {
	ap, all := values(row.Outcome)
	in, err := c.bootstrap.Mean(ap, c.strata)
	if err != nil {
		return err
	}
	row.MAP = c.keep(in)
	var baseAP, baseAll []float64
	if row.base >= 0 {
		baseAP, baseAll = values(outcomes[row.base])
		gain, err := c.bootstrap.RelativeGain(baseAP, ap, c.strata)
		if err != nil {
			c.warnings = append(c.warnings, name(row.Outcome)+": "+err.Error())
		} else {
			c.keep(gain)
			row.Gain = gain
		}
	}
	for _, t := range row.Summary.Templates {
		own := c.queries[t.Template]
		in, err := c.bootstrap.Mean(pick(ap, own), nil)
		if err != nil {
			return err
		}
		cell := Cell{TemplateSummary: t, Interval: c.keep(in)}
		if row.base >= 0 {
			m := &Comparison{Base: stats.Mean(pick(baseAP, own)), BaseAll: stats.Mean(pick(baseAll, own))}
			m.Gain = stats.RelativeGain(m.Base, t.MAP)
			difference, err := c.bootstrap.Difference(pick(baseAP, own), pick(ap, own), nil)
			if err != nil {
				return err
			}
			m.Difference = c.keep(difference)
			test, err := stats.Wilcoxon(pick(baseAP, own), pick(ap, own))
			if err != nil {
				return err
			}
			c.warnings = append(c.warnings, test.Warnings...)
			testAll, err := stats.Wilcoxon(pick(baseAll, own), pick(all, own))
			if err != nil {
				return err
			}
			m.Test, m.TestAll = *test, *testAll
			cell.Against = m
		}
		row.Cells = append(row.Cells, cell)
	}
	return nil
}

// keep records the warnings of an interval.
func (c *comparer) keep(in *stats.Interval) stats.Interval {
	c.warnings = append(c.warnings, in.Warnings...)
	return *in
}

// correct adjusts all p-values together and counts significant results.
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

// String returns the counts as a sentence.
func (n Counts) String() string {
	if n.Cells == 0 {
		return "No baseline has the same fusion and passages to compare with."
	}
	s := fmt.Sprintf("Of %d comparisons with the baseline (one per template, two-sided Wilcoxon test), %d are significant at 0.01 and %d at 0.05; after Holm's correction for all of them, %d and %d.",
		n.Cells, n.P01, n.P05, n.Holm01, n.Holm05)
	if n.Worse01 > 0 {
		s += fmt.Sprintf(" In %d of the %d the baseline is better.", n.Worse01, n.Holm01)
	}
	return s
}

// values returns the average precisions of an outcome's queries with both denominators.
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
