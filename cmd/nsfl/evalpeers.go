package main

import (
	"cmp"
	"fmt"

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
	var s setFlags
	var form, json string
	var p *profile.Profile
	cmd := &cobra.Command{
		Use:   "peers",
		Short: "Compare with what others do: BM25, hybrids, Boolean search of words",
		Long: `Peers ranks the documents of one or more sets by

  dense           the query as one string, one vector a document
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
  nsfl eval peers --set demo --set coco --set films --format markdown`,
		Args: args(0, 0, "flags only"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			format, err := report.ParseFormat(form)
			if err != nil {
				return usageError{err}
			}
			out := cmd.OutOrStdout()
			var reports []*report.Report
			err = s.each(cmd, []lab.Passages{lab.Whole, lab.Stored}, func(name string, set *sets.Set, corpus *lab.Corpus) error {
				outcomes, err := peers.Run(cmd.Context(), set, corpus, cmp.Or(p, profile.For(corpus.EncoderName())))
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
				for _, write := range []func() error{
					func() error { return r.Overview(out, format) },
					func() error { return r.Recall(out, format) },
					func() error { return r.Leaks(out, format) },
				} {
					if err := write(); err != nil {
						return err
					}
					fmt.Fprintln(out)
				}
				return nil
			})
			if err != nil || len(reports) < 2 || json == "-" {
				return err
			}
			return report.Means(out, reports, format)
		},
	}
	f := cmd.Flags()
	s.add(f)
	s.addEncoders(f)
	addProfile(f, &p, "profile", profileHelp+"; what the encoder ships with by default")
	f.StringVar(&json, "json", "", "write the figures to this file, - for standard output, instead of tables")
	f.StringVar(&form, "format", "text", "text or markdown")
	return cmd
}
