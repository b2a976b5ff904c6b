package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"text/tabwriter"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/nsfl-go/nsfl/eval/measure"
	"github.com/nsfl-go/nsfl/eval/sets"
)

// making holds the flags for generating a logic set.
type making struct {
	out, split string
	sets.GenerateOptions
}

func (m *making) add(f *pflag.FlagSet) {
	f.StringVar(&m.out, "out", "", "the directory to create")
	f.StringVar(&m.split, "split", "dev", "the name of the split")
	f.Uint64Var(&m.Seed, "seed", 1, "seed of the choice of queries")
	f.IntVar(&m.PerTemplate, "queries", 100, "queries per template")
	f.IntVar(&m.MinRelevant, "min-relevant", 10, "minimum number of documents that match a query")
	f.IntVar(&m.MinRemoved, "min-removed", 10, "minimum number of documents that an excluded atom removes")
	addJSON(f)
}

// write generates queries and writes the set.
func (m *making) write(cmd *cobra.Command, docs []sets.Document) error {
	queries, err := sets.Generate(docs, m.GenerateOptions)
	if err != nil {
		return err
	}
	if err := sets.WriteLogic(m.out, docs, m.split, queries); err != nil {
		return err
	}
	return say(cmd, map[string]any{"documents": len(docs), "queries": len(queries), "set": m.out, "split": m.split},
		"%s: %d documents, %d queries in split %s", m.out, len(docs), len(queries), m.split)
}

func evalMakeCommand() *cobra.Command {
	var m making
	var corpus string
	cmd := &cobra.Command{
		Use:   "make",
		Short: "Make a logic set of any labelled documents",
		Long: `Make draws queries of the six templates over the labels of a corpus, in which every
negated atom really removes something, and writes a logic set. A line of the corpus is
{"_id": "…", "title": "…", "passages": ["…"], "labels": ["…"]}. The same seed makes the
same set.`,
		Example: `  nsfl eval make --corpus films.jsonl --atom '{} films' --out films
  nsfl eval peers --set films`,
		Args: args(0, 0, "flags only"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if corpus == "" || m.out == "" {
				return usageError{fmt.Errorf("--corpus and --out are needed")}
			}
			docs, err := sets.ReadCorpus(corpus)
			if err != nil {
				return err
			}
			return m.write(cmd, docs)
		},
	}
	f := cmd.Flags()
	f.StringVar(&corpus, "corpus", "", "the documents, JSONL, also compressed")
	f.StringVar(&m.Atom, "atom", "{}", "how a label is worded in a query")
	m.add(f)
	return cmd
}

func evalCOCOCommand() *cobra.Command {
	var m making
	var instances, captions string
	cmd := &cobra.Command{
		Use:   "coco",
		Short: "Make a logic set of COCO's annotations",
		Long: `Coco reads COCO's own instances_*.json and captions_*.json and writes a logic set:
a document for each picture (its captions, its objects as labels), and queries as nsfl
eval make draws them.`,
		Example: `  nsfl eval coco --instances instances_val2017.json --captions captions_val2017.json --out coco
  nsfl eval --set coco --methods baseline,rerank`,
		Args: args(0, 0, "flags only"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if instances == "" || m.out == "" {
				return usageError{fmt.Errorf("--instances and --out are needed")}
			}
			docs, err := sets.ReadCOCO(instances, captions)
			if err != nil {
				return err
			}
			return m.write(cmd, docs)
		},
	}
	f := cmd.Flags()
	f.StringVar(&instances, "instances", "", "COCO's instances_*.json")
	f.StringVar(&captions, "captions", "", "COCO's captions_*.json")
	m.add(f)
	return cmd
}

func evalTRECCommand() *cobra.Command {
	var qrels, run string
	cmd := &cobra.Command{
		Use:     "trec",
		Short:   "Measure a TREC run by TREC judgements, as trec_eval does",
		Example: `  nsfl eval trec --qrels qrels.txt --run run.txt`,
		Args:    args(0, 0, "flags only"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if qrels == "" || run == "" {
				return usageError{fmt.Errorf("--qrels and --run are needed")}
			}
			judged, err := sets.ReadQrels(qrels)
			if err != nil {
				return err
			}
			results, err := sets.ReadRun(run)
			if err != nil {
				return err
			}
			means, n, err := trecMeans(judged, results)
			if err != nil {
				return err
			}
			return answer(cmd, map[string]any{"run": results.Tag, "num_q": n, "measures": means}, func(w io.Writer) {
				t := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
				fmt.Fprintf(t, "runid\tall\t%s\nnum_q\tall\t%d\n", results.Tag, n)
				for _, m := range trecMeasures {
					fmt.Fprintf(t, "%s\tall\t%.4f\n", m.name, means[m.name])
				}
				_ = t.Flush() // where nobody can read there is nobody to tell
			})
		},
	}
	cmd.Flags().StringVar(&qrels, "qrels", "", "judgements: query, ignored, document, grade")
	cmd.Flags().StringVar(&run, "run", "", "a run: query, ignored, document, rank, score, name")
	addJSON(cmd.Flags())
	return cmd
}

// trecMeasures lists the measures of trec_eval that are printed.
var trecMeasures = []struct {
	name string
	of   func(measure.Judged) float64
}{
	{"map", func(j measure.Judged) float64 { return j.AveragePrecision(0, measure.All) }},
	{"map_cut_100", func(j measure.Judged) float64 { return j.AveragePrecision(100, measure.All) }},
	{"Rprec", measure.Judged.RPrecision},
	{"recip_rank", func(j measure.Judged) float64 { return j.ReciprocalRank(0) }},
	{"P_10", func(j measure.Judged) float64 { return j.Precision(10) }},
	{"recall_20", func(j measure.Judged) float64 { return j.Recall(20) }},
	{"recall_100", func(j measure.Judged) float64 { return j.Recall(100) }},
	{"ndcg", func(j measure.Judged) float64 { return j.NDCG(0) }},
	{"ndcg_cut_10", func(j measure.Judged) float64 { return j.NDCG(10) }},
}

// trecMeans returns means over the queries in both files, as trec_eval without -c.
func trecMeans(judged sets.Qrels, run *sets.Run) (means map[string]float64, n int, err error) {
	means = map[string]float64{}
	for id, found := range run.Results {
		grades, known := judged[id]
		if !known {
			continue
		}
		ideal := slices.Sorted(maps.Values(grades))
		slices.Reverse(ideal)
		j, err := measure.Judge(sets.Rank(found), func(doc string) int { return grades[doc] }, ideal)
		if err != nil {
			return nil, 0, fmt.Errorf("query %s: %w", id, err)
		}
		n++
		for _, m := range trecMeasures {
			means[m.name] += m.of(j)
		}
	}
	if n == 0 {
		return nil, 0, fmt.Errorf("the run and the judgements have no query in common")
	}
	for name := range means {
		means[name] /= float64(n)
	}
	return means, n, nil
}
