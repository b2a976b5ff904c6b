package report

import (
	"fmt"
	"io"

	"github.com/nsfl-go/nsfl/eval/lab"
	"github.com/nsfl-go/nsfl/eval/stats"
)

// Step is one of several ways to search that are compared with the first of them.
type Step struct {
	Name    string
	Outcome lab.Outcome
	// Costs stand beside the figures, one for each of the heads.
	Costs []string
}

// Steps writes a table of ways to search: mAP@100 by template, the gain over the
// first of them with its interval, and below it the gain of each template. costs
// are the heads of what else is known of each.
func Steps(w io.Writer, meta Meta, what string, steps []Step, costs []string, seed uint64, f Format) error {
	first := lab.Summarize(steps[0].Outcome).Templates
	t := NewTable(1, "")
	t.Caption = fmt.Sprintf("%s, mAP@100 on %s (%s): %d documents, %d queries, %s.", what, meta.Set, meta.Split, meta.Documents, meta.Queries, meta.Encoder)
	t.Label = "tab:steps"
	t.Notes = append([]string{"Gains are over the first line; their intervals are of 95 %, from resampled queries."}, printedBy(meta.Command)...)
	for _, one := range first {
		t.Head = append(t.Head, symbols(one.Template))
	}
	t.Head = append(append(t.Head, "mean", "gain"), costs...)
	base, _ := values(steps[0].Outcome)
	strata := strataOf(steps[0].Outcome.Queries)
	for i, s := range steps {
		summary := lab.Summarize(s.Outcome)
		row, gains := words(s.Name), words("")
		for j, one := range summary.Templates {
			row = append(row, cell{Text: figure(one.MAP)})
			gains = append(gains, cell{Text: percent(stats.RelativeGain(first[j].MAP, one.MAP))})
		}
		row = append(row, cell{Text: figure(summary.MAP)})
		if i == 0 {
			t.Rows = append(t.Rows, line{Cells: append(append(row, cell{}), words(s.Costs...)...)})
			continue
		}
		ap, _ := values(s.Outcome)
		in, err := stats.Bootstrap{Seed: seed}.RelativeGain(base, ap, strata)
		if err != nil {
			return err
		}
		row = append(row, cell{Text: gained(in)})
		t.Rows = append(t.Rows,
			line{Cells: append(row, words(s.Costs...)...)},
			line{Cells: append(gains, make([]cell, 2+len(costs))...)})
	}
	return t.Write(w, f)
}
