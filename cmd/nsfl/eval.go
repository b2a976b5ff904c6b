package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"unicode"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/nsfl-go/nsfl/encoder"
	"github.com/nsfl-go/nsfl/encoder/cache"
	"github.com/nsfl-go/nsfl/encoder/named"
	"github.com/nsfl-go/nsfl/eval/lab"
	"github.com/nsfl-go/nsfl/eval/report"
	"github.com/nsfl-go/nsfl/eval/sets"
	"github.com/nsfl-go/nsfl/fusion"
	"github.com/nsfl-go/nsfl/internal/progress"
	"github.com/nsfl-go/nsfl/retrieve"
)

func evalCommand() *cobra.Command {
	var e evaluation
	cmd := &cobra.Command{
		Use:   "eval",
		Short: "Measure methods on a set of queries with known answers",
		Long: `Eval ranks the documents of a set for each of its queries by several methods and
measures the rankings: mAP@100 by template with both denominators (min(R,100) and R),
recall, intervals and tests against plain retrieval.

A set is the word demo, or a folder: a logic set (corpus.jsonl, queries.SPLIT.jsonl),
QUEST (documents.jsonl, SPLIT.jsonl) or BEIR (corpus.jsonl, queries.jsonl, qrels/).
Vectors are computed once and cached; an interrupted run goes on where it stopped.
The sub-commands print the tables of the paper.`,
		Example: `  nsfl eval --set demo
  nsfl eval --set data/coco --split dev --methods baseline,rerank,exact --html report.html
  nsfl eval --set data/coco --vectors vectors/minilm --fusion simple,contextual --json out.json
  nsfl eval --set demo --encoder builtin --encoder all-MiniLM-L6-v2
  nsfl eval tiers --set demo
  nsfl eval coco --instances instances_val2017.json --captions captions_val2017.json --out coco`,
		Args: args(0, 0, "flags only; nsfl help eval lists them"),
		RunE: func(cmd *cobra.Command, _ []string) error { return e.run(cmd, "") },
	}
	e.add(cmd.Flags())
	for _, name := range report.TableNames() {
		cmd.AddCommand(tableCommand(name))
	}
	cmd.AddCommand(evalPassagesCommand(), evalCOCOCommand(), evalTRECCommand(), evalNevIRCommand(), evalGainsCommand(), evalPeersCommand())
	return cmd
}

// tableNotes say which table of the paper a sub-command prints.
var tableNotes = map[string]string{
	"main":         "Plain retrieval and reranking by template: the paper's main results",
	"tiers":        "The mean of every method: the paper's ablation of tiers",
	"templates":    "Every method by template: the paper's ablation in full",
	"recall":       "Recall@20 and recall@100 by template",
	"significance": "Differences to plain retrieval with intervals and tests",
	"deltas":       "Similarities and deltas of single documents: the paper's delta extraction",
}

func tableCommand(name string) *cobra.Command {
	var e evaluation
	cmd := &cobra.Command{
		Use:     name,
		Short:   tableNotes[name],
		Example: fmt.Sprintf("  nsfl eval %s --set demo", name),
		Args:    args(0, 0, "flags only"),
		RunE:    func(cmd *cobra.Command, _ []string) error { return e.run(cmd, name) },
	}
	e.add(cmd.Flags())
	switch name {
	case "main", "recall", "significance":
		e.methods = []string{"baseline", "rerank"}
		e.fusions = []string{"simple", "contextual"}
	case "deltas":
		e.methods = []string{"baseline", "rerank"}
	}
	cmd.Flags().Lookup("methods").DefValue = strings.Join(e.methods, ",")
	cmd.Flags().Lookup("fusion").DefValue = strings.Join(e.fusions, ",")
	return cmd
}

// encoderHelp is what --encoder says of itself.
const encoderHelp = "builtin, a model's name, onnx:DIR, ollama:MODEL, openai:MODEL …"

// evaluation is one run of nsfl eval.
type evaluation struct {
	set, split, vectors              string
	encoders                         []string
	methods, fusions, passages       []string
	options                          retrieve.Options
	json, markdown, latex, csv, html string
	runFile, format, profile         string
	seed                             uint64
	quiet                            bool
}

func (e *evaluation) add(f *pflag.FlagSet) {
	f.StringVar(&e.set, "set", "", "demo, or the folder of a set")
	f.StringVar(&e.split, "split", "dev", "which of its queries")
	f.StringSliceVar(&e.methods, "methods", retrieve.ModeNames()[1:], "what to compare")
	f.StringSliceVar(&e.fusions, "fusion", []string{"simple"}, "simple, contextual, centroid")
	f.StringSliceVar(&e.passages, "passages", []string{"whole"}, "how documents with passages are compared: "+strings.Join(lab.WayNames(), ", ")+"; what becomes of titles may follow, as in meanmax:prefix")
	f.StringArrayVar(&e.encoders, "encoder", nil, encoderHelp+"; several are measured one after the other, and files get their names")
	f.StringVar(&e.vectors, "vectors", "", "a folder of frozen vectors instead of an encoder")
	f.StringVar(&e.profile, "profile", "", profileHelp+"; paper by default")
	addKnobs(f, e.options.Research.Knobs(), "mode", "fusion", "pool", "solver")
	f.StringVar(&e.json, "json", "", "write the figures to this file, - for standard output")
	f.StringVar(&e.markdown, "markdown", "", "write the table as Markdown")
	f.StringVar(&e.latex, "latex", "", "write the table as LaTeX")
	f.StringVar(&e.csv, "csv", "", "write every cell as CSV")
	f.StringVar(&e.html, "html", "", "write one page with plots and every query")
	f.StringVar(&e.runFile, "run", "", "write the first method's rankings as a TREC run")
	f.StringVar(&e.format, "format", "text", "of the paper's tables: text, markdown or latex")
	f.Uint64Var(&e.seed, "seed", 1, "of the resampling")
	f.BoolVar(&e.quiet, "quiet", false, "show no progress")
}

func (e *evaluation) config() (c lab.Config, err error) {
	for _, word := range e.methods {
		m, err := retrieve.ParseMode(word)
		if err != nil || m == retrieve.Auto {
			return c, fmt.Errorf("unknown method %q: it is one of %s", word, strings.Join(retrieve.ModeNames()[1:], ", "))
		}
		c.Methods = append(c.Methods, m)
	}
	for _, word := range e.fusions {
		s, err := fusion.ParseStyle(word)
		if err != nil {
			return c, err
		}
		c.Fusions = append(c.Fusions, s)
	}
	for _, word := range e.passages {
		p, err := lab.ParsePassages(word)
		if err != nil {
			return c, err
		}
		c.Passages = append(c.Passages, p)
	}
	c.Options = e.options
	if c.Options.Profile, err = readProfile(e.profile); err != nil {
		return c, err
	}
	return c, c.Options.Check()
}

// run measures with each encoder, prints the table of a name, or the overview, and
// writes what else is wanted.
func (e *evaluation) run(cmd *cobra.Command, table string) error {
	config, err := e.config()
	if err != nil {
		return usageError{err}
	}
	format, err := report.ParseFormat(e.format)
	if err != nil {
		return usageError{err}
	}
	if e.vectors != "" && len(e.encoders) > 0 {
		return usageError{fmt.Errorf("--vectors stands instead of --encoder; give one of them")}
	}
	set, closeSet, err := openSet(cmd, e.set, e.split)
	if err != nil {
		return err
	}
	defer closeSet()
	titles, err := titlesOf(set)
	if err != nil {
		return err
	}
	words := e.encoders
	if len(words) == 0 {
		words = []string{""}
	}
	for i, word := range words {
		if i > 0 && e.json != "-" {
			fmt.Fprintln(cmd.OutOrStdout())
		}
		r, outcomes, err := e.measure(cmd, set, titles, word, config, table == "deltas")
		if err != nil {
			return err
		}
		name := ""
		if len(words) > 1 {
			name = word
		}
		if err := e.write(cmd.OutOrStdout(), r, outcomes[0], name); err != nil {
			return err
		}
		switch {
		case e.json == "-":
		case table != "":
			err = r.Table(cmd.OutOrStdout(), table, format)
		default:
			err = r.Text(cmd.OutOrStdout())
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// measure runs all methods with one encoder.
func (e *evaluation) measure(cmd *cobra.Command, set *sets.Set, titles func(string) string, word string, config lab.Config, deltas bool) (*report.Report, []lab.Outcome, error) {
	corpus, closeCorpus, err := e.corpus(cmd, set, word, config.Passages)
	if err != nil {
		return nil, nil, err
	}
	defer closeCorpus()
	var done func()
	config.Progress, done = ranking(cmd, "rankings", e.quiet)
	outcomes, err := lab.Run(cmd.Context(), set, corpus, config)
	done()
	if err != nil {
		return nil, nil, err
	}
	r, err := report.New(report.Meta{
		Set: set.Name, Split: set.Split, Encoder: corpus.Encoder, Documents: len(corpus.IDs), Queries: len(set.Queries),
		Command: "nsfl " + strings.Join(commandWords(cmd), " "), Title: titles,
	}, outcomes, report.Options{Seed: e.seed})
	if err == nil && (e.html != "" || deltas) {
		err = observe(cmd.Context(), r, set, corpus, config)
	}
	return r, outcomes, err
}

// ranking shows how many of some items are ranked; done is to be called after the last.
func ranking(cmd *cobra.Command, items string, quiet bool) (told func(done, total int), done func()) {
	var bar *progress.Bar
	var once sync.Once
	told = func(done, total int) {
		once.Do(func() { bar = newBar(cmd, "ranking", int64(total), progress.Items(items), quiet) })
		bar.Set(int64(done))
	}
	return told, func() {
		if bar != nil {
			bar.Done("")
		}
	}
}

// corpus has the vectors of a set's documents, for some ways to compare them.
func (e *evaluation) corpus(cmd *cobra.Command, set *sets.Set, word string, ways []lab.Passages) (*lab.Corpus, func(), error) {
	if e.vectors != "" {
		c, err := lab.Frozen(e.vectors, set)
		return c, func() {}, err
	}
	chosen, err := named.Open(cmd.Context(), word)
	if err != nil {
		return nil, nil, err
	}
	encoder, closing := cached(cmd.Context(), chosen)
	c, err := encoded(cmd, encoder, set, ways, "encoding", e.quiet)
	if err != nil {
		closing()
		return nil, nil, err
	}
	return c, closing, nil
}

// cached is an encoder that keeps vectors on the disk, so that an interrupted run goes
// on where it stopped.
func cached(ctx context.Context, chosen *named.Encoder) (encoder.Encoder, func()) {
	dir, err := os.UserCacheDir()
	if err != nil || os.Getenv(named.CacheEnv) == "off" {
		return chosen.Encoder, func() { _ = chosen.Close() }
	}
	kept := cache.Open(ctx, chosen.Encoder, filepath.Join(dir, "nsfl", "eval"), cache.Options{MaxBytes: 4 << 30})
	return kept, func() { _ = kept.Close(); _ = chosen.Close() }
}

// encoded has the documents of a set encoded, and shows how far that is.
func encoded(cmd *cobra.Command, e encoder.Encoder, set *sets.Set, ways []lab.Passages, title string, quiet bool) (*lab.Corpus, error) {
	bar := newBar(cmd, title, 0, progress.Items("documents"), quiet)
	defer bar.Done("")
	return lab.Encode(cmd.Context(), e, set, ways, func(n int) { bar.Set(int64(n)) })
}

// observe shows the report the similarities behind some queries of each template.
func observe(ctx context.Context, r *report.Report, set *sets.Set, corpus *lab.Corpus, config lab.Config) error {
	const each = 25
	seen := map[string]int{}
	for i := range set.Queries {
		q := &set.Queries[i]
		if seen[q.Template]++; seen[q.Template] > each {
			continue
		}
		encoded, columns, err := lab.Columns(ctx, corpus, q, config.Fusions[0], config.Passages[0])
		if err != nil {
			return err
		}
		err = r.Observe(report.Columns{
			Query: q, Fusion: config.Fusions[0].String(), Passages: config.Passages[0].String(),
			Formula: encoded.Formula, IDs: corpus.IDs, Similarities: columns,
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// write writes the files that are wanted; with several encoders each has its name
// in the files' names.
func (e *evaluation) write(stdout io.Writer, r *report.Report, first lab.Outcome, encoder string) error {
	run := func(w io.Writer) error { return writeRun(w, first) }
	for _, out := range []struct {
		path  string
		write func(io.Writer) error
	}{{e.json, r.JSON}, {e.markdown, r.Markdown}, {e.latex, r.LaTeX}, {e.csv, r.CSV}, {e.html, r.HTML}, {e.runFile, run}} {
		switch out.path {
		case "":
		case "-":
			if err := out.write(stdout); err != nil {
				return err
			}
		default:
			if err := writeFile(withName(out.path, encoder), out.write); err != nil {
				return err
			}
		}
	}
	return nil
}

// withName puts a name before the ending of a path.
func withName(path, name string) string {
	if name == "" {
		return path
	}
	name = strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || r == '.' || r == '-' {
			return r
		}
		return '_'
	}, name)
	ending := filepath.Ext(path)
	return strings.TrimSuffix(path, ending) + "-" + name + ending
}

// writeFile writes a file beside its place and moves it there when it is whole.
func writeFile(path string, write func(io.Writer) error) error {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) //nolint:errcheck // it has moved, or is of no use
	if err := write(f); err != nil {
		f.Close()
		return err
	}
	if err := f.Chmod(0o644); err != nil {
		f.Close()
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

// commandWords is the command line, for the report.
func commandWords(cmd *cobra.Command) []string {
	words := strings.Fields(cmd.CommandPath())[1:]
	cmd.Flags().Visit(func(f *pflag.Flag) {
		value := strings.Trim(f.Value.String(), "[]")
		switch f.Name {
		case "json", "markdown", "latex", "csv", "html", "run", "quiet":
			return
		case "set", "vectors":
			value = filepath.Base(value)
		}
		words = append(words, "--"+f.Name, value)
	})
	return words
}
