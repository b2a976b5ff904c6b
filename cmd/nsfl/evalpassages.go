package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/nsfl-go/nsfl/eval/lab"
	"github.com/nsfl-go/nsfl/eval/report"
	"github.com/nsfl-go/nsfl/eval/sets"
	"github.com/nsfl-go/nsfl/fusion"
	"github.com/nsfl-go/nsfl/retrieve"
)

func evalPassagesCommand() *cobra.Command {
	var s study
	cmd := &cobra.Command{
		Use:   "passages",
		Short: "How to compare documents that have passages, over sets and encoders",
		Long: `Passages compares the ways to make one similarity of a document's passages: the
whole document, the nearest passage, the mean of passages, and their mixtures; with
the title as a passage, before every passage, or left out. All documents are ranked
by the calculus, with simple fusion. The first table has gains over plain retrieval
with one vector per document, the second differences to what collections do.

Vectors are computed once and serve all ways. Where an encoder is slow, --documents
and --every take a part of a set.`,
		Example: `  nsfl eval passages --set demo
  nsfl eval passages --set data/coco --set data/films --format markdown
  nsfl eval passages --set data/films --documents 12000 --every 3 --encoder all-MiniLM-L6-v2`,
		Args: args(0, 0, "flags only"),
		RunE: func(cmd *cobra.Command, _ []string) error { return s.run(cmd) },
	}
	f := cmd.Flags()
	f.StringArrayVar(&s.sets, "set", nil, "demo, or the folder of a set; may be given several times")
	f.StringVar(&s.split, "split", "dev", "which of their queries")
	f.StringArrayVar(&s.encoders, "encoder", []string{"builtin"}, encoderHelp+"; may be given several times")
	f.IntVar(&s.documents, "documents", 0, "take the first N documents of each set and judge among them; 0: all")
	f.IntVar(&s.every, "every", 0, "take every N-th query; 0: all")
	f.StringSliceVar(&s.passages, "passages", lab.WayNames(), "the ways to compare")
	f.StringSliceVar(&s.titles, "titles", lab.TitleNames(), "what becomes of titles among passages")
	f.StringVar(&s.format, "format", "text", "text, markdown, latex or csv")
	f.Uint64Var(&s.seed, "seed", 1, "of the resampling")
	f.BoolVar(&s.quiet, "quiet", false, "show no progress")
	return cmd
}

// study is one run of nsfl eval passages.
type study struct {
	sets, encoders   []string
	passages, titles []string
	split, format    string
	documents, every int
	seed             uint64
	quiet            bool
}

// run fills a column for each set and encoder, and writes the tables.
func (s *study) run(cmd *cobra.Command) error {
	ways, err := s.ways()
	if err != nil {
		return usageError{err}
	}
	format, err := report.ParseFormat(s.format)
	if err != nil {
		return usageError{err}
	}
	if len(s.sets) == 0 {
		return usageError{fmt.Errorf("no set is named: give folders with --set DIR, or try --set demo")}
	}
	out := report.Study{Command: "nsfl " + strings.Join(s.words(cmd), " "), Options: report.Options{Seed: s.seed}}
	for _, name := range s.sets {
		columns, err := s.columns(cmd, name, ways)
		if err != nil {
			return err
		}
		out.Columns = append(out.Columns, columns...)
	}
	return out.Passages(cmd.OutOrStdout(), format)
}

// ways are all ways with all places of titles. What collections do is among them
// in any case: the others are held against it.
func (s *study) ways() (ways []lab.Passages, err error) {
	add := func(p lab.Passages) {
		if !slices.Contains(ways, p) {
			ways = append(ways, p)
		}
	}
	for _, word := range s.passages {
		p, err := lab.ParsePassages(word)
		if err != nil {
			return nil, err
		}
		for _, word := range s.titles {
			t, err := lab.ParseTitle(word)
			if err != nil {
				return nil, err
			}
			add(p.With(t))
		}
	}
	if len(ways) == 0 {
		return nil, fmt.Errorf("there is nothing to compare: give --passages and --titles a name each")
	}
	add(lab.WholeMax)
	return ways, nil
}

// columns are those of one set, one for each encoder.
func (s *study) columns(cmd *cobra.Command, name string, ways []lab.Passages) (out []report.Column, err error) {
	set, closeSet, err := openSet(cmd, name, s.split)
	if err != nil {
		return nil, err
	}
	defer closeSet()
	whole := len(set.Warnings)
	if set, err = lab.Part(set, s.documents, s.every); err != nil {
		return nil, err
	}
	for _, w := range set.Warnings[whole:] {
		fmt.Fprintln(cmd.ErrOrStderr(), "warning:", w)
	}
	for _, word := range s.encoders {
		e := evaluation{quiet: s.quiet}
		corpus, closeCorpus, err := e.corpus(cmd, set, word, ways)
		if err != nil {
			return nil, err
		}
		column := report.Column{Set: set.Name, Encoder: shortName(corpus.Encoder), Documents: len(corpus.IDs)}
		column.Outcomes, err = s.outcomes(cmd, set, corpus, ways)
		closeCorpus()
		if err != nil {
			return nil, err
		}
		out = append(out, column)
	}
	return out, nil
}

// outcomes are those of plain retrieval by wholes, and of the calculus with each of
// the ways.
func (s *study) outcomes(cmd *cobra.Command, set *sets.Set, corpus *lab.Corpus, ways []lab.Passages) ([]lab.Outcome, error) {
	config := lab.Config{Methods: []retrieve.Mode{retrieve.Baseline}, Fusions: []fusion.Style{fusion.Simple}, Passages: []lab.Passages{lab.Whole}}
	plain, err := lab.Run(cmd.Context(), set, corpus, config)
	if err != nil {
		return nil, err
	}
	config.Methods, config.Passages = []retrieve.Mode{retrieve.Exact}, ways
	var done func()
	config.Progress, done = ranking(cmd, "rankings", s.quiet)
	defer done()
	ranked, err := lab.Run(cmd.Context(), set, corpus, config)
	return append(plain, ranked...), err
}

// shortName is an encoder's name without its revision and what else tells it from
// its like.
func shortName(encoder string) string {
	name, _, _ := strings.Cut(encoder, " (")
	name, _, _ = strings.Cut(name, "@")
	return name
}

// words is the command line, for the report.
func (s *study) words(cmd *cobra.Command) []string {
	words := strings.Fields(cmd.CommandPath())[1:]
	for _, set := range s.sets {
		words = append(words, "--set", filepath.Base(set))
	}
	cmd.Flags().Visit(func(f *pflag.Flag) {
		switch f.Name {
		case "set", "quiet", "format":
		case "encoder":
			for _, e := range s.encoders {
				words = append(words, "--encoder", e)
			}
		default:
			words = append(words, "--"+f.Name, strings.Trim(f.Value.String(), "[]"))
		}
	})
	return words
}
