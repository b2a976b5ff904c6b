package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/nsfl-go/nsfl/eval/sets"
)

func evalMakeCommand() *cobra.Command {
	var corpus, out, split string
	var o sets.GenerateOptions
	cmd := &cobra.Command{
		Use:   "make",
		Short: "Make a logic set from labelled documents",
		Long: `Make draws queries of the six templates over the labels of a corpus, in which every
negated atom really removes something, and writes a logic set. A line of the corpus is
{"_id": "…", "title": "…", "passages": ["…"], "labels": ["…"]}. The same seed makes the
same set.`,
		Example: `  nsfl eval make --corpus films.jsonl --atom '{} films' --out films
  nsfl eval peers --set films`,
		Args: args(0, 0, "flags only"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if corpus == "" || out == "" {
				return usageError{fmt.Errorf("--corpus and --out are needed")}
			}
			docs, err := sets.ReadCorpus(corpus)
			if err != nil {
				return err
			}
			queries, err := sets.Generate(docs, o)
			if err != nil {
				return err
			}
			if err := sets.WriteLogic(out, docs, split, queries); err != nil {
				return err
			}
			return say(cmd, map[string]any{"documents": len(docs), "queries": len(queries), "set": out, "split": split},
				"%s: %d documents, %d queries in split %s", out, len(docs), len(queries), split)
		},
	}
	f := cmd.Flags()
	f.StringVar(&corpus, "corpus", "", "the labelled documents, a JSONL `FILE`, which may be compressed")
	f.StringVar(&o.Atom, "atom", "{}", "the wording of an atom, with {} for the label")
	f.StringVar(&out, "out", "", "the `DIR` to create")
	f.StringVar(&split, "split", "dev", "the name of the split")
	f.Uint64Var(&o.Seed, "seed", 1, "seed of the choice of queries")
	f.IntVar(&o.PerTemplate, "queries", 100, "number of queries per template")
	f.IntVar(&o.MinRelevant, "min-relevant", 10, "minimum number of documents that match a query")
	f.IntVar(&o.MinRemoved, "min-removed", 10, "minimum number of documents that an excluded atom removes")
	addJSON(f)
	return cmd
}
