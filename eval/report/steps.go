package report

import (
	"fmt"
	"io"
	"slices"

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
	first := seriesOf(steps[0].Outcome.Queries)
	t := NewTable(1, "")
	t.Caption = fmt.Sprintf("%s, mAP@100 on %s (%s): %d documents, %d queries, %s.", what, meta.Set, meta.Split, meta.Documents, meta.Queries, meta.Encoder)
	t.Label = "tab:steps"
	t.Notes = append([]string{"Gains are over the first line; their intervals are of 95 %, from resampled queries."}, printedBy(meta.Command)...)
	for _, one := range first.cells {
		t.Head = append(t.Head, symbols(one.Template))
	}
	t.Head = append(append(t.Head, "mean", "gain"), costs...)
	for i, s := range steps {
		own := seriesOf(s.Outcome.Queries)
		row, gains := words(s.Name), words("")
		for j, one := range own.cells {
			row = append(row, cell{Text: figure(one.MAP)})
			gains = append(gains, cell{Text: percent(stats.RelativeGain(first.cells[j].MAP, one.MAP))})
		}
		if i == 0 {
			t.Rows = append(t.Rows, line{Cells: slices.Concat(row, words(figure(own.mean()), ""), words(s.Costs...))})
			continue
		}
		gain, err := stats.Bootstrap{Seed: seed}.RelativeGain(first.values, own.values, first.strata)
		if err != nil {
			return err
		}
		t.Rows = append(t.Rows,
			line{Cells: slices.Concat(row, words(figure(own.mean()), gained(gain)), words(s.Costs...))},
			line{Cells: append(gains, make([]cell, 2+len(costs))...)})
	}
	return t.Write(w, f)
}
