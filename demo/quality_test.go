package demo

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl/encoder"
	"github.com/nsfl-go/nsfl/encoder/builtin"
	"github.com/nsfl-go/nsfl/fusion"
	"github.com/nsfl-go/nsfl/logic"
	"github.com/nsfl-go/nsfl/query"
)

// The built-in encoder on the demo, one vector per document, simple fusion: mAP@100
// of the monolithic string and of the calculus, over all documents.
func TestQuality(t *testing.T) {
	if testing.Short() {
		t.Skip("encodes 550 documents")
	}
	queries, err := Queries()
	if err != nil {
		t.Fatal(err)
	}
	encode := encoding(t)
	docs := documents(t)
	texts := make([]string, len(docs))
	for i, d := range docs {
		texts[i] = strings.TrimSpace(d.Title + " " + strings.Join(d.Passages, " "))
	}
	vectors := encode(encoder.Document, texts)

	var templates []string
	sums, count := map[string][2]float64{}, map[string]float64{}
	for _, q := range queries {
		baseline, calculus := rankings(t, q, encode, vectors)
		truth, err := query.Parse(q.Truth)
		if err != nil {
			t.Fatal(err)
		}
		if count[q.Template] == 0 {
			templates = append(templates, q.Template)
		}
		count[q.Template]++
		s := sums[q.Template]
		s[0] += averagePrecision(baseline, docs, truth)
		s[1] += averagePrecision(calculus, docs, truth)
		sums[q.Template] = s
	}
	var mean [2]float64
	t.Logf("%-18s  monolithic  calculus", "")
	for _, template := range templates {
		var cell [2]float64
		for i, s := range sums[template] {
			cell[i] = s / count[template]
			mean[i] += cell[i] / float64(len(templates))
		}
		t.Logf("%-18s  %10.3f  %8.3f", template, cell[0], cell[1])
	}
	t.Logf("%-18s  %10.3f  %8.3f", "mean", mean[0], mean[1])
	// Processors round differently, and a rank may turn on it.
	want := [2]float64{0.4975, 0.5509}
	for i, m := range mean {
		if math.Abs(m-want[i]) > 0.002 {
			t.Errorf("mean mAP@100 = %.4f, want %.4f", mean, want)
			break
		}
	}
}

// encoding is the built-in encoder.
func encoding(t *testing.T) func(encoder.Role, []string) [][]float32 {
	e, err := builtin.New()
	if err != nil {
		t.Fatal(err)
	}
	return func(role encoder.Role, texts []string) [][]float32 {
		encoded, err := e.Encode(t.Context(), role, texts)
		if err != nil {
			t.Fatal(err)
		}
		return encoded.Vectors
	}
}

// rankings are the documents by their similarity to the whole string, and by the
// calculus.
func rankings(t *testing.T, q Query, encode func(encoder.Role, []string) [][]float32, docs [][]float32) (baseline, calculus []int) {
	f, err := query.ParseFormula(q.Formula)
	if err != nil {
		t.Fatal(err)
	}
	program, err := logic.Compile(f, logic.Options{})
	if err != nil {
		t.Fatal(err)
	}
	plan := fusion.New(f, fusion.Simple)
	terms, err := plan.Vectors(encode(encoder.Query, plan.Strings), nil)
	if err != nil {
		t.Fatal(err)
	}
	columns := make([][]float32, len(terms))
	for i, v := range terms {
		columns[i] = make([]float32, len(docs))
		for j, d := range docs {
			for k := range v {
				columns[i][j] += v[k] * d[k]
			}
		}
	}
	scores := make([]float32, len(docs))
	if _, err := program.Rank(scores, columns); err != nil {
		t.Fatal(err)
	}
	return nearest(columns[f.Terms.Index(f.Monolithic())]), nearest(scores)
}

// nearest is the hundred documents with the largest scores.
func nearest(scores []float32) []int {
	order := make([]int, len(scores))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
	return order[:100]
}

// averagePrecision at 100, with the denominator min(R, 100).
func averagePrecision(ranking []int, docs []Document, truth query.Node) float64 {
	relevant := 0
	for _, d := range docs {
		if holds(truth, d.Labels) {
			relevant++
		}
	}
	sum, hits := 0.0, 0
	for i, d := range ranking {
		if holds(truth, docs[d].Labels) {
			hits++
			sum += float64(hits) / float64(i+1)
		}
	}
	return sum / float64(min(relevant, 100))
}
