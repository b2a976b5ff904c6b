package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/nsfl-go/nsfl/fusion"
	"github.com/nsfl-go/nsfl/query"
	"github.com/nsfl-go/nsfl/query/nl"
	"github.com/nsfl-go/nsfl/retrieve"
)

func searchCommand() *cobra.Command {
	var s searching
	cmd := &cobra.Command{
		Use:   "search FORMULA",
		Short: "Search a collection by a formula",
		Long: `Search ranks the documents of a collection by a formula of AND, OR, NOT and
parentheses. Words side by side are one atom (golden retriever), capitals make an
operator, field:value and field:>=n are hard conditions on metadata, and like:ID
is an atom that stands for a document.`,
		Example: `  nsfl search --demo 'dog AND NOT ball'
  nsfl search --demo --compare 'beach AND sunset AND NOT people'
  nsfl search --demo --explain -k 3 '(soup OR stew) AND NOT meat minutes:<=40'
  nsfl search --demo --nl 'comedies that are not romantic'
  nsfl search -c notes 'database AND migration AND NOT postgres'
  nsfl search --store postgres://db/notes?collection=notes 'database AND NOT postgres'
  nsfl search -c notes --mode hybrid --plan 'backup AND encryption'
  nsfl search -c notes --json -k 100 'invoice OR receipt' | jq '.hits[].id'`,
		Args: args(1, 1, "one formula"),
		RunE: func(cmd *cobra.Command, args []string) error { return s.run(cmd, args[0]) },
	}
	f := cmd.Flags()
	s.from.add(f)
	f.IntVarP(&s.options.K, "results", "k", 10, "how many results")
	f.StringVar(&s.mode, "mode", "auto", "auto, baseline, rerank, sqo, hybrid, exact, geo-rerank, geo-opt or geo-hybrid")
	f.StringVar(&s.pool, "pool", "monolithic", "what the pool is near to: monolithic, or union (every wanted part)")
	f.IntVar(&s.options.Candidates, "candidates", 1000, "size of the pool")
	f.StringVar(&s.fusion, "fusion", "simple", "how strings are fused: simple, contextual or centroid")
	f.Float64Var(&s.options.MinScore, "min-score", 0, "leave out results that are less probable to match: 0.5 keeps what is rather in than out")
	f.StringVar(&s.profile, "profile", "", profileHelp+"; the collection's own by default")
	f.StringVar(&s.solver, "solver", "exact", "how the vector of sqo and hybrid is found: exact, or rsgd as in the paper")
	s.calculus.add(f)
	f.BoolVar(&s.plain, "nl", false, "the query is plain language")
	f.BoolVarP(&s.options.Explain, "explain", "e", false, "say how each score came about")
	f.BoolVar(&s.options.Compare, "compare", false, "show plain retrieval beside it")
	f.BoolVar(&s.plan, "plan", false, "show what was encoded, what was done, and how long it took")
	f.StringVar(&s.colour, "color", "auto", "auto, always or never")
	f.BoolVar(&s.asJSON, "json", false, "write JSON")
	return cmd
}

// searching is one run of nsfl search.
type searching struct {
	from                       collectionFlags
	calculus                   calculusFlags
	options                    retrieve.Options
	mode, pool, fusion, solver string
	profile                    string
	colour                     string
	plain, plan, asJSON        bool
	understood                 []string
}

func (s *searching) run(cmd *cobra.Command, text string) error {
	if err := s.complete(); err != nil {
		return usageError{err}
	}
	f, err := s.formula(text)
	if err != nil {
		return err
	}
	c, err := s.from.open(cmd, true)
	if err != nil {
		return err
	}
	defer c.close()
	r, err := c.Searcher().Search(cmd.Context(), f, s.options)
	if err != nil {
		return err
	}
	if s.asJSON {
		return writeJSON(cmd.OutOrStdout(), struct {
			Query      string   `json:"query"`
			Understood []string `json:"understood,omitempty"`
			*retrieve.Result
		}{text, s.understood, r})
	}
	p := &printer{terminal: newTerminal(cmd.OutOrStdout(), s.colour), result: r}
	for _, note := range s.understood {
		fmt.Fprintf(p, "%s\n", p.paint(dim, "understood: "+note))
	}
	p.head()
	if s.plan {
		p.plan()
	}
	if s.options.Compare {
		p.sideBySide()
	} else {
		p.hits()
	}
	return nil
}

// complete turns the flags' words into options.
func (s *searching) complete() (err error) {
	if s.options.Mode, err = retrieve.ParseMode(s.mode); err != nil {
		return err
	}
	if s.options.Pool, err = retrieve.ParsePool(s.pool); err != nil {
		return err
	}
	if s.options.Fusion, err = fusion.ParseStyle(s.fusion); err != nil {
		return err
	}
	switch s.solver {
	case "exact":
	case "rsgd":
		s.options.Solver = retrieve.Descended
	default:
		return fmt.Errorf("unknown solver %q: expected exact or rsgd", s.solver)
	}
	if s.colour != "auto" && s.colour != "always" && s.colour != "never" {
		return fmt.Errorf("unknown --color %q: expected auto, always or never", s.colour)
	}
	if s.options.Logic, err = s.calculus.options(); err != nil {
		return err
	}
	if s.options.Profile, err = readProfile(s.profile); err != nil {
		return err
	}
	if s.options.K < 1 {
		return fmt.Errorf("%d results are wanted: give -k a number above 0", s.options.K)
	}
	return s.options.Check()
}

func (s *searching) formula(text string) (*query.Formula, error) {
	if !s.plain {
		return query.ParseFormula(text)
	}
	r, err := nl.Read(text)
	if err != nil {
		return nil, err
	}
	s.understood = append([]string{r.Node.String()}, r.Notes...)
	return query.Normalize(r.Node)
}
