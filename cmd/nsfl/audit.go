package main

import (
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/nsfl-go/nsfl/eval/audit"
	"github.com/nsfl-go/nsfl/eval/lab"
	"github.com/nsfl-go/nsfl/eval/report"
	"github.com/nsfl-go/nsfl/eval/sets"
)

func auditCommand() *cobra.Command {
	var e evaluation
	var mode, fusion, passages, output string
	var caps []string
	cmd := &cobra.Command{
		Use:   "audit",
		Short: "Find labels that NOT pushes down although it does not name them",
		Long: `Audit asks whether A AND NOT B pushes down documents for a label other than B. It
compares right answers to the same query, all of them with A and without B, that
started at the same rank: do those with another label L end lower than those without? It
lists the worst combinations, with intervals and corrected tests, and shows what a cap on
the gate of NOT improves and costs.

It needs a set with labelled documents: demo, or the directory of a logic set. It searches
A AND NOT B for all pairs of labels.`,
		Example: `  nsfl audit --set data/coco
  nsfl audit --set data/coco --mode hybrid --caps 0.5 --format markdown -o audit.md
  nsfl audit --set demo`,
		Args: args(0, 0, "flags only; nsfl help audit lists them"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			format, err := report.ParseFormat(e.format, audit.Formats...)
			if err != nil {
				return usageError{err}
			}
			e.methods, e.fusions, e.passages = []string{mode}, []string{fusion}, []string{passages}
			common, err := e.config()
			if err != nil {
				return usageError{err}
			}
			config, err := auditConfig(common, caps, e.seed)
			if err != nil {
				return usageError{err}
			}
			return e.each(cmd, common.Passages, func(name string, set *sets.Set, corpus *lab.Corpus) error {
				var done func()
				config.Progress, done = ranking(cmd, "queries")
				a, err := audit.Run(cmd.Context(), set, corpus, config)
				done()
				if err != nil {
					return err
				}
				a.Command = commandOf(cmd)
				return writeTo(cmd, withName(output, name), func(w io.Writer) error { return a.Write(w, format) })
			})
		},
	}
	f := cmd.Flags()
	e.setFlags.add(f)
	e.addEncoders(f)
	f.StringVar(&e.vectors, "vectors", "", "read precomputed vectors from this directory instead of encoding")
	f.StringVar(&mode, "mode", "exact", "exact, rerank or hybrid")
	f.StringVar(&fusion, "fusion", "simple", "simple, contextual or centroid")
	f.StringVar(&passages, "passages", "whole", "how documents with passages are compared: whole, max, meanmax, wholemax")
	addKnobs(f, e.options.Research.Knobs(), "mode", "fusion", "pool", "solver")
	f.StringSliceVar(&caps, "caps", []string{"none", "0.75", "0.5", "0.25"}, "caps on the gate to compare with none")
	f.StringVar(&e.format, "format", "text", report.FormatNames(audit.Formats...))
	f.StringVarP(&output, "output", "o", "-", "write to this file instead of standard output")
	return cmd
}

// auditConfig returns the configuration of an audit.
func auditConfig(common lab.Config, caps []string, seed uint64) (c audit.Config, err error) {
	if m := common.Methods[0].String(); !slices.Contains([]string{"exact", "rerank", "hybrid"}, m) {
		return c, fmt.Errorf("an audit is of a mode that ranks by the calculus: exact, rerank or hybrid, not %s", m)
	}
	if calculusOf(&common.Options.Research).GateCap != 0 {
		return c, fmt.Errorf("an audit compares several caps; name them with --caps instead of --gate-cap")
	}
	c = audit.Config{
		Method: common.Methods[0], Fusion: common.Fusions[0], Passages: common.Passages[0], Options: common.Options, Seed: seed,
	}
	for _, word := range caps {
		if word == "none" {
			continue
		}
		v, err := strconv.ParseFloat(word, 64)
		if err != nil || !(v > 0 && v <= 1) {
			return c, fmt.Errorf("unknown cap %q: it is none, or a number above 0 and at most 1", word)
		}
		c.Caps = append(c.Caps, v)
	}
	return c, nil
}
