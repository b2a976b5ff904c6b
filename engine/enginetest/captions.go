package enginetest

import (
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/internal/frozen"
	"github.com/nsfl-go/nsfl/query"
	"github.com/nsfl-go/nsfl/retrieve"
)

// The six templates give the same top 100 as the definition when the pool covers the
// answer, and otherwise as much of it as the maker promises.
func testCaptions(t *testing.T, m Maker) {
	if testing.Short() {
		t.Skip("stores 5,000 captions")
	}
	vectors := frozen.Vectors(t, "coco.docs")
	strings := frozen.Strings(t)
	e := encode(func(text string) []float32 { return strings[text] })
	texts := frozen.Texts(t, "coco")
	docs := make([]engine.Document, len(vectors))
	for i := range docs {
		docs[i] = engine.Document{ID: m.id(i, fmt.Sprint(i)), Text: texts[i], Vector: vectors[i]}
	}
	tested := &retrieve.Searcher{Store: m.filled(t, len(vectors[0]), docs), Encoder: e}
	reference := &retrieve.Searcher{Store: definition(docs), Encoder: e}
	queries := someQueries(t, 4)
	if m.Slow {
		queries = someQueries(t, 1)
	}
	for _, mode := range []retrieve.Mode{retrieve.Rerank, retrieve.Hybrid, retrieve.SQO} {
		for _, pool := range []int{1000, len(docs)} {
			if pool > 1000 && (mode == retrieve.SQO || m.Slow) {
				continue // it has no pool, or no time
			}
			// Hybrid ends with a proof, be there more to read: to the recall of an index.
			c := comparison{least: m.Overlap, covers: pool == len(docs) && (mode != retrieve.Hybrid || m.Overlap == 1)}
			for _, f := range queries {
				c.run(t, f, tested, reference, retrieve.Options{K: 100, AllCopies: true, Research: retrieve.Research{Mode: mode, Candidates: pool}})
			}
			if overlap := float64(c.found) / float64(c.all); overlap < m.Overlap {
				t.Errorf("%s, pool of %d: got an overlap of %.4f with the definition, want at least %.4f", mode, pool, overlap, m.Overlap)
			}
		}
	}
}

// someQueries are n development queries of each template.
func someQueries(t *testing.T, n int) []*query.Formula {
	var out []*query.Formula
	of := map[string]int{}
	for _, q := range frozen.Queries(t, "coco") {
		if of[q.Template]++; of[q.Template] > n {
			continue
		}
		f := must(query.ParseFormula(q.Formula))(t)
		out = append(out, f)
	}
	if len(of) != 6 || len(out) != 6*n {
		t.Fatalf("%d queries of %d templates", len(out), len(of))
	}
	return out
}

// comparison compares the answers of two stores.
type comparison struct {
	least      float64 // of the answer that must be there
	covers     bool    // all of it must be there
	found, all int
}

func (c *comparison) run(t *testing.T, f *query.Formula, tested, reference *retrieve.Searcher, o retrieve.Options) {
	t.Helper()
	want := must(reference.Search(context.Background(), retrieve.Ask(f), o))(t)
	got := must(tested.Search(context.Background(), retrieve.Ask(f), o))(t)
	there := map[string]bool{}
	for _, h := range got.Hits {
		there[h.ID] = true
	}
	for _, h := range want.Hits {
		if c.all++; there[h.ID] {
			c.found++
		}
	}
	if c.covers || c.least == 1 {
		sameScores(t, f, got, want)
	}
}

// sameScores checks that two answers are the same, except that rounding may swap documents
// of nearly equal score.
func sameScores(t *testing.T, f *query.Formula, got, want *retrieve.Result) {
	t.Helper()
	if len(got.Hits) != len(want.Hits) {
		t.Errorf("%s, %s: %d results, want %d", f.Root, got.Mode, len(got.Hits), len(want.Hits))
		return
	}
	for i := range want.Hits {
		if g, w := got.Hits[i], want.Hits[i]; g.ID != w.ID && math.Abs(g.Score-w.Score) > tolerance {
			t.Errorf("%s, %s, rank %d: %s with %.6f, want %s with %.6f", f.Root, got.Mode, i+1, g.ID, g.Score, w.ID, w.Score)
			return
		}
	}
}
