package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/nsfl-go/nsfl/eval/lab"
	"github.com/nsfl-go/nsfl/eval/report"
	"github.com/nsfl-go/nsfl/eval/sets"
	"github.com/nsfl-go/nsfl/fusion"
	"github.com/nsfl-go/nsfl/profile"
	"github.com/nsfl-go/nsfl/retrieve"
)

// gains is one run of nsfl eval gains.
type gains struct{ evaluation }

func evalGainsCommand() *cobra.Command {
	var g gains
	cmd := &cobra.Command{
		Use:   "gains",
		Short: "What a profile gains over plain retrieval, and what each part of it brings",
		Long: `Gains compares plain retrieval (one vector a document, the query as one string) with
the calculus as the paper has it, with documents compared by passages too, and with a
profile; then it leaves out one part of the profile after the other.`,
		Example: "  nsfl eval gains --set demo\n  nsfl eval gains --set data/films --profile mine.json",
		Args:    args(0, 0, "flags only"),
		RunE:    func(cmd *cobra.Command, _ []string) error { return g.run(cmd) },
	}
	f := cmd.Flags()
	f.StringVar(&g.set, "set", "", "demo, or the folder of a set")
	f.StringVar(&g.split, "split", "dev", "which of its queries")
	f.StringArrayVar(&g.encoders, "encoder", []string{""}, encoderHelp+"; several are measured one after the other")
	f.StringVar(&g.profile, "profile", "builtin", profileHelp)
	f.StringVar(&g.format, "format", "text", "text, markdown, latex or csv")
	f.Uint64Var(&g.seed, "seed", 1, "of the resampling")
	f.BoolVar(&g.quiet, "quiet", false, "show no progress")
	return cmd
}

// run prints a table for each encoder.
func (g *gains) run(cmd *cobra.Command) error {
	p, err := readProfile(g.profile)
	if err != nil {
		return usageError{err}
	}
	format, err := report.ParseFormat(g.format)
	if err != nil {
		return usageError{err}
	}
	set, closeSet, err := openSet(cmd, g.set, g.split)
	if err != nil {
		return err
	}
	defer closeSet()
	for i, word := range g.encoders {
		if i > 0 {
			fmt.Fprintln(cmd.OutOrStdout())
		}
		corpus, closeCorpus, err := g.corpus(cmd, set, word, []lab.Passages{lab.Whole, lab.WholeMax})
		if err != nil {
			return err
		}
		steps, err := g.steps(cmd, set, corpus, p)
		closeCorpus()
		if err != nil {
			return err
		}
		meta := report.Meta{
			Set: set.Name, Split: set.Split, Encoder: corpus.Encoder, Documents: len(corpus.IDs), Queries: len(set.Queries),
			Command: "nsfl " + strings.Join(commandWords(cmd), " "),
		}
		if err := report.Gains(cmd.OutOrStdout(), meta, steps, g.seed, format); err != nil {
			return err
		}
	}
	return nil
}

// steps are plain retrieval, the paper, passages, the profile, and the profile
// without each of its parts.
func (g *gains) steps(cmd *cobra.Command, set *sets.Set, corpus *lab.Corpus, p *profile.Profile) (steps []report.Step, err error) {
	add := func(name string, how lab.Passages, mode retrieve.Mode, p *profile.Profile) {
		if err != nil {
			return
		}
		var outcomes []lab.Outcome
		outcomes, err = lab.Run(cmd.Context(), set, corpus, lab.Config{
			Methods: []retrieve.Mode{mode}, Fusions: []fusion.Style{fusion.Simple}, Passages: []lab.Passages{how}, Options: retrieve.Options{Profile: p},
		})
		if err == nil {
			steps = append(steps, report.Step{Name: name, Outcome: outcomes[0]})
		}
	}
	without := func(part string, change func(*profile.Profile)) {
		other := *p
		change(&other)
		add("  without "+part, lab.WholeMax, retrieve.Exact, &other)
	}
	add("plain retrieval", lab.Whole, retrieve.Baseline, nil)
	add("plain, with passages", lab.WholeMax, retrieve.Baseline, nil)
	add("the paper's calculus", lab.Whole, retrieve.Exact, profile.Paper())
	add("the same, with passages", lab.WholeMax, retrieve.Exact, profile.Paper())
	add("profile "+p.Name, lab.WholeMax, retrieve.Exact, p)
	add("  without passages", lab.Whole, retrieve.Exact, p)
	if p.Hubness > 0 {
		without("hubness", func(o *profile.Profile) { o.Hubness = 0 })
	}
	if p.Feedback.Documents > 0 {
		without("feedback", func(o *profile.Profile) { o.Feedback = profile.Feedback{} })
	}
	if len(p.Operators) > 0 {
		without("operators", func(o *profile.Profile) { o.Operators = nil })
	}
	add("profile, hybrid", lab.WholeMax, retrieve.Hybrid, p)
	return steps, err
}
