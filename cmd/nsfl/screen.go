package main

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/user"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/internal/screening"
	"github.com/nsfl-go/nsfl/internal/termsafe"
	"github.com/nsfl-go/nsfl/internal/version"
	"github.com/nsfl-go/nsfl/internal/workspace"
	"github.com/nsfl-go/nsfl/retrieve"
)

func screenCommand() *cobra.Command {
	var s screenSession
	cmd := &cobra.Command{
		Use:   "screen NAME",
		Short: "Decide which records a review includes, the likeliest first",
		Long: `Screen shows the records of a collection one at a time and asks for a decision:

  i  include    e  exclude    r  exclude, with a reason
  u  unsure     z  undo       q  quit

The first screening of a name needs --formula, the inclusion criteria. At the beginning
records come in its order; a model learns from each decision. Every decision is on disk
before the next record is shown. A test says when at least 95 % of the records to include
have been found. --sample shows random unread records instead, which estimates how many were
missed. Duplicates, by DOI or by text, are shown once.

--status prints the numbers. --export writes all records with their decisions (.csv), the
included ones (.ris), the PRISMA flow (.svg), or an appendix that reproduces the ranking (.md).`,
		Example: `  nsfl index pubmed.nbib scopus.ris -c refs
  nsfl screen -c refs pigs --formula '("viral metagenomics" OR virome) AND (pigs OR cattle)'
  nsfl screen -c refs pigs --sample
  nsfl screen -c refs pigs --status
  nsfl screen -c refs pigs --export included.ris --export flow.svg`,
		Args: args(1, 1, "the name of a screening"),
		RunE: func(cmd *cobra.Command, args []string) error {
			s.cmd, s.name = cmd, args[0]
			return s.run(cmd.Context())
		},
	}
	f := cmd.Flags()
	s.from.add(f)
	f.StringVar(&s.formula, "formula", "", "the inclusion criteria of a new screening")
	f.StringVar(&s.person, "person", "", "the `NAME` of the person who decides; default: the user's name")
	f.BoolVar(&s.sample, "sample", false, "show random unread records, to estimate how many were missed")
	f.StringVar(&s.labels, "labels", "", "take over decisions from this metadata `FIELD`: 1 includes, 0 excludes")
	f.BoolVar(&s.status, "status", false, "print the numbers and the stopping statement")
	f.StringArrayVar(&s.exports, "export", nil, "write `FILE`: .csv, .ris, .svg or .md; may be repeated")
	addColour(f, &s.colour)
	addJSON(f)
	return cmd
}

// screenSession is a run of nsfl screen.
type screenSession struct {
	cmd                           *cobra.Command
	from                          collectionFlags
	name, formula, person, labels string
	colour                        string
	sample, status                bool
	exports                       []string

	*screening.Screening
	store engine.Collection
	out   *terminal
	in    *bufio.Reader
}

func (s *screenSession) run(ctx context.Context) error {
	for _, file := range s.exports {
		if s.writer(ctx, file) == nil {
			return usageError{fmt.Errorf("--export %s: the name must end in .csv, .ris, .svg or .md", file)}
		}
	}
	reading := s.status || len(s.exports) > 0
	if s.person == "" {
		s.person = "user"
		if u, err := user.Current(); err == nil {
			s.person = cmp.Or(u.Name, u.Username, s.person)
		}
	}
	c, err := s.from.open(s.cmd, workspace.Options{ReadOnly: reading && s.labels == "" && s.formula == ""})
	if err != nil {
		return err
	}
	defer c.Close() //nolint:errcheck // decisions are on the disk
	s.store = c.Store()
	if s.formula != "" {
		if _, err := retrieve.Read(ctx, s.formula, retrieve.Options{}); err != nil {
			return err
		}
		err := screening.Create(ctx, s.store, screening.Settings{Name: s.name, Formula: s.formula, Person: s.person, Created: time.Now().UTC().Truncate(time.Second), Seed: 1})
		if err != nil {
			return err
		}
	}
	if s.Screening, err = screening.Open(ctx, c.Searcher(), s.store, s.name); errors.Is(err, screening.ErrNotFound) {
		return usageError{fmt.Errorf("there is no screening %q in %s yet; start one with --formula, the inclusion criteria", s.name, c)}
	} else if err != nil {
		return err
	}
	if s.labels != "" {
		if err := s.takeOver(ctx); err != nil {
			return err
		}
	}
	for _, file := range s.exports {
		if err := writeTo(s.cmd, file, s.writer(ctx, file)); err != nil {
			return err
		}
	}
	switch {
	case s.status:
		p := s.Progress()
		return answer(s.cmd, p, func(w io.Writer) { printStatus(w, p) })
	case len(s.exports) > 0 || s.labels != "":
		return nil
	}
	return s.screen(ctx)
}

// writer returns the function that writes an export, by the name of the file, or nil.
func (s *screenSession) writer(ctx context.Context, file string) func(io.Writer) error {
	return map[string]func(io.Writer) error{
		".csv": func(w io.Writer) error { return s.WriteCSV(ctx, w) },
		".ris": func(w io.Writer) error { return s.WriteRIS(ctx, w) },
		".svg": func(w io.Writer) error { return s.WritePRISMA(w) },
		".md":  func(w io.Writer) error { return s.WriteAppendix(w, version.This().String()) },
	}[strings.ToLower(filepath.Ext(file))]
}

// takeOver stores decisions from a metadata field, for records without a decision. The label of a
// duplicate counts if its record has none.
func (s *screenSession) takeOver(ctx context.Context) error {
	decided := map[string]bool{}
	for _, d := range s.Decisions(false) {
		decided[d.Record] = true
	}
	n := 0
	copies := s.Duplicates()
	for _, id := range slices.Concat(s.IDs(), slices.Sorted(maps.Keys(copies))) {
		d, err := s.store.Get(ctx, id, engine.Metadata)
		if err != nil {
			return err
		}
		var fields map[string]any
		_ = json.Unmarshal(d.Metadata, &fields) // none: there is no label
		label := map[string]screening.Label{"1": screening.Include, "0": screening.Exclude}[fmt.Sprint(fields[s.labels])]
		record := cmp.Or(copies[id], id)
		if label == "" || decided[record] {
			continue
		}
		decided[record] = true
		if _, err := s.Decide(ctx, screening.Decision{Record: record, Label: label, Person: s.person}); err != nil {
			return err
		}
		n++
	}
	_, err := fmt.Fprintf(s.cmd.OutOrStdout(), "%d decisions taken over from the field %s\n", n, s.labels)
	return err
}

// printStatus prints the numbers of a screening.
func printStatus(w io.Writer, p screening.Progress) {
	fmt.Fprintf(w, "records     %d, of which %d duplicates by DOI and %d by text\n", p.Records, p.DuplicateDOI, p.DuplicateText)
	fmt.Fprintf(w, "included    %d\nexcluded    %d\nunsure      %d\nunread      %d\n", p.Included, p.Excluded, p.Unsure, p.Unread)
	fmt.Fprintf(w, "statement   %s\n", p.Statement)
	if p.Elusion != nil {
		fmt.Fprintf(w, "elusion     %s\n", p.Elusion)
	}
}

// screen shows records and stores decisions until the person quits or all records are read.
func (s *screenSession) screen(ctx context.Context) error {
	s.out, s.in = newTerminal(s.cmd.OutOrStdout(), s.colour), bufio.NewReader(s.cmd.InOrStdin())
	keys := map[byte]screening.Label{'i': screening.Include, 'e': screening.Exclude, 'r': screening.Exclude, 'u': screening.Unsure, 'z': screening.Undone}
	for {
		id := s.Next(s.person, s.sample)
		if id == "" {
			fmt.Fprintln(s.out, "All records have been read.")
			return s.leave()
		}
		if err := s.show(ctx, id); err != nil {
			return err
		}
		key, err := s.key()
		if errors.Is(err, io.EOF) || key == 'q' || key == 3 || key == 4 { // Ctrl-C, Ctrl-D
			return s.leave()
		} else if err != nil {
			return err
		}
		d := screening.Decision{Record: id, Label: keys[key], Person: s.person, Sample: s.sample}
		switch {
		case d.Label == "":
			fmt.Fprintln(s.out, s.out.paint(yellow, "keys: i include, e exclude, r exclude with a reason, u unsure, z undo, q quit"))
			continue
		case key == 'z':
			d.Record = ""
		case key == 'r':
			fmt.Fprint(s.out, "reason: ")
			line, err := s.in.ReadString('\n')
			if err != nil && !errors.Is(err, io.EOF) {
				return err
			}
			d.Reason = strings.TrimSpace(line)
		}
		d, err = s.Decide(ctx, d)
		var input *engine.InputError
		if errors.As(err, &input) {
			fmt.Fprintln(s.out, s.out.paint(yellow, termsafe.Text(input.Problem)))
			continue
		} else if err != nil {
			return err
		}
		fmt.Fprintln(s.out, s.out.paint(bold, string(d.Label)))
	}
}

// leave prints the state.
func (s *screenSession) leave() error {
	fmt.Fprintln(s.out)
	printStatus(termsafe.Writer(s.out), s.Progress())
	return nil
}

// key reads a key. On a terminal it needs no Enter; elsewhere blank space is skipped.
func (s *screenSession) key() (byte, error) {
	if f, ok := s.cmd.InOrStdin().(*os.File); ok && term.IsTerminal(int(f.Fd())) && s.in.Buffered() == 0 {
		before, err := term.MakeRaw(int(f.Fd()))
		if err != nil {
			return 0, err
		}
		defer term.Restore(int(f.Fd()), before) //nolint:errcheck // there is nothing else to do
	}
	for {
		key, err := s.in.ReadByte()
		if err != nil || !strings.ContainsRune(" \r\n\t", rune(key)) {
			return key, err
		}
	}
}

// show prints a record, why it is shown, and the state of the screening.
func (s *screenSession) show(ctx context.Context, id string) error {
	d, err := s.Show(ctx, id, s.sample)
	if err != nil {
		return err
	}
	marked := marks{}
	for _, t := range d.Terms {
		for word := range strings.FieldsSeq(plain(t)) {
			marked[word] = green
		}
	}
	fmt.Fprintln(s.out)
	s.out.lines("", "", "", s.out.mark(bold, termsafe.Line(d.Title), marked))
	s.out.lines(dim, "", "", termsafe.Line(d.ID))
	for part := range strings.SplitSeq(termsafe.Text(d.Text), "\n\n") {
		s.out.lines("", "", "", s.out.mark("", termsafe.Line(part), marked))
	}
	s.out.lines(cyan, "why: ", "     ", termsafe.Line(d.Why))
	p := s.Progress()
	s.out.lines(dim, "", "", fmt.Sprintf("%d included, %d excluded, %d unsure, %d unread; %s", p.Included, p.Excluded, p.Unsure, p.Unread, p.Statement))
	fmt.Fprint(s.out, "[i]nclude [e]xclude [r]eason [u]nsure [z] undo [q]uit ")
	return nil
}
