package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/nsfl-go/nsfl/eval/lab"
	"github.com/nsfl-go/nsfl/eval/report"
	"github.com/nsfl-go/nsfl/eval/sets"
	"github.com/nsfl-go/nsfl/fusion"
	"github.com/nsfl-go/nsfl/profile"
	"github.com/nsfl-go/nsfl/retrieve"
)

func evalCommand() *cobra.Command {
	var e evaluation
	cmd := &cobra.Command{
		Use:   "eval",
		Short: "Measure search quality on a set",
		Long: `Eval ranks the documents of a set for each query by several methods and measures the
rankings: mAP@100 by template with both denominators (min(R,100) and R), recall, confidence
intervals and tests against plain retrieval. Without flags it measures the default search on
the demo; --profile paper --passages whole is the paper's configuration, the default of the
subcommands for its tables.

A set is the word demo or a folder: a logic set (corpus.jsonl, queries.SPLIT.jsonl), QUEST (documents.jsonl, SPLIT.jsonl) or BEIR (corpus.jsonl, queries.jsonl, qrels/).
Vectors are computed once and cached; an interrupted run continues where it stopped. With
several sets and encoders, each combination is measured and its name is added to the output
files. The subcommands print the tables of the paper.`,
		Example: `  nsfl eval --set demo
  nsfl eval --set data/coco --split dev --methods baseline,rerank,exact
  nsfl eval --set data/coco --vectors vectors/minilm --fusion simple,contextual --json out.json
  nsfl eval --set demo --encoder builtin --encoder all-MiniLM-L6-v2
  nsfl eval tiers --set demo`,
		Args: args(0, 0, "flags only; nsfl help eval lists them"),
		RunE: func(cmd *cobra.Command, _ []string) error { return e.run(cmd, "") },
	}
	e.add(cmd.Flags())
	e.passages, e.asSearched = []string{"stored"}, true
	cmd.Flags().Lookup("passages").DefValue = "stored"
	cmd.Flags().Lookup("profile").Usage = profileHelp + "; default: the encoder's own"
	for _, t := range report.Tables {
		cmd.AddCommand(tableCommand(t.Name, t.About))
	}
	cmd.AddCommand(evalMakeCommand(), evalGainsCommand(), evalPeersCommand(), evalSentencesCommand(), evalKnownCommand(), evalScreeningCommand())
	return cmd
}

// tableCommand returns the command that prints a table of the paper.
func tableCommand(name, about string) *cobra.Command {
	var e evaluation
	cmd := &cobra.Command{
		Use:     name,
		Short:   about,
		Example: fmt.Sprintf("  nsfl eval %s --set demo", name),
		Args:    args(0, 0, "flags only"),
		RunE:    func(cmd *cobra.Command, _ []string) error { return e.run(cmd, name) },
	}
	e.add(cmd.Flags())
	if name != "tiers" && name != "templates" {
		e.methods = []string{"baseline", "rerank"}
		if name != "deltas" {
			e.fusions = []string{"simple", "contextual"}
		}
	}
	cmd.Flags().Lookup("methods").DefValue = strings.Join(e.methods, ",")
	cmd.Flags().Lookup("fusion").DefValue = strings.Join(e.fusions, ",")
	return cmd
}

// evaluation holds the flags of nsfl eval.
type evaluation struct {
	setFlags
	methods, fusions, passages []string
	options                    retrieve.Options
	json, runFile              string
	// asSearched makes the default profile that of a search instead of the paper's.
	asSearched bool
}

// add adds the flags of nsfl eval.
func (e *evaluation) add(f *pflag.FlagSet) {
	e.setFlags.add(f)
	e.addEncoders(f)
	f.StringVar(&e.vectors, "vectors", "", "read precomputed vectors from this `DIR` instead of encoding")
	f.StringSliceVar(&e.methods, "methods", retrieve.ModeNames()[1:], "the methods to compare")
	f.StringSliceVar(&e.fusions, "fusion", []string{"simple"}, "simple, contextual, centroid")
	f.StringSliceVar(&e.passages, "passages", []string{"whole"}, "how documents with passages are compared: "+strings.Join(lab.WayNames(), ", "))
	addProfile(f, &e.options.Profile, "profile", profileHelp+"; default: paper")
	addKnobs(f, e.options.Research.Knobs(), "mode", "fusion", "pool", "solver")
	f.StringVar(&e.json, "json", "", "write the figures to this `FILE`, or - for standard output")
	f.StringVar(&e.runFile, "run", "", "write the first method's rankings to this `FILE`, as a TREC run")
}

// config returns the configuration of the experiment.
func (e *evaluation) config() (c lab.Config, err error) {
	for _, word := range e.methods {
		m, err := retrieve.ParseMode(word)
		if err != nil || m == retrieve.Auto {
			return c, fmt.Errorf("unknown method %q: it is one of %s", word, strings.Join(retrieve.ModeNames()[1:], ", "))
		}
		c.Methods = append(c.Methods, m)
	}
	if c.Fusions, err = parseAll(e.fusions, fusion.ParseStyle); err != nil {
		return c, err
	}
	if c.Passages, err = parseAll(e.passages, lab.ParsePassages); err != nil {
		return c, err
	}
	c.Options = e.options
	return c, c.Options.Check()
}

// parseAll parses a list of words.
func parseAll[T any](words []string, parse func(string) (T, error)) (out []T, err error) {
	for _, word := range words {
		v, err := parse(word)
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return out, nil
}

// run measures, prints the named table or the overview, and writes the requested files.
func (e *evaluation) run(cmd *cobra.Command, table string) error {
	config, err := e.config()
	if err != nil {
		return usageError{err}
	}
	if len(e.sets) == 0 && e.vectors == "" {
		e.sets = []string{"demo"}
	}
	out, separator := cmd.OutOrStdout(), ""
	return e.each(cmd, config.Passages, func(name string, set *sets.Set, corpus *lab.Corpus) error {
		r, err := e.measure(cmd, set, corpus, config, name, table == "deltas")
		if err != nil || e.json == "-" {
			return err
		}
		fmt.Fprint(out, separator)
		separator = "\n"
		if table != "" {
			return r.Table(out, table)
		}
		return r.Overview(out)
	})
}

// measure runs all methods and writes the requested files, with name added to their names.
func (e *evaluation) measure(cmd *cobra.Command, set *sets.Set, corpus *lab.Corpus, config lab.Config, name string, deltas bool) (*report.Report, error) {
	if config.Options.Profile == nil {
		config.Options.Profile = profile.Paper()
		if e.asSearched {
			config.Options.Profile = profile.For(corpus.EncoderName())
		}
	}
	outcomes, err := ranked(cmd, set, corpus, config)
	if err != nil {
		return nil, err
	}
	about := meta(cmd, set, corpus)
	about.Profile = config.Options.Profile.Name
	if about.Title, err = titlesOf(set); err != nil {
		return nil, err
	}
	r, err := report.New(about, outcomes, report.Options{Seed: e.seed})
	if err == nil && deltas {
		err = observe(cmd.Context(), r, set, corpus, config)
	}
	if err != nil {
		return nil, err
	}
	run := func(w io.Writer) error { return writeRun(w, outcomes[0]) }
	for _, out := range []struct {
		path  string
		write func(io.Writer) error
	}{{e.json, r.JSON}, {e.runFile, run}} {
		if out.path == "" {
			continue
		}
		if err := writeTo(cmd, withName(out.path, name), out.write); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// titlesOf returns a lookup of titles, or first words, by document.
func titlesOf(set *sets.Set) (func(string) string, error) {
	titles := map[string]string{}
	for d, err := range set.Documents {
		if err != nil {
			return nil, err
		}
		titles[d.ID] = clip(cmp.Or(d.Title, strings.Join(d.Passages, " ")), 80)
	}
	return func(id string) string { return titles[id] }, nil
}

// observe adds the similarities behind some queries of each template to the report.
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

// writeRun writes rankings in TREC's format.
func writeRun(w io.Writer, o lab.Outcome) error {
	rankings := map[string][]string{}
	for i := range o.Queries {
		rankings[o.Queries[i].Query.ID] = o.Queries[i].Ranking
	}
	return sets.WriteRun(w, "nsfl-"+o.Method.String(), rankings)
}

// withName adds a name before the extension of a path.
func withName(path, name string) string {
	if name == "" || path == "-" {
		return path
	}
	name = regexp.MustCompile(`[^\p{L}\p{Nd}.-]`).ReplaceAllString(name, "_")
	ending := filepath.Ext(path)
	return strings.TrimSuffix(path, ending) + "-" + name + ending
}
