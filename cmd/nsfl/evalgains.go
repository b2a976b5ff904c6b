package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/nsfl-go/nsfl/eval/lab"
	"github.com/nsfl-go/nsfl/eval/report"
	"github.com/nsfl-go/nsfl/fusion"
	"github.com/nsfl-go/nsfl/profile"
	"github.com/nsfl-go/nsfl/retrieve"
)

// stepsEvaluation is a run of eval that compares ways to search which are more
// than a method.
type stepsEvaluation struct {
	evaluation
}

// add adds the flags that make sense here.
func (s *stepsEvaluation) add(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&s.set, "set", "", "demo, or the folder of a set")
	f.StringVar(&s.split, "split", "dev", "which of its queries")
	f.StringArrayVar(&s.encoders, "encoder", []string{""}, "builtin, a model's name, onnx:DIR, ollama:MODEL, openai:MODEL …; several are measured one after the other")
	f.StringVar(&s.profile, "profile", "builtin", profileHelp)
	f.StringVar(&s.format, "format", "text", "text, markdown, latex or csv")
	f.Uint64Var(&s.seed, "seed", 1, "of the resampling")
	f.BoolVar(&s.quiet, "quiet", false, "show no progress")
}

// each runs f with the corpus of each encoder.
func (s *stepsEvaluation) each(cmd *cobra.Command, ways []lab.Passages, f func(meta report.Meta, format report.Format, run *stepsRun) error) error {
	format, err := report.ParseFormat(s.format)
	if err != nil {
		return usageError{err}
	}
	set, _, closeSet, err := openSet(s.set, s.split)
	if err != nil {
		return err
	}
	defer closeSet()
	for i, word := range s.encoders {
		if i > 0 {
			fmt.Fprintln(cmd.OutOrStdout())
		}
		corpus, closeCorpus, err := s.corpus(cmd, set, word, lab.Config{Passages: ways})
		if err != nil {
			return err
		}
		meta := report.Meta{
			Set: set.Name, Split: set.Split, Encoder: corpus.Encoder, Documents: len(corpus.IDs), Queries: len(set.Queries),
			Command: "nsfl " + strings.Join(commandWords(cmd), " "),
		}
		run := func(how lab.Passages, o retrieve.Options) (*lab.Outcome, error) {
			c := lab.Config{Methods: []retrieve.Mode{o.Mode}, Fusions: []fusion.Style{fusion.Simple}, Passages: []lab.Passages{how}, Options: o}
			outcomes, err := lab.Run(cmd.Context(), set, corpus, c)
			if err != nil {
				return nil, err
			}
			return &outcomes[0], nil
		}
		ceiling := func() (*lab.Outcome, error) { return lab.Ceiling(cmd.Context(), set, corpus) }
		err = f(meta, format, &stepsRun{run, ceiling})
		closeCorpus()
		if err != nil {
			return err
		}
	}
	return nil
}

// stepsRun measures one way to search.
type stepsRun struct {
	measure func(how lab.Passages, o retrieve.Options) (*lab.Outcome, error)
	ceiling func() (*lab.Outcome, error)
}

func evalGainsCommand() *cobra.Command {
	var s stepsEvaluation
	var ceiling bool
	cmd := &cobra.Command{
		Use:   "gains",
		Short: "What a profile gains over plain retrieval, and what each part of it brings",
		Long: `Gains compares plain retrieval (one vector a document, the query as one string) with
the calculus as the paper has it, with documents compared by passages too, and with a
profile; then it leaves out one part of the profile after the other.`,
		Example: "  nsfl eval gains --set demo\n  nsfl eval gains --set data/films --profile mine.json",
		Args:    args(0, 0, "flags only"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			p, err := readProfile(s.profile)
			if err != nil {
				return usageError{err}
			}
			return s.each(cmd, []lab.Passages{lab.Whole, lab.WholeMax}, func(meta report.Meta, format report.Format, run *stepsRun) error {
				var steps []report.Step
				for _, w := range gainSteps(p) {
					o, err := run.measure(w.how, retrieve.Options{Mode: w.mode, Profile: w.profile})
					if err != nil {
						return err
					}
					steps = append(steps, report.Step{Name: w.name, Outcome: *o})
				}
				if ceiling {
					o, err := run.ceiling()
					if err != nil {
						return err
					}
					steps = append(steps, report.Step{Name: "labels known, linear", Outcome: *o})
				}
				return report.Steps(cmd.OutOrStdout(), meta, "Gains and ablation", steps, nil, s.seed, format)
			})
		},
	}
	s.add(cmd)
	cmd.Flags().BoolVar(&ceiling, "ceiling", false, "also what a linear reader of the same vectors gets that is told the labels of four fifths of the documents")
	return cmd
}

type gainStep struct {
	name    string
	how     lab.Passages
	mode    retrieve.Mode
	profile *profile.Profile
}

// gainSteps are plain retrieval, the paper, passages, the profile, and the profile
// without each of its parts.
func gainSteps(p *profile.Profile) []gainStep {
	without := func(change func(*profile.Profile)) *profile.Profile {
		other := *p
		change(&other)
		return &other
	}
	steps := []gainStep{
		{"plain retrieval", lab.Whole, retrieve.Baseline, nil},
		{"plain, with passages", lab.WholeMax, retrieve.Baseline, nil},
		{"the paper's calculus", lab.Whole, retrieve.Exact, profile.Paper()},
		{"the same, with passages", lab.WholeMax, retrieve.Exact, profile.Paper()},
		{"profile " + p.Name, lab.WholeMax, retrieve.Exact, p},
		{"  without passages", lab.Whole, retrieve.Exact, p},
	}
	if p.Hubness > 0 {
		steps = append(steps, gainStep{"  without hubness", lab.WholeMax, retrieve.Exact, without(func(o *profile.Profile) { o.Hubness = 0 })})
	}
	if p.Feedback.Documents > 0 {
		steps = append(steps, gainStep{"  without feedback", lab.WholeMax, retrieve.Exact, without(func(o *profile.Profile) { o.Feedback = profile.Feedback{} })})
	}
	if len(p.Operators) > 0 {
		steps = append(steps, gainStep{"  without operators", lab.WholeMax, retrieve.Exact, without(func(o *profile.Profile) { o.Operators = nil })})
	}
	return append(steps, gainStep{"profile, hybrid", lab.WholeMax, retrieve.Hybrid, p})
}
