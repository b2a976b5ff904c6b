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

// evalSentencesCommand measures what reading plain language gains.
func evalSentencesCommand() *cobra.Command {
	var s setFlags
	var form string
	var p *profile.Profile
	cmd := &cobra.Command{
		Use:   "sentences",
		Short: "Compare sentences as they are, as rules read them, and the formulas they mean",
		Long: `Sentences says the queries of a set in plain language, in several ways that take turns
("A without B", "Please show me A. No B."), and searches by

  sentence  the sentence as one atom
  read      the formula that rules read in it, as --nl rules does
  formula   the formula that is meant

all as nsfl search does where nobody says otherwise. Queries that bring a sentence of their
own, as QUEST's do, are said by it.`,
		Example: "  nsfl eval sentences --set demo",
		Args:    args(0, 0, "flags only"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			format, err := report.ParseFormat(form)
			if err != nil {
				return usageError{err}
			}
			out := cmd.OutOrStdout()
			var reports []*report.Report
			err = s.each(cmd, []lab.Passages{lab.Stored}, func(_ string, set *sets.Set, corpus *lab.Corpus) error {
				outcomes, err := peers.Sentences(cmd.Context(), set, corpus, cmp.Or(p, profile.For(corpus.EncoderName())))
				if err != nil {
					return err
				}
				r, err := report.New(meta(cmd, set, corpus), outcomes, report.Options{Seed: s.seed})
				if err != nil {
					return err
				}
				reports = append(reports, r)
				if err := r.Overview(out, format); err != nil {
					return err
				}
				fmt.Fprintln(out)
				if err := r.Leaks(out, format); err != nil {
					return err
				}
				fmt.Fprintln(out)
				return nil
			})
			if err != nil || len(reports) < 2 {
				return err
			}
			return report.Means(out, reports, format)
		},
	}
	f := cmd.Flags()
	s.add(f)
	s.addEncoders(f)
	addProfile(f, &p, "profile", profileHelp+"; what the encoder ships with by default")
	f.StringVar(&form, "format", "text", "text or markdown")
	return cmd
}
