package report

import (
	"bytes"
	"flag"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl/eval/lab"
	"github.com/nsfl-go/nsfl/eval/sets"
	"github.com/nsfl-go/nsfl/fusion"
	"github.com/nsfl-go/nsfl/query"
	"github.com/nsfl-go/nsfl/retrieve"
)

var update = flag.Bool("update", false, "write the golden files")

// animals returns a set of six documents and six queries.
func animals(t *testing.T) *sets.Set {
	t.Helper()
	set, err := sets.OpenLogic(filepath.Join("testdata", "animals"), "dev")
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// outcome returns the outcome of a method with the given rankings, in which a digit is the
// number of a document.
func outcome(t *testing.T, set *sets.Set, m retrieve.Mode, style fusion.Style, rankings ...string) lab.Outcome {
	t.Helper()
	o := lab.Outcome{Method: m, Fusion: style, Seconds: 0.25}
	for i, digits := range rankings {
		q := &set.Queries[i]
		var ids []string
		for _, d := range digits {
			ids = append(ids, "d"+string(d))
		}
		m, err := lab.Measure(q, ids)
		if err != nil {
			t.Fatal(err)
		}
		o.Queries = append(o.Queries, m)
	}
	return o
}

func outcomes(t *testing.T, set *sets.Set) []lab.Outcome {
	return []lab.Outcome{
		outcome(t, set, retrieve.Baseline, fusion.Simple, "213645", "643125", "316245", "231456", "123456", "451236"),
		outcome(t, set, retrieve.Rerank, fusion.Simple, "162345", "461235", "361245", "123456", "123456", "236145"),
		outcome(t, set, retrieve.GeoRerank, fusion.Simple, "162345", "643125", "162345", "514623", "123456", "453"),
		outcome(t, set, retrieve.Baseline, fusion.Contextual, "213645", "463125", "316245", "231456", "123456", "451236"),
		outcome(t, set, retrieve.Rerank, fusion.Contextual, "123645", "461235", "361245", "231456", "123456", "236145"),
	}
}

func newReport(t *testing.T) *Report {
	t.Helper()
	set := animals(t)
	titles := map[string]string{}
	for d, err := range set.Documents {
		if err != nil {
			t.Fatal(err)
		}
		titles[d.ID] = d.Title
	}
	meta := Meta{
		Set: set.Name, Split: set.Split, Encoder: "hand_made & small", Documents: 6, Queries: 6,
		Command: "nsfl eval --set animals", Title: func(id string) string { return titles[id] },
	}
	r, err := New(meta, outcomes(t, set), Options{Seed: 7, Resamples: 2000})
	if err != nil {
		t.Fatal(err)
	}
	observe(t, r, set, 0, [][]float32{
		{0.60, 0.55, 0.50, 0.10, 0.05, 0.58},  // dog
		{0.20, 0.60, 0.55, 0.02, 0.70, -0.05}, // leash
		{0.45, 0.70, 0.65, 0.01, 0.50, 0.40},  // dog AND leash
		{0.50, 0.68, 0.60, 0.05, 0.40, 0.60},  // dog AND NOT leash
	})
	observe(t, r, set, 4, [][]float32{
		{0.60, 0.55, 0.50, 0.10, 0.05, 0.58},
		{0.20, 0.60, 0.55, 0.02, 0.70, -0.05},
		{0.10, 0.05, 0.50, 0.80, 0.02, 0.60},
		{0.50, 0.55, 0.70, 0.40, 0.01, 0.55},
	})
	observe(t, r, set, 5, [][]float32{{.5, .4, .3, .2, .1, 0}, {.5, .4, .3, .2, .1, 0}, {.5, .4, .3, .2, .1, 0}, {.5, .4, .3, .2, .1, 0}, {.5, .4, .3, .2, .1, 0}, {.5, .4, .3, .2, .1, 0}, {.5, .4, .3, .2, .1, 0}})
	return r
}

// observe passes the columns of a query to a report.
func observe(t *testing.T, r *Report, set *sets.Set, i int, columns [][]float32) {
	t.Helper()
	if err := r.Observe(columnsOf(t, set, i, columns)); err != nil {
		t.Fatal(err)
	}
}

func columnsOf(t *testing.T, set *sets.Set, i int, columns [][]float32) Columns {
	t.Helper()
	f, err := query.ParseFormula(set.Queries[i].Formula)
	if err != nil {
		t.Fatal(err)
	}
	return Columns{
		Query: &set.Queries[i], Fusion: "simple", Passages: "whole", Formula: f,
		IDs: []string{"d1", "d2", "d3", "d4", "d5", "d6"}, Similarities: columns,
	}
}

func TestGolden(t *testing.T) {
	r := newReport(t)
	table := func(name string) func(io.Writer) error {
		return func(w io.Writer) error { return r.Table(w, name) }
	}
	for file, write := range map[string]func(io.Writer) error{
		"overview.md": r.Overview, "overview.json": r.JSON, "main.md": table("main"), "tiers.md": table("tiers"), "templates.md": table("templates"),
		"recall.md": table("recall"), "significance.md": table("significance"), "deltas.md": table("deltas"),
	} {
		t.Run(file, func(t *testing.T) {
			var b bytes.Buffer
			if err := write(&b); err != nil {
				t.Fatal(err)
			}
			golden(t, file, b.String())
		})
	}
}

// golden compares with a file; -update writes it. Numbers are compared to ten digits:
// processors with fused multiply-add differ in the last ones.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", "golden", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if rounded(got) != rounded(string(want)) {
		t.Errorf("%s differs; run go test -update to rewrite it. Got:\n%s", path, got)
	}
}

var long = regexp.MustCompile(`\d+\.\d{10,}(e-?\d+)?`)

func rounded(s string) string {
	return long.ReplaceAllStringFunc(strings.ReplaceAll(s, "\r\n", "\n"), func(n string) string {
		v, err := strconv.ParseFloat(n, 64)
		if err != nil {
			return n
		}
		return strconv.FormatFloat(v, 'g', 10, 64)
	})
}
