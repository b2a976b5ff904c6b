package main

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/nsfl-go/nsfl"
	"github.com/nsfl-go/nsfl/encoder/named"
	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/internal/ingest"
	"github.com/nsfl-go/nsfl/internal/screening"
)

// evalScreeningCommand simulates screenings of records whose labels are known.
func evalScreeningCommand() *cobra.Command {
	var e screeningEval
	cmd := &cobra.Command{
		Use:   "screening",
		Short: "Simulate a screening of labelled records",
		Long: `Screening reads records with labels, a column named included, label_included or label with
1 for the included ones, and simulates screenings that begin with one included and one
excluded record drawn at random. The model is fitted after each decision. Printed are, as
means over the seeds and without the two first records,

  recall     the share of the included records found after reading 10, 25 and 50 %
  WSS@95     the work saved when 95 % are found: 95 % less the share that was read
  discovery  the mean share of the records that was read before an included one
  stop       the share read when the stopping rule stops, and the true recall there

With --formula, the inclusion criteria, a second line shows the ranking that starts from them.
--runs simulates the stopping rule on random halves of the set and prints how often it stops
below 95 % recall. --asreview names a Python interpreter that has ASReview: it simulates the
same screenings with the same first records.`,
		Example: `  nsfl eval screening --set virus.csv
  nsfl eval screening --set virus.csv.gz --formula 'metagenomics AND pigs' --runs 200
  nsfl eval screening --set virus.csv --asreview venv/bin/python`,
		Args: args(0, 0, "flags only"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if e.set == "" || e.seeds < 1 || e.runs < 0 {
				return usageError{errors.New("name a file of labelled records with --set FILE; --seeds must be at least 1")}
			}
			return e.run(cmd)
		},
	}
	f := cmd.Flags()
	f.StringVar(&e.set, "set", "", "labelled records in `FILE`, such as a CSV file with title, abstract and included")
	f.StringVar(&e.formula, "formula", "", "the inclusion criteria as a formula")
	f.IntVar(&e.seeds, "seeds", 3, "how many screenings to simulate, each with other first records")
	f.IntVar(&e.runs, "runs", 0, "how often to simulate the stopping rule on a random half of the records")
	f.StringVar(&e.python, "asreview", "", "a Python interpreter `FILE` that has ASReview, to compare with")
	f.StringVar(&e.encoder, "encoder", "", encoderHelp)
	addQuiet(f)
	return cmd
}

// screeningEval holds the flags and the records of a simulation.
type screeningEval struct {
	set, formula, python, encoder string
	seeds, runs                   int

	docs     []engine.Document
	included map[string]bool // ids of the included ones
}

// run simulates and prints.
func (e *screeningEval) run(cmd *cobra.Command) error {
	ctx, out := cmd.Context(), cmd.OutOrStdout()
	if err := e.read(ctx); err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "nsfl-screening-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	chosen, err := named.Open(ctx, e.encoder)
	if err != nil {
		return err
	}
	encoder, closing := cached(chosen)
	defer closing()
	c, err := nsfl.Open(ctx, filepath.Join(dir, "records"), &nsfl.Config{Encoder: encoder})
	if err != nil {
		return err
	}
	defer c.Close() //nolint:errcheck // it is removed
	if err := e.fill(cmd, c); err != nil {
		return err
	}
	fmt.Fprintf(out, "%s: %d records, %d included, %d seeds, %s\n\n", filepath.Base(e.set), len(e.docs), len(e.included), e.seeds, encoder.Identity())
	formulas := []string{""}
	if e.formula != "" {
		formulas = append(formulas, e.formula)
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "\trecall 10 %\t25 %\t50 %\tWSS@95\tdiscovery\tstop: read\trecall")
	var stops []string
	for i, formula := range formulas {
		records, err := screening.ReadRecords(ctx, c.Searcher(), c.Store(), formula, false)
		if err != nil {
			return err
		}
		var labels []bool
		for _, id := range records.IDs() {
			labels = append(labels, e.included[id])
		}
		name := []string{"nsfl", "nsfl, with the formula"}[i]
		var all []screening.Measures
		for seed := range uint64(e.seeds) {
			priors := screening.Priors(labels, seed)
			all = append(all, screening.Measure(labels, screening.Simulate(records.Model(), labels, priors, false), len(priors)))
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		writeMeasures(w, name, all)
		if i == 0 && e.python != "" {
			if all, err = e.peer(ctx, dir, records, labels); err != nil {
				return err
			}
			writeMeasures(w, "ASReview", all)
		}
		if e.runs > 0 {
			text, err := e.stopping(ctx, records, labels)
			if err != nil {
				return err
			}
			stops = append(stops, name+": "+text)
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if stops != nil {
		fmt.Fprintf(out, "\nstopping rule, %d screenings of random halves of the records\n%s\n", e.runs, strings.Join(stops, "\n"))
	}
	return nil
}

// labelFields are the usual names of the column with the labels.
var labelFields = []string{"included", "label_included", "label"}

// read reads the records and their labels.
func (e *screeningEval) read(ctx context.Context) error {
	var skipped []string
	files, err := ingest.New(ingest.Options{Skip: func(s ingest.Skip) { skipped = append(skipped, s.String()) }})
	if err != nil {
		return err
	}
	file, err := os.Open(e.set)
	if err != nil {
		return err
	}
	defer file.Close()
	e.included = map[string]bool{}
	for d, err := range files.From(ctx, filepath.Base(e.set), file) {
		if err != nil {
			return err
		}
		var fields map[string]any
		_ = json.Unmarshal(d.Metadata, &fields) // none: there is no label
		at := slices.IndexFunc(labelFields, func(name string) bool { return fields[name] != nil })
		if at < 0 {
			return fmt.Errorf("reading %s: record %q has no label; it needs a column named %s with 1 or 0", e.set, d.ID, strings.Join(labelFields, ", "))
		}
		e.docs = append(e.docs, d)
		if fmt.Sprint(fields[labelFields[at]]) == "1" {
			e.included[d.ID] = true
		}
	}
	if len(skipped) > 0 {
		return fmt.Errorf("reading %s: %s", e.set, strings.Join(skipped[:min(3, len(skipped))], "; "))
	}
	if len(e.included) == 0 || len(e.included) == len(e.docs) {
		return fmt.Errorf("reading %s: there must be included and excluded records", e.set)
	}
	return nil
}

// fill stores the records in a collection.
func (e *screeningEval) fill(cmd *cobra.Command, c *nsfl.Collection) error {
	bar := newBar(cmd, "encoding", int64(len(e.docs)), "records")
	defer bar.Done("")
	for some := range slices.Chunk(e.docs, 100) {
		if err := c.Add(cmd.Context(), some...); err != nil {
			return err
		}
		bar.Add(int64(len(some)))
	}
	return nil
}

// stopping simulates the stopping rule on random halves of the records.
func (e *screeningEval) stopping(ctx context.Context, records *screening.Records, labels []bool) (string, error) {
	below, read, recall, least := 0, 0.0, 0.0, 1.0
	for seed := range uint64(e.runs) {
		some := rand.New(rand.NewPCG(seed, 7)).Perm(len(labels))[:len(labels)/2]
		own := make([]bool, len(some))
		for i, r := range some {
			own[i] = labels[r]
		}
		priors := screening.Priors(own, seed)
		if len(priors) < 2 {
			return "", errors.New("a random half of the records has no included one; the set is too small for --runs")
		}
		m := screening.Measure(own, screening.Simulate(records.Some(some).Model(), own, priors, true), len(priors))
		if m.StopRecall < screening.TargetRecall {
			below++
		}
		read, recall, least = read+m.StopRead, recall+m.StopRecall, min(least, m.StopRecall)
		if err := ctx.Err(); err != nil {
			return "", err
		}
	}
	n := float64(e.runs)
	return fmt.Sprintf("below %.0f %% recall in %d of %d (%.1f %%); mean recall %.3f, least %.3f; %.1f %% read, %.1f %% of the work saved",
		100*screening.TargetRecall, below, e.runs, 100*float64(below)/n, recall/n, least, 100*read/n, 100-100*read/n), nil
}

// writeMeasures writes the means of some screenings.
func writeMeasures(w io.Writer, name string, all []screening.Measures) {
	var means [7]float64
	for _, m := range all {
		for i, v := range []float64{m.Recall10, m.Recall25, m.Recall50, m.WSS95, m.Discovery, m.StopRead, m.StopRecall} {
			means[i] += v / float64(len(all))
		}
	}
	fmt.Fprint(w, name)
	for _, mean := range means {
		fmt.Fprintf(w, "\t%.3f", mean)
	}
	fmt.Fprintln(w)
}

//go:embed asreview.py
var asreview string

// peer simulates the same screenings with ASReview.
func (e *screeningEval) peer(ctx context.Context, dir string, records *screening.Records, labels []bool) ([]screening.Measures, error) {
	texts := map[string]engine.Document{}
	for _, d := range e.docs {
		texts[d.ID] = d
	}
	var table bytes.Buffer
	w := csv.NewWriter(&table)
	rows := [][]string{{"title", "abstract", "included"}}
	for i, id := range records.IDs() {
		label := map[bool]string{false: "0", true: "1"}[labels[i]]
		rows = append(rows, []string{texts[id].Title, texts[id].Text, label})
	}
	if err := w.WriteAll(rows); err != nil {
		return nil, err
	}
	name := filepath.Join(dir, "records.csv")
	if err := os.WriteFile(name, table.Bytes(), 0o600); err != nil {
		return nil, err
	}
	var all []screening.Measures
	for seed := range uint64(e.seeds) {
		priors := screening.Priors(labels, seed)
		args := []string{"-c", asreview, name}
		for _, p := range priors {
			args = append(args, strconv.Itoa(p))
		}
		run := exec.CommandContext(ctx, e.python, args...)
		var problems bytes.Buffer
		run.Stderr = &problems
		out, err := run.Output()
		if err != nil {
			return nil, fmt.Errorf("running ASReview with %s: %w; it must be a Python that has asreview 2.2 (pip install asreview==2.2)\n%s", e.python, err, bytes.TrimSpace(problems.Bytes()))
		}
		var order []int
		for word := range strings.FieldsSeq(string(out)) {
			row, err := strconv.Atoi(word)
			if err != nil || row < 0 || row >= len(labels) {
				return nil, fmt.Errorf("reading ASReview's output: %q is no row", word)
			}
			order = append(order, row)
		}
		all = append(all, screening.Measure(labels, order, len(priors)))
	}
	return all, nil
}
