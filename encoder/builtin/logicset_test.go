package builtin

import (
	"bufio"
	"cmp"
	"compress/gzip"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl/fusion"
	"github.com/nsfl-go/nsfl/internal/frozen"
	"github.com/nsfl-go/nsfl/logic"
	"github.com/nsfl-go/nsfl/query"
	"github.com/nsfl-go/nsfl/vec"
)

var sets = flag.String("sets", "", "logic sets to measure the encoder on, as coco,films: it takes minutes")

// mAP@100 of the six templates, simple fusion, one vector per document: the
// encoder's own figures, by the project's own calculus.
func TestLogicSets(t *testing.T) {
	if *sets == "" {
		t.Skip("needs -sets")
	}
	for _, set := range strings.Split(*sets, ",") {
		documents := corpus(t, set)
		labels := frozen.Labels(t, set)
		rows := slices.Concat(encode(t, open(t), documents...).Vectors...)
		var baseline, rerank, counts [6]float64
		templates := []string{"A AND B", "A AND B AND C", "A AND NOT B", "A AND B AND NOT C", "A OR B", "A OR B OR C"}
		for _, q := range frozen.Queries(t, set) {
			relevant := truths(t, q.Truth, labels)
			monolithic, scored := rank(t, q.Formula, rows)
			i := slices.Index(templates, q.Template)
			baseline[i] += precision(monolithic, relevant)
			rerank[i] += precision(scored, relevant)
			counts[i]++
		}
		for name, sums := range map[string][6]float64{"baseline": baseline, "rerank": rerank} {
			mean, cells := 0.0, ""
			for i, s := range sums {
				mean += s / counts[i] / 6
				cells += fmt.Sprintf(" %.3f", s/counts[i])
			}
			t.Logf("%-6s %-8s %.4f %s", set, name, mean, cells)
		}
	}
}

// corpus is the documents of a set: title and passages with spaces between.
func corpus(t *testing.T, set string) (documents []string) {
	f, err := os.Open(filepath.Join(frozen.Dir(t), "data", set, "corpus.jsonl.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(z)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var d struct {
			Title    string
			Passages []string
		}
		if err := json.Unmarshal(lines.Bytes(), &d); err != nil {
			t.Fatal(err)
		}
		documents = append(documents, strings.TrimSpace(d.Title+" "+strings.Join(d.Passages, " ")))
	}
	return documents
}

// rank is the first hundred by the monolithic string, and by the calculus among
// the first thousand.
func rank(t *testing.T, formula string, rows []float32) (monolithic, scored []uint32) {
	f, err := query.ParseFormula(formula)
	if err != nil {
		t.Fatal(err)
	}
	program, err := logic.Compile(f, logic.Options{})
	if err != nil {
		t.Fatal(err)
	}
	e := open(t)
	plan := fusion.New(f, fusion.Simple)
	vectors, err := plan.Vectors(encode(t, e, plan.Strings...).Vectors, nil)
	if err != nil {
		t.Fatal(err)
	}
	packed, err := vec.Pack(vectors...)
	if err != nil {
		t.Fatal(err)
	}
	columns := make([][]float32, len(vectors))
	for i := range columns {
		columns[i] = make([]float32, len(rows)/e.dim)
	}
	packed.Dots(columns, rows)
	whole := columns[f.Terms.Index(f.Monolithic())]
	all := make([]uint32, len(whole))
	for i := range all {
		all[i] = uint32(i)
	}
	pool := best(all, whole, 1000)
	among := make([][]float32, len(columns))
	for c := range among {
		for _, d := range pool {
			among[c] = append(among[c], columns[c][d])
		}
	}
	scores := make([]float32, len(pool))
	if _, err := program.Rank(scores, among); err != nil {
		t.Fatal(err)
	}
	byDocument := make([]float32, len(whole))
	for i, d := range pool {
		byDocument[d] = scores[i]
	}
	return pool[:100], best(pool, byDocument, 100)
}

func best(documents []uint32, scores []float32, k int) []uint32 {
	documents = slices.Clone(documents)
	slices.SortFunc(documents, func(a, b uint32) int {
		return cmp.Or(cmp.Compare(scores[b], scores[a]), cmp.Compare(a, b))
	})
	return documents[:k]
}

// precision is average precision at 100; the denominator is min(R, 100).
func precision(ranking []uint32, relevant []bool) float64 {
	total := 0
	for _, r := range relevant {
		if r {
			total++
		}
	}
	sum, hits := 0.0, 0
	for i, d := range ranking {
		if relevant[d] {
			hits++
			sum += float64(hits) / float64(i+1)
		}
	}
	return sum / float64(min(total, 100))
}

func truths(t *testing.T, truth string, labels []map[string]bool) []bool {
	n, err := query.Parse(truth)
	if err != nil {
		t.Fatal(err)
	}
	out := make([]bool, len(labels))
	for i, l := range labels {
		out[i] = holds(n, l)
	}
	return out
}

func holds(n query.Node, labels map[string]bool) bool {
	no := func(p query.Node) bool { return !holds(p, labels) }
	yes := func(p query.Node) bool { return holds(p, labels) }
	switch n := n.(type) {
	case *query.Atom:
		return labels[n.Text]
	case *query.Not:
		return no(n.X)
	case *query.And:
		return !slices.ContainsFunc(n.Parts, no)
	case *query.Or:
		return slices.ContainsFunc(n.Parts, yes)
	}
	panic(fmt.Sprintf("no truth for %s", n))
}
