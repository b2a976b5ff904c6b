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
}

// Gains writes a table of ways to search: mAP@100 by template, the gain over the
// first of them with its interval, and below it the gain of each template.
func Gains(w io.Writer, meta Meta, steps []Step, seed uint64, f Format) error {
	templates := lab.Summarize(steps[0].Outcome).Templates
	t := &table{
		caption: fmt.Sprintf("Gains and ablation, mAP@100 on %s (%s): %d documents, %d queries, %s.", meta.Set, meta.Split, meta.Documents, meta.Queries, meta.Encoder),
		label:   "tab:steps", head: []string{""}, left: 1,
		notes: []string{"Gains are over the first line; their intervals are of 95 %, from resampled queries."},
	}
	for _, one := range templates {
		t.head = append(t.head, symbols(one.Template))
	}
	t.head = append(t.head, "mean", "gain")
	base, _ := values(steps[0].Outcome)
	var strata []string
	for _, q := range steps[0].Outcome.Queries {
		strata = append(strata, q.Query.Template)
	}
	first := lab.Summarize(steps[0].Outcome)
	for i, s := range steps {
		summary := lab.Summarize(s.Outcome)
		row, gains := words(s.Name), words("")
		for j, one := range summary.Templates {
			row = append(row, cell{text: figure(one.MAP)})
			gains = append(gains, cell{text: percent(stats.RelativeGain(first.Templates[j].MAP, one.MAP))})
		}
		row = append(row, cell{text: figure(summary.MAP)})
		if i == 0 {
			t.rows = append(t.rows, line{cells: append(row, cell{})})
			continue
		}
		ap, _ := values(s.Outcome)
		in, err := stats.Bootstrap{Seed: seed}.RelativeGain(base, ap, strata)
		if err != nil {
			return err
		}
		row = append(row, cell{text: (&Row{Gain: in}).gain()})
		t.rows = append(t.rows,
			line{cells: row},
			line{cells: append(gains, make([]cell, 2)...)})
	}
	if meta.Command != "" {
		t.notes = append(t.notes, "Printed by: "+meta.Command)
	}
	return t.write(w, f)
}
