package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/nsfl-go/nsfl/internal/workspace"
	"github.com/nsfl-go/nsfl/retrieve"
)

func searchCommand() *cobra.Command {
	var s searching
	cmd := &cobra.Command{
		Use:   "search FORMULA",
		Short: "Search a collection by a formula",
		Long: `Search ranks the documents of a collection by a formula of AND, OR, NOT and
parentheses. Words side by side are one atom (golden retriever), capitals make an
operator, field:value and field:>=n are hard conditions on metadata, text:word and
text:"two words" on what a text says, like:ID and
example:"a text" are atoms that stand for a document, and 2 OF (a, b, c) is at least two of them.`,
		Example: `  nsfl search --demo 'dog AND NOT ball'
  nsfl search --demo --compare 'beach AND sunset AND NOT people'
  nsfl search --demo --explain -k 3 '(bread OR cake) AND NOT chocolate minutes:<=90'
  nsfl search --demo --facet kind,year 'dog AND NOT ball'
  nsfl search --demo 'comedies that are not romantic'
  nsfl search -c notes 'database AND migration AND NOT postgres'
  nsfl search --store postgres://db/notes?collection=notes 'database AND NOT postgres'
  nsfl search -c notes --mode hybrid --plan 'backup AND encryption'
  nsfl search -c notes --json -k 100 'invoice OR receipt' | jq '.hits[].id'`,
		Args: args(1, 1, "one formula"),
		RunE: func(cmd *cobra.Command, args []string) error { return s.run(cmd, args[0]) },
	}
	f := cmd.Flags()
	s.from.add(f)
	addKnobs(f, s.options.Knobs(), "nl")
	addPlain(f, &s.options)
	addProfile(f, &s.options.Profile, "profile", profileHelp+"; the collection's own by default")
	f.BoolVar(&s.plan, "plan", false, "show what was encoded, what was done, and how long it took")
	f.StringVar(&s.colour, "color", "auto", "auto, always or never")
	addJSON(f)
	return cmd
}

// searching is one run of nsfl search.
type searching struct {
	from    collectionFlags
	options retrieve.Options
	colour  string
	plan    bool
}

// run searches and shows what was found.
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
	r, err := c.Searcher().Search(cmd.Context(), q, s.options)
	if err != nil {
		return err
	}
	return answer(cmd, r, func(io.Writer) {
		p := &printer{terminal: newTerminal(cmd.OutOrStdout(), s.colour), result: r, options: &s.options}
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

// check reports what has no meaning.
func (s *searching) check(cmd *cobra.Command) error {
	if s.colour != "auto" && s.colour != "always" && s.colour != "never" {
		return fmt.Errorf("unknown --color %q: expected auto, always or never", s.colour)
	}
	if s.options.K < 1 && cmd.Flags().Changed("results") {
		return fmt.Errorf("%d results are wanted: give -k a number above 0", s.options.K)
	}
	return s.options.Check()
}
