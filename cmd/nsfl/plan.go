package main

import (
	"cmp"
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/nsfl-go/nsfl/fusion"
	"github.com/nsfl-go/nsfl/query"
	"github.com/nsfl-go/nsfl/retrieve"
)

func planCommand() *cobra.Command {
	var style string
	var options retrieve.Options
	cmd := &cobra.Command{
		Use:   "plan FORMULA",
		Short: "Show how a query is understood and which strings it needs encoded",
		Example: `  nsfl plan 'dog AND NOT leash'
  nsfl plan --fusion contextual '(beach OR lake) AND sunset AND NOT people year:>=2015'
  nsfl plan 'photos of dogs without leashes'`,
		Args: formulaArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			text, err := formulaOf(cmd, args)
			if err != nil {
				return err
			}
			p, err := newPlanned(cmd.Context(), text, options, style)
			if err != nil {
				return err
			}
			return answer(cmd, p, p.print)
		},
	}
	f := cmd.Flags()
	f.StringVar(&style, "fusion", "simple", "how strings are fused: simple, contextual or centroid")
	addPlain(f, &options)
	addJSON(f)
	return cmd
}

// planned describes a query before encoding.
type planned struct {
	Query      string   `json:"query"`
	Understood []string `json:"understood,omitempty"` // of plain language
	fusion.Meaning
	Fusion string `json:"fusion"`

	formula *query.Formula
	plan    *fusion.Plan
}

// newPlanned reads a query and plans its fusion.
func newPlanned(ctx context.Context, text string, o retrieve.Options, style string) (*planned, error) {
	s, err := fusion.ParseStyle(style)
	if err != nil {
		return nil, usageError{err}
	}
	q, err := retrieve.Read(ctx, text, o)
	if err != nil {
		return nil, err
	}
	plan := fusion.New(q.Formula, s)
	p := &planned{Query: text, Meaning: plan.Meaning(q.Formula), Fusion: s.String(), formula: q.Formula, plan: plan}
	if q.Understood != nil {
		p.Understood = q.Understood[1:] // the formula has a place of its own
	}
	if q.Formula.Root != nil {
		p.Monolithic = p.termString(q.Formula.Terms.Index(q.Formula.Monolithic()))
	}
	return p, nil
}

// termString returns the string that is encoded for a term, or the term itself if it is made
// of several vectors.
func (p *planned) termString(term int) string {
	return cmp.Or(p.plan.StringOf(term), p.plan.Terms[term].Term)
}

// print prints the parts, each with its name before its first line.
func (p *planned) print(w io.Writer) {
	line := func(label, text string) {
		if text != "" {
			fmt.Fprintf(w, "%-11s %s\n", label, text)
		}
	}
	for _, note := range p.Understood {
		line("understood", note)
	}
	line("formula", p.Formula)
	line("filter", p.Filter)
	label := "encode"
	for _, s := range p.Strings {
		if s == p.Monolithic {
			s += "   (monolithic: what plain search would use)"
		}
		line(label, s)
		label = ""
	}
	for _, item := range p.Items {
		line("look up", item)
	}
}
