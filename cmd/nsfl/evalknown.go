package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/nsfl-go/nsfl/eval/lab"
	"github.com/nsfl-go/nsfl/eval/peers"
	"github.com/nsfl-go/nsfl/eval/report"
	"github.com/nsfl-go/nsfl/eval/sets"
	"github.com/nsfl-go/nsfl/eval/stats"
)

// evalKnownCommand measures how well people find a page they have in mind.
func evalKnownCommand() *cobra.Command {
	var s setFlags
	cmd := &cobra.Command{
		Use:   "known",
		Short: "Measure how well known pages are found, beside other methods",
		Long: `Known ranks the pages of a known-item set: a folder with corpus.jsonl (_id, title, text)
and queries.SPLIT.jsonl (_id, kind, sentence, formula, targets, about_excluded). Each query
has a sentence and a formula for the same need, the pages a person wants and the pages
about what the query excludes. Printed are success@1, success@5, the mean reciprocal rank
(MRR, down to rank 50) and leaks, the share of the first five results about what is
excluded; then success@5 by kind of query. Intervals are of 95 %, from resampled queries.

The set manual is part of the program: nsfl's own documentation, by section, with 22 queries.`,
		Example: "  nsfl eval known --set manual\n  nsfl eval known --set data/manuals --split dev",
		Args:    args(0, 0, "flags only"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return s.each(cmd, []lab.Passages{lab.Stored}, func(_ string, set *sets.Set, corpus *lab.Corpus) error {
				items, err := peers.Known(cmd.Context(), set, corpus, s.profileFor(corpus))
				if err != nil {
					return err
				}
				t, err := knownTable(items, stats.Bootstrap{Seed: s.seed})
				if err != nil {
					return err
				}
				t.Caption = fmt.Sprintf("%s (%s): %d pages, %d queries, %s", set.Name, set.Split, len(corpus.IDs), len(set.Queries), corpus.Encoder)
				return report.WriteTables(cmd.OutOrStdout(), t, kindsTable(items))
			})
		},
	}
	s.addComparison(cmd.Flags())
	return cmd
}

// knownTable has a row of figures for each method.
func knownTable(items []peers.KnownItem, b stats.Bootstrap) (*report.Table, error) {
	t := report.NewTable(1, "method", "success@1", "success@5", "95 % interval", "MRR", "95 % interval", "leaks")
	for _, k := range items {
		row := []string{k.Name, fmt.Sprintf("%.3f", stats.Mean(k.First))}
		for _, values := range [][]float64{k.Five, k.Inverse} {
			interval, err := b.Mean(values, nil)
			if err != nil {
				return nil, err
			}
			row = append(row, fmt.Sprintf("%.3f", interval.Value), fmt.Sprintf("%.3f–%.3f", interval.Low, interval.High))
		}
		leaks := ""
		if len(k.Leaks) > 0 { // some queries exclude something
			leaks = fmt.Sprintf("%.1f %%", 100*stats.Mean(k.Leaks))
		}
		t.Add(append(row, leaks)...)
	}
	return t, nil
}

// kindsTable has success@5 of each kind of query, in the order in which they first occur.
func kindsTable(items []peers.KnownItem) *report.Table {
	var kinds []string
	counts := map[string]int{}
	for _, kind := range items[0].Kinds {
		if counts[kind]++; counts[kind] == 1 {
			kinds = append(kinds, kind)
		}
	}
	t := report.NewTable(1, "method")
	t.Caption = "success@5 by kind"
	for _, kind := range kinds {
		t.Head = append(t.Head, fmt.Sprintf("%s (%d)", kind, counts[kind]))
	}
	for _, k := range items {
		row := []string{k.Name}
		for _, kind := range kinds {
			found := 0.0
			for i, x := range k.Five {
				if k.Kinds[i] == kind {
					found += x
				}
			}
			row = append(row, fmt.Sprintf("%.3f", found/float64(counts[kind])))
		}
		t.Add(row...)
	}
	return t
}
