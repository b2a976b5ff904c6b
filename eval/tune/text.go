package tune

import (
	"fmt"
	"io"

	"github.com/nsfl-go/nsfl/eval/report"
	"github.com/nsfl-go/nsfl/eval/stats"
)

// Text writes the result as tables.
func (r *Result) Text(w io.Writer) error {
	if r.Config.Calibrate { // nothing was chosen
		return report.WriteTables(w, r.calibration())
	}
	tables := []*report.Table{
		r.changes(),
		r.estimates(fmt.Sprintf("What it is worth: chosen on %d of %d folds, measured on the remaining fold, in turn.", r.Config.Folds-1, r.Config.Folds), r.Estimates),
	}
	tables[1].Notes = []string{fmt.Sprintf("On the queries that it was chosen by it has %.4f.", r.Seen)}
	if r.LeftOut != nil {
		t := r.estimates("Stricter: chosen on the other sets, measured on one that nothing was learned from.", r.LeftOut)
		for _, e := range r.LeftOut[:len(r.Data)] {
			t.Notes = append(t.Notes, fmt.Sprintf("Without %s: %s.", e.Name, e.Choice))
		}
		tables = append(tables, t)
	}
	last := r.calibration()
	last.Notes = append(last.Notes, r.verdict()...)
	return report.WriteTables(w, append(tables, last)...)
}

// changes returns the table of changes that were tried.
func (r *Result) changes() *report.Table {
	t := report.NewTable(1, "", "gain", "chosen by")
	for _, d := range r.Data {
		of := ""
		if d.Of > len(d.Set.Queries) {
			of = fmt.Sprintf(" of %d", d.Of)
		}
		t.Caption += fmt.Sprintf("%s, %s: %d%s queries, %d documents compared by %s. ", d.Set.Name, d.Set.Split, len(d.Set.Queries), of, len(d.Corpus.IDs), r.Config.Passages)
	}
	t.Caption += fmt.Sprintf("The gain of single changes over the default, %s: %s.", r.Config.Default.Name, choiceOf(r.Config.Default))
	for _, c := range r.Changes {
		chosen := ""
		if c.Folds > 0 {
			chosen = fmt.Sprintf("%d of %d folds", c.Folds, r.Config.Folds)
		}
		t.Add(c.To, report.Signed(c.Gain, 4)+fmt.Sprintf(" ± %.4f", c.StdErr), chosen)
	}
	learned := fmt.Sprintf("Learned from all queries: %s.", r.learned)
	if !r.chosen() {
		learned = "Nothing was chosen: no change gains more than its standard error."
	}
	t.Notes = []string{"Figures are mAP@100 with the denominator min(R, 100), the mean over templates; every set counts the same. All documents are ranked. ± is one standard error, brackets are 95 % intervals over queries.", learned}
	return t
}

// estimates returns a table of estimates.
func (r *Result) estimates(caption string, estimates []Estimate) *report.Table {
	t := report.NewTable(1, "", "queries", "one vector", "paper", "default", "learned", "gain over the default")
	t.Caption = caption
	for _, e := range estimates {
		four := func(v float64) string { return fmt.Sprintf("%.4f", v) }
		t.Add(e.Name, fmt.Sprint(e.Queries), four(e.Baseline), four(e.Paper), four(e.Default), four(e.Learned), gained(e.OverDefault))
	}
	return t
}

func gained(in stats.Interval) string { return report.Interval(&in, 4) }

// calibration returns the table of calibration errors, without sets left out if there is only one.
func (r *Result) calibration() *report.Table {
	columns := []string{"", "queries", "relevant", "probability", "error", "error, set left out"}
	if len(r.Data) == 1 {
		columns = columns[:5]
	}
	t := report.NewTable(1, columns...)
	t.Caption = "Probabilities: measured on queries not used in the fit. The error is the mean difference between probability and share of relevant documents in ten bins, over the first ten results of each query."
	for _, e := range r.Calibration.Errors {
		row := []string{e.Set, fmt.Sprint(e.Queries)}
		for _, v := range []float64{e.Relevant, e.Probability, e.HeldOut, e.LeftOut} {
			row = append(row, fmt.Sprintf("%.3f", v))
		}
		t.Add(row[:len(columns)]...)
	}
	l := r.Calibration.Logistic
	t.Notes = []string{fmt.Sprintf("P = 1/(1 + exp(-intercept - score·s - length·log2(passages))): intercept %.4f, score %.4f, length %.4f; s is the score with words at their full weight, passages the mean number of vectors per document.", l.Intercept, l.Score, l.Length)}
	if r.Calibration.Skipped != "" {
		t.Notes = []string{fmt.Sprintf("No probabilities: %s.", r.Calibration.Skipped)}
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
		out = append(out, "The learned profile is used because of --force.")
	}
	return append(out, "Taken: "+choiceOf(r.Profile).String()+".")
}
