package main

import (
	"errors"
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
parentheses, in capitals; words side by side are one atom (golden retriever). Each result
shows the passages that have most of what is wanted, where they stand, and what a text
says to be absent.

field:value and field:>=n are hard conditions on metadata, text:word and text:"two words"
on what a text says; like:ID and example:"a text" are atoms that stand for a document, and
2 OF (a, b, c) is at least two of them. A sentence without operators is read as a formula
where its meaning is sure, and the first line says as which.

A formula needs quotes only where the shell would read it itself: for parentheses, <, >,
quotes and *. A dash reads standard input.`,
		Example: `  nsfl search --demo dog AND NOT ball
  nsfl search --demo --compare 'beach AND sunset AND NOT people'
  nsfl search --demo --explain -k 3 '(bread OR cake) AND NOT chocolate minutes:<=90'
  nsfl search --demo --facet kind,year 'dog AND NOT ball'
  nsfl search --demo 'comedies that are not romantic'
  nsfl search --demo --why photo-016 'dog AND NOT ball'
  nsfl search -c notes --open 'database AND migration AND NOT postgres'
  nsfl search -c notes --json -k 100 'invoice OR receipt' | jq '.hits[].id'
  nsfl search --store postgres://db/notes?collection=notes 'database AND NOT postgres'`,
		Args: formulaArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			text, err := formulaOf(cmd, args)
			if err != nil {
				return err
			}
			return s.run(cmd, text)
		},
	}
	f := cmd.Flags()
	s.from.add(f)
	addKnobs(f, s.options.Knobs(), "nl")
	addPlain(f, &s.options)
	addProfile(f, &s.options.Profile, "profile", profileHelp+"; the collection's own by default")
	f.StringVar(&s.why, "why", "", "explain the document of this `ID`, be it among the results or not")
	f.IntVar(&s.open, "open", 0, "open the file of a result, the first or the one of a `RANK`, where the passage is; by $VISUAL, $EDITOR, $PAGER or what the system opens files with")
	f.Lookup("open").NoOptDefVal = "0"
	f.BoolVar(&s.plan, "plan", false, "show how it was done: what was encoded, which mode, how long each step took")
	group(f, forStudy, "plan")
	addColour(f, &s.colour)
	addJSON(f)
	return cmd
}

// searching is one run of nsfl search.
type searching struct {
	from    collectionFlags
	options retrieve.Options
	colour  string
	plan    bool
	why     string // the id of a document; empty: none
	open    int    // the rank of a result; 0: the first
}

// run searches, shows what was found and opens it.
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
	find := s.find
	if s.why != "" {
		find = s.explain
	}
	r, err := find(cmd, c, q)
	if err != nil || !cmd.Flags().Changed("open") {
		return err
	}
	return openHit(cmd, c, r.Hits, s.open)
}

// find searches and shows the results.
func (s *searching) find(cmd *cobra.Command, c *workspace.Handle, q *retrieve.Question) (*retrieve.Result, error) {
	r, err := c.Searcher().Search(cmd.Context(), q, s.options)
	if err != nil {
		return nil, err
	}
	return r, answer(cmd, r, func(io.Writer) {
		p := &printer{terminal: newTerminal(cmd.OutOrStdout(), s.colour), result: r, options: s.options, studied: s.plan || s.options.Explain}
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
	if s.options.K < 1 && cmd.Flags().Changed("results") {
		return fmt.Errorf("%d results are wanted: give -k a number above 0", s.options.K)
	}
	if cmd.Flags().Changed("open") && (s.open < 0 || isOn(cmd, "json")) {
		return errors.New("--open takes the rank of a result, from 1 on, and goes without --json")
	}
	return s.options.Check()
}
