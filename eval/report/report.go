package report

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"

	"github.com/nsfl-go/nsfl/eval/lab"
	"github.com/nsfl-go/nsfl/eval/stats"
	"github.com/nsfl-go/nsfl/internal/workers"
)

// Meta describes an experiment.
type Meta struct {
	Set, Split, Encoder string
	Documents, Queries  int
	Profile             string // profile searched with; empty if it differs by row
	Command             string // command that printed the report
	// Title returns a document's title or first words for display; nil shows its id.
	Title func(id string) string
}

// Options configure how uncertainty is estimated.
type Options = stats.Bootstrap

// Report presents an experiment in figures.
type Report struct {
	Meta      Meta
	Templates []string
	Rows      []Row // in the order of the outcomes
	Counts    Counts
	Warnings  []string // statistical warnings, each once

	options Options
	deltas  *Table // see Observe
}

// Row is one outcome. Its figures are means over templates.
type Row struct {
	Outcome lab.Outcome
	Summary lab.Summary
	MAP     stats.Interval
	Cells   []Cell // by template
	// Gain is the gain of MAP over the baseline with the same fusion and passages. It is nil
	// if there is none, or if the gain is undefined.
	Gain *stats.Interval
	base int // row of that baseline, or −1
}

// Cell is one outcome on the queries of one template.
type Cell struct {
	lab.TemplateSummary
	Interval stats.Interval // interval of MAP
	Against  *Comparison    // nil if there is no baseline
}

// Comparison compares a cell with the baseline's, query by query. Its figures use the
// denominator min(R, 100), except for the last two.
type Comparison struct {
	Base       float64
	Gain       float64 // NaN if the baseline is 0
	Difference stats.Interval
	Test       stats.WilcoxonResult // two-sided
	Adjusted   float64              // p after Holm's correction for all cells

	BaseAll float64 // with the denominator R
	TestAll stats.WilcoxonResult
}

// Counts counts the significant comparisons.
type Counts struct {
	Cells          int
	P01, P05       int // at or below 0.01 and 0.05
	Holm01, Holm05 int // after the correction
	Worse01        int // those of Holm01 in which the baseline is better
}

// New computes the figures. All outcomes must have the same queries in the same order, as
// returned by lab.Run.
func New(meta Meta, outcomes []lab.Outcome, o Options) (*Report, error) {
	if err := check(outcomes); err != nil {
		return nil, fmt.Errorf("making a report: %w", err)
	}
	if o.Resamples == 0 {
		o.Resamples = 10000
	}
	r := &Report{Meta: meta, options: o, Rows: make([]Row, len(outcomes))}
	c := comparer{bootstrap: o, queries: map[string][]int{}}
	for i := range outcomes[0].Queries {
		t := outcomes[0].Queries[i].Query.Template
		c.strata = append(c.strata, t)
		c.queries[t] = append(c.queries[t], i)
	}
	// Resampling takes seconds; rows are independent of each other.
	found := make([][]string, len(outcomes))
	err := workers.Each(context.Background(), len(outcomes), runtime.GOMAXPROCS(0), func(_ context.Context, i int) error {
		own, outcome := c, outcomes[i]
		r.Rows[i] = Row{Outcome: outcome, Summary: lab.Summarize(outcome), base: baselineOf(outcome, outcomes)}
		if err := own.fill(&r.Rows[i], outcomes); err != nil {
			return fmt.Errorf("making a report: %s: %w", name(outcome), err)
		}
		found[i] = own.warnings
		return nil
	})
	if err != nil {
		return nil, err
	}
	for _, t := range r.Rows[0].Summary.Templates {
		r.Templates = append(r.Templates, t.Template)
	}
	for _, w := range slices.Concat(found...) {
		if !slices.Contains(r.Warnings, w) {
			r.Warnings = append(r.Warnings, w)
		}
	}
	return r, r.correct()
}

// check rejects outcomes that cannot be compared.
func check(outcomes []lab.Outcome) error {
	if len(outcomes) == 0 || len(outcomes[0].Queries) == 0 {
		return errors.New("there are no outcomes, or outcomes without queries; run an experiment first")
	}
	names := map[string]bool{}
	for _, o := range outcomes {
		if names[name(o)] {
			return fmt.Errorf("there are two outcomes of %s", name(o))
		}
		names[name(o)] = true
		if !slices.EqualFunc(o.Queries, outcomes[0].Queries, func(a, b lab.Measured) bool { return a.Query.ID == b.Query.ID }) {
			return fmt.Errorf("%s has different queries than %s; use outcomes of one run", name(o), name(outcomes[0]))
		}
	}
	return nil
}

// baseline is the method that others are compared with.
const baseline = "baseline"

// baselineOf returns the index of the outcome to compare another one with, or −1.
func baselineOf(o lab.Outcome, all []lab.Outcome) int {
	return slices.IndexFunc(all, func(b lab.Outcome) bool {
		return b.Method.String() == baseline && o.Method != b.Method && b.Fusion == o.Fusion && b.Passages == o.Passages
	})
}

func name(o lab.Outcome) string {
	return o.Called() + ", " + conditions(o)
}

// conditions describes what comparable outcomes have in common.
func conditions(o lab.Outcome) string { return o.Fusion.String() + ", " + o.Passages.String() }
