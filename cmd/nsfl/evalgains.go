package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/nsfl-go/nsfl/eval/lab"
	"github.com/nsfl-go/nsfl/eval/report"
	"github.com/nsfl-go/nsfl/eval/sets"
	"github.com/nsfl-go/nsfl/fusion"
	"github.com/nsfl-go/nsfl/profile"
	"github.com/nsfl-go/nsfl/retrieve"
)

func evalGainsCommand() *cobra.Command {
	var g setFlags
	cmd := &cobra.Command{
		Use:   "gains",
		Short: "Measure the gain of a profile over plain retrieval, and of each of its parts",
		Long: `Gains compares plain retrieval (one vector per document, the query as one string) with the
paper's calculus, with the same and documents compared by passages, and with a profile; then
it leaves out each part of the profile in turn.`,
		Example: "  nsfl eval gains --set demo\n  nsfl eval gains --set data/films --profile mine.json",
		Args:    args(0, 0, "flags only"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			separator := ""
			return g.each(cmd, []lab.Passages{lab.Whole, lab.Stored}, func(_ string, set *sets.Set, corpus *lab.Corpus) error {
				fmt.Fprint(cmd.OutOrStdout(), separator)
				separator = "\n"
				steps, err := gains(cmd, set, corpus, g.profileFor(corpus))
				if err != nil {
					return err
				}
				return report.Gains(cmd.OutOrStdout(), meta(cmd, set, corpus), steps, g.seed)
			})
		},
	}
	g.addComparison(cmd.Flags())
	return cmd
}

// gains measures plain retrieval, the paper, passages, the profile, and the profile without
// each of its parts.
func gains(cmd *cobra.Command, set *sets.Set, corpus *lab.Corpus, p *profile.Profile) (steps []lab.Outcome, err error) {
	add := func(name string, how lab.Passages, mode retrieve.Mode, p *profile.Profile) {
		if err != nil {
			return
		}
		var outcomes []lab.Outcome
		outcomes, err = lab.Run(cmd.Context(), set, corpus, lab.Config{
			Methods: []retrieve.Mode{mode}, Fusions: []fusion.Style{fusion.Simple}, Passages: []lab.Passages{how}, Options: retrieve.Options{Profile: p},
		})
		if err == nil {
			outcomes[0].Name = name
			steps = append(steps, outcomes[0])
		}
	}
	without := func(part string, change func(*profile.Profile)) {
		other := *p
		change(&other)
		add("  without "+part, lab.Stored, retrieve.Exact, &other)
	}
	add("plain retrieval", lab.Whole, retrieve.Baseline, nil)
	add("plain, with passages", lab.Stored, retrieve.Baseline, nil)
	add("the paper's calculus", lab.Whole, retrieve.Exact, profile.Paper())
	add("the same, with passages", lab.Stored, retrieve.Exact, profile.Paper())
	add("profile "+p.Name, lab.Stored, retrieve.Exact, p)
	add("  without passages", lab.Whole, retrieve.Exact, p)
	if p.Words > 0 {
		without("words", func(o *profile.Profile) { o.Words = 0 })
	}
	if p.Hubness > 0 {
		without("hubness", func(o *profile.Profile) { o.Hubness = 0 })
	}
	if p.Feedback.Documents > 0 {
		without("feedback", func(o *profile.Profile) { o.Feedback = profile.Feedback{} })
	}
	if len(p.Operators) > 0 {
		without("operators", func(o *profile.Profile) { o.Operators = nil })
	}
	add("profile, hybrid", lab.Stored, retrieve.Hybrid, p)
	return steps, err
}
