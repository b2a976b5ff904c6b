package report

import (
	"fmt"
	"io"

	"github.com/nsfl-go/nsfl/eval/lab"
	"github.com/nsfl-go/nsfl/eval/stats"
)

// Gains writes a table of search configurations: mAP@100 by template, the gain over the
// first with its interval, and below it the gain for each template.
func Gains(w io.Writer, meta Meta, steps []lab.Outcome, seed uint64) error {
	first := lab.Summarize(steps[0])
	base, _ := values(steps[0])
	var strata []string
	for i := range steps[0].Queries {
		strata = append(strata, steps[0].Queries[i].Query.Template)
	}
	t := NewTable(1, "")
	t.Caption = fmt.Sprintf("Gains and ablation, mAP@100 on %s (%s): %d documents, %d queries, %s.", meta.Set, meta.Split, meta.Documents, meta.Queries, meta.Encoder)
	t.Notes = append([]string{"Gains are over the first line, with 95 % intervals from resampled queries."}, printedBy(meta.Command)...)
	for _, one := range first.Templates {
		t.Head = append(t.Head, symbols(one.Template))
	}
	t.Head = append(t.Head, "mean", "gain")
	for i, s := range steps {
		own := lab.Summarize(s)
		row, gains := words(s.Called()), words("")
		for j, one := range own.Templates {
			row = append(row, cell{Text: figure(one.MAP)})
			gains = append(gains, cell{Text: percent(stats.RelativeGain(first.Templates[j].MAP, one.MAP))})
		}
		if i == 0 {
			t.Rows = append(t.Rows, line{Cells: append(row, words(figure(own.MAP), "")...)})
			continue
		}
		ap, _ := values(s)
		gain, err := stats.Bootstrap{Seed: seed}.RelativeGain(base, ap, strata)
		if err != nil {
			return err
		}
		t.Rows = append(t.Rows,
			line{Cells: append(row, words(figure(own.MAP), gained(gain))...)},
			line{Cells: append(gains, make([]cell, 2)...)})
	}
	return t.Write(w)
}
