package main

import (
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/nsfl-go/nsfl/eval/lab"
	"github.com/nsfl-go/nsfl/eval/report"
	"github.com/nsfl-go/nsfl/eval/sets"
	"github.com/nsfl-go/nsfl/fusion"
	"github.com/nsfl-go/nsfl/retrieve"
)

func evalPassagesCommand() *cobra.Command {
	var s setFlags
	var passages, titles []string
	var form string
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
		RunE: func(cmd *cobra.Command, _ []string) error {
			ways, err := waysOf(passages, titles)
			if err != nil {
				return usageError{err}
			}
			format, err := report.ParseFormat(form)
			if err != nil {
				return usageError{err}
			}
			out := report.Study{Command: commandOf(cmd), Options: report.Options{Seed: s.seed}}
			err = s.each(cmd, ways, func(_ string, set *sets.Set, corpus *lab.Corpus) error {
				column := report.Column{Set: set.Name, Encoder: shortName(corpus.Encoder), Documents: len(corpus.IDs)}
				column.Outcomes, err = compareWays(cmd, set, corpus, ways)
				out.Columns = append(out.Columns, column)
				return err
			})
			if err != nil {
				return err
			}
			return out.Passages(cmd.OutOrStdout(), format)
		},
	}
	f := cmd.Flags()
	f.SortFlags = false // a report names them as they were given
	s.add(f)
	s.addEncoders(f)
	f.IntVar(&s.documents, "documents", 0, "take the first N documents of each set and judge among them; 0: all")
	f.IntVar(&s.every, "every", 0, "take every N-th query; 0: all")
	f.StringSliceVar(&passages, "passages", lab.WayNames(), "the ways to compare")
	f.StringSliceVar(&titles, "titles", lab.TitleNames(), "what becomes of titles among passages")
	f.StringVar(&form, "format", "text", "text, markdown, latex or csv")
	return cmd
}

// waysOf returns all combinations of passages and titles. The way of collections is always
// included, for comparison.
func waysOf(passages, titles []string) (ways []lab.Passages, err error) {
	how, err := parseAll(passages, lab.ParsePassages)
	if err != nil {
		return nil, err
	}
	places, err := parseAll(titles, lab.ParseTitle)
	if err != nil {
		return nil, err
	}
	for _, p := range how {
		for _, t := range places {
			ways = append(ways, p.With(t))
		}
	}
	if len(ways) == 0 {
		return nil, errors.New("there is nothing to compare: give --passages and --titles a name each")
	}
	var once []lab.Passages // a whole is the same wherever titles go
	for _, p := range append(ways, lab.Stored) {
		if !slices.Contains(once, p) {
			once = append(once, p)
		}
	}
	return once, nil
}

// compareWays returns the outcomes of plain retrieval with whole documents, and of the
// calculus with each way.
func compareWays(cmd *cobra.Command, set *sets.Set, corpus *lab.Corpus, ways []lab.Passages) ([]lab.Outcome, error) {
	config := lab.Config{Methods: []retrieve.Mode{retrieve.Baseline}, Fusions: []fusion.Style{fusion.Simple}, Passages: []lab.Passages{lab.Whole}}
	plain, err := lab.Run(cmd.Context(), set, corpus, config)
	if err != nil {
		return nil, err
	}
	config.Methods, config.Passages = []retrieve.Mode{retrieve.Exact}, ways
	outcomes, err := ranked(cmd, set, corpus, config)
	return append(plain, outcomes...), err
}

// shortName returns an encoder's name without its revision.
func shortName(encoder string) string {
	name, _, _ := strings.Cut(encoder, " (")
	name, _, _ = strings.Cut(name, "@")
	return name
}
