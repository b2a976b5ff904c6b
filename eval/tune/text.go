package tune

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/nsfl-go/nsfl/eval/report"
	"github.com/nsfl-go/nsfl/eval/stats"
	"github.com/nsfl-go/nsfl/profile"
)

// Text writes the result as tables for people.
func (r *Result) Text(w io.Writer) error {
	if r.Config.Calibrate { // nothing was learned
		return report.WriteTables(w, report.Text, r.calibrations())
	}
	tables := []*report.Table{
		r.changes(),
		r.estimates(fmt.Sprintf("What it is worth: chosen on %d of %d folds, measured on the remaining fold, in turn.", r.Config.Folds-1, r.Config.Folds), r.Estimates),
	}
	tables[1].Notes = []string{fmt.Sprintf("On the queries it was chosen by, it scores %.4f.", r.Seen)}
	if r.LeftOut != nil {
		t := r.estimates("Stricter: chosen on the other sets, measured on a set not used for learning.", r.LeftOut)
		for _, e := range r.LeftOut[:len(r.Sets)] {
			t.Notes = append(t.Notes, fmt.Sprintf("Without %s: %s.", e.Name, e.Choice))
		}
		tables = append(tables, t)
	}
	last := r.calibrations()
	last.Notes = append(last.Notes, r.verdict()...)
	return report.WriteTables(w, report.Text, append(tables, last)...)
}

// describe describes the choices of a profile.
func describe(p *profile.Profile) string {
	var parts []string
	paper := profile.Paper()
	for _, e := range elements() {
		if e.show(p) != e.show(paper) {
			parts = append(parts, strings.TrimSpace(string(e.kind)+" "+e.name+" "+e.show(p)))
		}
	}
	if parts == nil {
		return "the encoder's own vectors, the paper's operators"
	}
	return strings.Join(parts, ", ")
}

// changes lists the changes that were tried and chosen.
func (r *Result) changes() *report.Table {
	t := report.NewTable(4, "formulas", "", "from", "to", "gain", "chosen in", "loss")
	for _, s := range r.Sets {
		of := ""
		if s.Of > s.Queries {
			of = fmt.Sprintf(" of %d", s.Of)
		}
		t.Caption += fmt.Sprintf("%s, %s: %d%s queries, %d documents compared by %s. ", s.Name, s.Split, s.Queries, of, s.Documents, r.Config.Passages)
	}
	t.Caption += fmt.Sprintf("The effect of one change of the default on all queries. The default is %s: %s.", r.Config.Default.Name, describe(r.Config.Default))
	plusMinus := func(gain, deviation float64) string {
		return report.Signed(gain, 4) + fmt.Sprintf(" ± %.4f", deviation)
	}
	for _, c := range r.Changes {
		row := []string{cmp.Or(string(c.Kind), "all"), c.Element, c.From, c.To, plusMinus(c.Gain, c.StdErr), "", ""}
		if c.Chosen {
			row[5], row[6] = fmt.Sprintf("%d of %d folds", c.Folds, r.Config.Folds), plusMinus(c.Loss, c.LossErr)
		}
		t.Add(row...)
	}
	t.Notes = []string{
		"Figures are mAP@100 with the denominator min(R, 100), averaged over templates; every set has the same weight. All documents are ranked. ± is one standard error, brackets are 95 % intervals over queries.",
		"Chosen changes, in order, have the number of folds that chose the same, and the loss on all queries when only that change is reverted.",
	}
	if !r.chosen() {
		t.Notes[1] = "Nothing was chosen: no gain exceeds its standard error."
	}
	return t
}

// estimates omits the column of the default if that is the paper's profile.
func (r *Result) estimates(caption string, estimates []Estimate) *report.Table {
	cells := func(name, queries, plain, paper, start, learned, overPlain, overPaper, overStart string) []string {
		if same(r.Config.Default, profile.Paper()) {
			return []string{name, queries, plain, paper, learned, overPlain, overPaper}
		}
		return []string{name, queries, plain, paper, start, learned, overPlain, overPaper, overStart}
	}
	t := report.NewTable(1, cells("", "queries", "one vector", "paper", "default", "learned", "over one vector", "over the paper", "over the default")...)
	t.Caption = caption
	for _, e := range estimates {
		four := func(v float64) string { return fmt.Sprintf("%.4f", v) }
		t.Add(cells(e.Name, fmt.Sprint(e.Queries), four(e.Baseline), four(e.Paper), four(e.Default), four(e.Learned),
			gained(e.OverBaseline), gained(e.OverPaper), gained(e.OverDefault))...)
	}
	return t
}

func gained(in stats.Interval) string { return report.Interval(&in, 4) }

// calibrations omits the columns of left-out sets if there is only one set.
func (r *Result) calibrations() *report.Table {
	columns := []string{"formulas", "queries", "intercept", "slope", "score", "Brier", "base rate", "error", "Brier, set out", "error, set out"}
	if len(r.Sets) == 1 {
		columns = columns[:8]
	}
	t := report.NewTable(1, columns...)
	t.Caption = "Probabilities: 1/(1 + exp(-intercept - slope·z - score·s)), where s is the score and z its deviations above the mean of all documents; measured on folds not used in the fit and, with several sets, on sets not used at all. Brier scores (below that of the base rate of relevant documents is better) and errors in ten bins are over the first hundred of each ranking."
	for _, c := range r.Calibrations {
		row := make([]string, len(columns))
		row[0], row[1] = string(c.Kind), fmt.Sprint(c.Queries)
		if c.Skipped != "" {
			t.Notes = append(t.Notes, fmt.Sprintf("None for %s: %s.", c.Kind, c.Skipped))
		} else {
			figures := []float64{c.Logistic.Intercept, c.Logistic.Slope, c.Logistic.Score, c.Brier, c.Unaided, c.Error, c.LeftOut, c.LeftOutError}
			for i, v := range figures[:len(columns)-2] {
				row[2+i] = fmt.Sprintf("%.3f", v)
			}
		}
		t.Add(row...)
	}
	return t
}

func (r *Result) verdict() []string {
	over := r.mean(r.Estimates).OverDefault
	worth := "The evidence does not support changing the defaults"
	switch {
	case r.Worth:
		worth = "The evidence supports changing the default: " + gained(over)
	case !r.chosen():
	case over.Low > 0:
		worth += fmt.Sprintf(": %s on queries of the sets used for learning, and %s on other sets", gained(over), gained(r.mean(r.LeftOut).OverDefault))
	default:
		worth += ": " + gained(over)
	}
	out := []string{worth + "."}
	for _, warning := range over.Warnings {
		out = append(out, "Note: "+warning+".")
	}
	if !r.Worth && r.Config.Force {
		out = append(out, "The learned profile is used as requested.")
	}
	return append(out, "Taken: "+describe(r.Profile)+".")
}
