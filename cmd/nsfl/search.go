package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/internal/workspace"
	"github.com/nsfl-go/nsfl/retrieve"
)

func searchCommand() *cobra.Command {
	var s searching
	cmd := &cobra.Command{
		Use:   "search FORMULA",
		Short: "Search a collection by a formula",
		Long: `Search ranks the documents of a collection by a formula. AND, OR and NOT are upper case,
parentheses group, and adjacent words are one atom (golden retriever). Each result shows the
passages that match best, where they are, and what the text rules out.

field:value, field:>=N and path:*.pdf filter on metadata; text:word and text:"two words" filter
on the text. like:ID and example:"some text" stand for a document. 2 OF (a, b, c) means at least two
of them. A sentence without operators is read as a formula if its meaning is clear; the first
line of the output shows the formula.

Quote a formula if it has characters that are special to the shell: parentheses, <, >, quotes
and *. A dash reads the formula from standard input.`,
		Example: `  nsfl search --demo dog AND NOT ball
  nsfl search --demo --compare 'beach AND sunset AND NOT people'
  nsfl search --demo --explain -k 3 '(bread OR cake) AND NOT chocolate minutes:<=90'
  nsfl search --demo --facet kind,year 'dog AND NOT ball'
  nsfl search --demo 'comedies that are not romantic'
  nsfl search --demo --why photo-016 'dog AND NOT ball'
  nsfl search -c notes --json -k 100 'invoice OR receipt' | jq '.hits[].id'
  nsfl search -c postgres://db/notes?collection=notes 'database AND NOT postgres'`,
		Args: formulaArgs,
		RunE: withFormula(s.run),
	}
	f := cmd.Flags()
	s.from.add(f)
	addKnobs(f, s.options.Knobs(), append(studyOnly, "nl")...)
	addPlain(f, &s.options)
	addProfile(f, &s.options.Profile, "profile", profileHelp+"; default: the collection's own")
	f.StringVar(&s.why, "why", "", "explain document `ID`, even if it is not in the results")
	f.BoolVar(&s.plan, "plan", false, "show how the search was done: encoded strings, mode, time of each step")
	group(f, forStudy, "plan")
	addColour(f, &s.colour)
	addJSON(f)
	return cmd
}

// searching holds the flags of nsfl search.
type searching struct {
	from    collectionFlags
	options retrieve.Options
	colour  string
	plan    bool
	why     string // the id of a document; empty: none
}

// run searches, or explains one document, and prints the results.
func (s *searching) run(cmd *cobra.Command, text string) error {
	if err := s.check(cmd); err != nil {
		return usageError{err}
	}
	q, err := retrieve.Read(cmd.Context(), text, s.options)
	if err != nil {
		return err
	}
	c, err := s.from.open(cmd, workspace.Options{ReadOnly: true})
	if err != nil {
		return err
	}
	defer c.Close() //nolint:errcheck // it was only read
	if s.why != "" {
		return s.explain(cmd, c, q)
	}
	return s.find(cmd, c, q)
}

// find searches and prints the results.
func (s *searching) find(cmd *cobra.Command, c *workspace.Handle, q *retrieve.Question) error {
	r, err := c.Searcher().Search(cmd.Context(), q, s.options)
	if errors.Is(err, engine.ErrNotFound) {
		err = withNearLike(cmd.Context(), c.Store(), err, q.Formula)
	}
	if err != nil {
		return err
	}
	return answer(cmd, r, func(io.Writer) {
		p := &printer{terminal: newTerminal(cmd.OutOrStdout(), s.colour), result: r, formula: q.Formula, options: s.options, studied: s.plan || s.options.Explain}
		p.head()
		if s.plan {
			p.plan()
		}
		p.facets()
		if s.options.Compare {
			p.sideBySide()
		} else {
			p.hits()
		}
		if r.Offset > 0 && r.Next > 0 {
			fmt.Fprintf(p, "%s\n", p.paint(dim, fmt.Sprintf("more with --offset %d", r.Next)))
		}
	})
}

// check returns an error for flags that make no sense.
func (s *searching) check(cmd *cobra.Command) error {
	if s.options.K < 1 && cmd.Flags().Changed("results") {
		return fmt.Errorf("%d results are wanted: -k takes a number above 0", s.options.K)
	}
	return s.options.Check()
}
