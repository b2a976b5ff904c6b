package main

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/nsfl-go/nsfl/eval/lab"
	"github.com/nsfl-go/nsfl/eval/report"
	"github.com/nsfl-go/nsfl/eval/sets"
	"github.com/nsfl-go/nsfl/fusion"
	"github.com/nsfl-go/nsfl/retrieve"
)

func evalPassagesCommand() *cobra.Command {
	var s study
	var words, titles []string
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
			ways, err := waysOf(words, titles)
			if err != nil {
				return usageError{err}
			}
			fill := func(set *sets.Set, corpus *lab.Corpus, column *report.Column) error {
				column.Outcomes, err = s.outcomes(cmd, set, corpus, ways)
				return err
			}
			return s.run(cmd, ways, fill, func(r report.Study, f report.Format) error { return r.Passages(cmd.OutOrStdout(), f) })
		},
	}
	s.add(cmd.Flags())
	cmd.Flags().StringSliceVar(&words, "passages", lab.WayNames(), "the ways to compare")
	cmd.Flags().StringSliceVar(&titles, "titles", lab.TitleNames(), "what becomes of titles among passages")
	return cmd
}

// waysOf are all ways with all places of titles. What collections do is among them
// in any case: the others are held against it.
func waysOf(words, titles []string) (ways []lab.Passages, err error) {
	add := func(p lab.Passages) {
		if !slices.Contains(ways, p) {
			ways = append(ways, p)
		}
	}
	for _, word := range words {
		p, err := lab.ParsePassages(word)
		if err != nil {
			return nil, err
		}
		for _, word := range titles {
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
	config.Progress, done = s.ranking(cmd)
	defer done()
	ranked, err := lab.Run(cmd.Context(), set, corpus, config)
	return append(plain, ranked...), err
}
