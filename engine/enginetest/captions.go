package enginetest

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/nsfl-go/nsfl/encoder"
	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/internal/frozen"
	"github.com/nsfl-go/nsfl/query"
	"github.com/nsfl-go/nsfl/retrieve"
)

// known encodes the strings whose vectors are known.
type known map[string][]float32

func (k known) Identity() encoder.Identity {
	return encoder.Identity{Name: "frozen", Dimension: len(k["dog"])}
}

func (k known) Encode(_ context.Context, _ encoder.Role, texts []string) (encoder.Encoded, error) {
	e := encoder.Encoded{Cut: make([]bool, len(texts))}
	for _, t := range texts {
		v := k[t]
		if v == nil {
			return e, fmt.Errorf("no frozen vector of %q", t)
		}
		e.Vectors = append(e.Vectors, v)
	}
	return e, nil
}

// The six templates give the same top 100 as the definition when the pool covers the
// answer, and otherwise as much of it as the maker promises.
func testCaptions(t *testing.T, m Maker) {
	if testing.Short() {
		t.Skip("stores 5,000 captions")
	}
	vectors := frozen.Vectors(t, "coco.docs")
	e := known(frozen.Strings(t))
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
			c.report(t, fmt.Sprintf("%s, pool of %d", mode, pool))
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
		f, err := query.ParseFormula(q.Formula)
		if err != nil {
			t.Fatal(err)
		}
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
	steps      [4][]time.Duration
}

func (c *comparison) run(t *testing.T, f *query.Formula, tested, reference *retrieve.Searcher, o retrieve.Options) {
	t.Helper()
	ctx := context.Background()
	want, err := reference.Search(ctx, retrieve.Ask(f), o)
	if err != nil {
		t.Fatal(err)
	}
	got, err := tested.Search(ctx, retrieve.Ask(f), o)
	if err != nil {
		t.Fatal(err)
	}
	c.all += len(want.Hits)
	there := map[string]bool{}
	for _, h := range got.Hits {
		there[h.ID] = true
	}
	missing := 0
	for _, h := range want.Hits {
		if there[h.ID] {
			c.found++
		} else {
			missing++
		}
	}
	for i, d := range []time.Duration{got.Timings.Find, got.Timings.Rank, got.Timings.Read, got.Timings.Total()} {
		c.steps[i] = append(c.steps[i], d)
	}
	if c.covers || c.least == 1 {
		c.sameScores(t, f, got, want)
	}
}

// sameScores checks that two answers are the same, except that rounding may swap documents
// of nearly equal score.
func (c *comparison) sameScores(t *testing.T, f *query.Formula, got, want *retrieve.Result) {
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

func (c *comparison) report(t *testing.T, what string) {
	t.Helper()
	overlap := float64(c.found) / float64(c.all)
	median := func(d []time.Duration) float64 {
		slices.SortFunc(d, func(a, b time.Duration) int { return cmp.Compare(a, b) })
		return d[len(d)/2].Seconds() * 1000
	}
	t.Logf("%s: %d of %d of the top 100 by the definition (%.4f); median ms: find %.2f, rank %.2f, read %.2f, all %.2f",
		what, c.found, c.all, overlap, median(c.steps[0]), median(c.steps[1]), median(c.steps[2]), median(c.steps[3]))
	if overlap < c.least {
		t.Errorf("%s: an overlap of %.4f, less than %.4f", what, overlap, c.least)
	}
}
