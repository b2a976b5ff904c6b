package main

import (
	"cmp"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/nsfl-go/nsfl/eval/lab"
	"github.com/nsfl-go/nsfl/eval/peers"
	"github.com/nsfl-go/nsfl/eval/sets"
	"github.com/nsfl-go/nsfl/eval/stats"
	"github.com/nsfl-go/nsfl/profile"
)

// evalKnownCommand measures how well people find a page they have in mind.
func evalKnownCommand() *cobra.Command {
	var s setFlags
	var p *profile.Profile
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
				items, err := peers.Known(cmd.Context(), set, corpus, cmp.Or(p, profile.For(corpus.EncoderName())))
				if err != nil {
					return err
				}
				out := cmd.OutOrStdout()
				fmt.Fprintf(out, "%s (%s): %d pages, %d queries, %s\n\n", set.Name, set.Split, len(corpus.IDs), len(set.Queries), corpus.Encoder)
				if err := writeKnown(out, items, stats.Bootstrap{Seed: s.seed}); err != nil {
					return err
				}
				fmt.Fprintln(out, "\nsuccess@5 by kind")
				return writeKinds(out, items)
			})
		},
	}
	f := cmd.Flags()
	s.add(f)
	s.addEncoders(f)
	addProfile(f, &p, "profile", profileHelp+"; default: the encoder's own")
	return cmd
}

// writeKnown writes a line of figures for each method.
func writeKnown(out io.Writer, items []peers.KnownItem, b stats.Bootstrap) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "method\tsuccess@1\tsuccess@5\t\tMRR\t\tleaks")
	for _, k := range items {
		fmt.Fprintf(w, "%s\t%.3f", k.Name, average(k.First))
		for _, values := range [][]float64{k.Five, k.Inverse} {
			interval, err := b.Mean(values, nil)
			if err != nil {
				return err
			}
			fmt.Fprintf(w, "\t%.3f\t%.3f–%.3f", interval.Value, interval.Low, interval.High)
		}
		fmt.Fprintf(w, "\t%.1f %%\n", 100*average(k.Leaks))
	}
	return w.Flush()
}

// writeKinds writes success@5 of each kind of query.
func writeKinds(out io.Writer, items []peers.KnownItem) error {
	var kinds []string
	counts := map[string]int{}
	for _, kind := range items[0].Kinds {
		if counts[kind]++; counts[kind] == 1 {
			kinds = append(kinds, kind)
		}
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprint(w, "method")
	for _, kind := range kinds {
		fmt.Fprintf(w, "\t%s (%d)", kind, counts[kind])
	}
	fmt.Fprintln(w)
	for _, k := range items {
		fmt.Fprint(w, k.Name)
		for _, kind := range kinds {
			var values []float64
			for i, x := range k.Five {
				if k.Kinds[i] == kind {
					values = append(values, x)
				}
			}
			fmt.Fprintf(w, "\t%.3f", average(values))
		}
		fmt.Fprintln(w)
	}
	return w.Flush()
}

// average is the mean of values, 0 of none.
func average(values []float64) float64 {
	sum := 0.0
	for _, x := range values {
		sum += x
	}
	return sum / float64(max(1, len(values)))
}
