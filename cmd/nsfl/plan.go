package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/nsfl-go/nsfl/fusion"
	"github.com/nsfl-go/nsfl/query"
	"github.com/nsfl-go/nsfl/query/nl"
)

func planCommand() *cobra.Command {
	var style string
	var plain, asJSON bool
	cmd := &cobra.Command{
		Use:   "plan FORMULA",
		Short: "Show how a query is understood and which strings it needs encoded",
		Example: `  nsfl plan 'dog AND NOT leash'
  nsfl plan --fusion contextual '(beach OR lake) AND sunset AND NOT people year:>=2015'
  nsfl plan --nl 'photos of dogs without leashes'`,
		Args: args(1, 1, "one formula"),
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := fusion.ParseStyle(style)
			if err != nil {
				return usageError{err}
			}
			p, err := newPlanned(args[0], plain, s)
			if err != nil {
				return err
			}
			if asJSON {
				return writeJSON(cmd.OutOrStdout(), p)
			}
			p.print(cmd.OutOrStdout())
			return nil
		},
	}
	cmd.Flags().StringVar(&style, "fusion", "simple", "how strings are fused: simple, contextual or centroid")
	cmd.Flags().BoolVar(&plain, "nl", false, "the query is plain language")
	cmd.Flags().BoolVar(&asJSON, "json", false, "write JSON")
	return cmd
}

// planned is what is known of a query before anything is encoded.
type planned struct {
	Query      string   `json:"query"`
	Understood []string `json:"understood,omitempty"` // of plain language
	Formula    string   `json:"formula,omitempty"`
	Filter     string   `json:"filter,omitempty"`
	Fusion     string   `json:"fusion"`
	Strings    []string `json:"strings"`
	Items      []string `json:"items,omitempty"`
	Monolithic string   `json:"monolithic,omitempty"`

	formula *query.Formula
	plan    *fusion.Plan
}

func newPlanned(text string, plain bool, style fusion.Style) (*planned, error) {
	p := &planned{Query: text, Fusion: style.String(), Strings: []string{}}
	if plain {
		r, err := nl.Read(text)
		if err != nil {
			return nil, err
		}
		text = r.Node.String()
		p.Understood = r.Notes
	}
	var err error
	if p.formula, err = query.ParseFormula(text); err != nil {
		return nil, err
	}
	if p.formula.Filter != nil {
		p.Filter = p.formula.Filter.String()
	}
	p.plan = fusion.New(p.formula, style)
	p.Strings = append(p.Strings, p.plan.Strings...)
	for _, item := range p.plan.Items {
		p.Items = append(p.Items, item.String())
	}
	if p.formula.Root != nil {
		p.Formula = p.formula.Root.String()
		p.Monolithic = p.termString(p.formula.Terms.Index(p.formula.Monolithic()))
	}
	return p, nil
}

// termString is the string that a term is encoded as, or the term itself where
// it is made of several vectors.
func (p *planned) termString(term int) string {
	return cmp.Or(p.plan.StringOf(term), p.plan.Terms[term].Term)
}

func (p *planned) print(w io.Writer) {
	for _, note := range p.Understood {
		fmt.Fprintf(w, "understood  %s\n", note)
	}
	if p.Formula != "" {
		fmt.Fprintf(w, "formula     %s\n", p.Formula)
	}
	if p.Filter != "" {
		fmt.Fprintf(w, "filter      %s\n", p.Filter)
	}
	for i, s := range p.Strings {
		label := ""
		if i == 0 {
			label = "encode"
		}
		mark := ""
		if s == p.Monolithic {
			mark = "   (monolithic: what plain search would use)"
		}
		fmt.Fprintf(w, "%-11s %s%s\n", label, s, mark)
	}
	for _, item := range p.Items {
		fmt.Fprintf(w, "look up     %s\n", item)
	}
}

func writeJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}
