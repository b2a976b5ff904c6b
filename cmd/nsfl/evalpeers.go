package main

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/nsfl-go/nsfl/eval/lab"
	"github.com/nsfl-go/nsfl/eval/peers"
	"github.com/nsfl-go/nsfl/eval/report"
	"github.com/nsfl-go/nsfl/eval/sets"
	"github.com/nsfl-go/nsfl/profile"
)

// evalPeersCommand compares the calculus with dense retrieval, Boolean keyword search and
// others on the same sets.
func evalPeersCommand() *cobra.Command {
	return compareCommand(&cobra.Command{
		Use:   "peers",
		Short: "Compare with other methods: BM25, hybrids, Boolean keyword search",
		Long: `Peers ranks the documents of one or more sets by

  dense           the query as one string, one vector per document
  dense-passages  the same, documents compared by their passages too
  bm25            the words of all atoms, by BM25
  rrf, linear     dense-passages and bm25, joined by ranks and by scores
  boolean         a fuzzy formula over words: products of BM25's shares, 1 - share for NOT
  boolean-ties    the same, the dense string breaks ties
  geometric       the sum of the wanted vectors minus the excluded ones
  paper           the paper's calculus over all documents
  default         what nsfl search does by default

All but dense compare documents by passages, with the same vectors. For each set there are
mAP@100 by template with gains and intervals over dense-passages, recall@20, and how often
the first ten results mention the excluded term; for several sets also the means.`,
		Example: `  nsfl eval peers --set demo
  nsfl eval peers --set demo --set coco --set films`,
	}, []lab.Passages{lab.Whole, lab.Stored}, peers.Run)
}

// evalSentencesCommand measures what reading plain language gains.
func evalSentencesCommand() *cobra.Command {
	return compareCommand(&cobra.Command{
		Use:   "sentences",
		Short: "Compare sentences with the formulas that rules read in them",
		Long: `Sentences words the queries of a set in plain language, in several ways that take turns
("A without B", "Please show me A. No B."), and searches by

  sentence  the sentence as one atom
  read      the formula that rules read in it, as --nl rules does
  formula   the formula that is meant

with the default search. Queries that have a sentence of their own, as in QUEST, use it.`,
		Example: "  nsfl eval sentences --set demo",
	}, []lab.Passages{lab.Stored}, peers.Sentences)
}

// compareCommand completes a command that compares methods on sets. The documents are
// compared in the given ways.
func compareCommand(cmd *cobra.Command, ways []lab.Passages, rank func(context.Context, *sets.Set, *lab.Corpus, *profile.Profile) ([]lab.Outcome, error)) *cobra.Command {
	var s setFlags
	var json string
	cmd.Args = args(0, 0, "flags only")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		out := cmd.OutOrStdout()
		var reports []*report.Report
		err := s.each(cmd, ways, func(name string, set *sets.Set, corpus *lab.Corpus) error {
			outcomes, err := rank(cmd.Context(), set, corpus, s.profileFor(corpus))
			if err != nil {
				return err
			}
			r, err := report.New(meta(cmd, set, corpus), outcomes, report.Options{Seed: s.seed})
			if err != nil {
				return err
			}
			reports = append(reports, r)
			if json != "" {
				return writeTo(cmd, withName(json, name), r.JSON)
			}
			for _, write := range []func(io.Writer) error{r.Overview, r.Recall, r.Leaks} {
				if err := write(out); err != nil {
					return err
				}
				fmt.Fprintln(out)
			}
			return nil
		})
		if err != nil || len(reports) < 2 || json == "-" {
			return err
		}
		return report.Means(out, reports)
	}
	s.addComparison(cmd.Flags())
	cmd.Flags().StringVar(&json, "json", "", "write the figures to this `FILE`, or - for standard output, instead of tables")
	return cmd
}
