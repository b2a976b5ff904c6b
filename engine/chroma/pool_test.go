package chroma

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/enginetest"
	"github.com/nsfl-go/nsfl/engine/remote"
	"github.com/nsfl-go/nsfl/internal/predicate"
	"github.com/nsfl-go/nsfl/internal/vec"
	"github.com/nsfl-go/nsfl/query"
)

func filterOf(t testing.TB, text string) query.Node {
	t.Helper()
	if text == "" {
		return nil
	}
	f, err := query.ParseFormula(text)
	if err != nil {
		t.Fatal(err)
	}
	return f.Filter
}

// random are n documents whose vectors are of any length, or of length 1.
func random(r *rand.Rand, n int, unit bool) []engine.Document {
	docs := make([]engine.Document, n)
	for i := range docs {
		length := 1.0
		if !unit {
			length = 0.5 + r.Float64()
		}
		docs[i] = engine.Document{
			ID: fmt.Sprint(i), Vector: direction(r, length), Text: fmt.Sprint("text ", i),
			Metadata: fmt.Appendf(nil, `{"year": %d, "half": %g, "tag": "t%d", "date": "2020-%02d-01"}`, 1950+r.IntN(75), float64(r.IntN(20))/2, r.IntN(5), 1+r.IntN(12)),
		}
	}
	return docs
}

func direction(r *rand.Rand, length float64) []float32 {
	v := make([]float32, dim)
	for i := range v {
		v[i] = float32(r.NormFloat64())
	}
	if err := vec.Normalize(v); err != nil {
		panic(err)
	}
	for i := range v {
		v[i] *= float32(length)
	}
	return v
}

// TestSpaces checks that nearly all of the nearest documents by cosine are found for every
// space and filter, even after many deletions, and that the bound on the others holds.
func TestSpaces(t *testing.T) {
	const seed, n, k = 3, 1500, 20
	t.Logf("seed %d", seed)
	ctx, url := context.Background(), sharedURL(t)
	for _, c := range []struct {
		space string
		unit  bool
	}{{cosine, false}, {inner, true}, {square, true}, {inner, false}, {square, false}} {
		r := rand.New(rand.NewPCG(seed, seed))
		docs := random(r, n, c.unit)
		address, records := collection(t, url, spaced(c.space))
		a := asker(t, url)
		fill(t, a, records, docs)
		var gone []string
		for i := 0; i < n; i += 3 {
			gone = append(gone, fmt.Sprint(i))
		}
		a.must(t, http.MethodPost, records+"/delete", map[string]any{"ids": gone})
		docs = slices.DeleteFunc(docs, func(d engine.Document) bool { return slices.Contains(gone, d.ID) })
		s := opened(t, address, engine.Options{})
		s.Limits = remote.Limits{Whole: 10 * n} // forces use of the index
		found, all, loose := 0, 0, 0
		for _, filter := range []string{"", "year:>=1990", "NOT year:<1990", "tag:t1 OR tag:t2", "NOT tag:t3", "half:>=2.5", "half:<2.7", "date:>2020-04", "year:>1960 AND (tag:t0 OR date:<2020-10)"} {
			v := direction(r, 1)
			got, err := s.Pool(ctx, [][]float32{v}, k, filterOf(t, filter), [][]float32{v})
			if err != nil {
				t.Fatal(err)
			}
			in := map[string]bool{}
			for _, ref := range got.Refs {
				in[ref.Key] = true
			}
			right := nearest(t, docs, filterOf(t, filter), v)
			for i, d := range right {
				if i < k {
					all++
					if in[d.id] {
						found++
					}
				}
				if got.UnseenBounds != nil && !in[d.id] && d.cosine > float64(got.UnseenBounds[0])+1e-6 && i >= k {
					t.Errorf("%s, %t, %q: a cosine of %g is beyond %g", c.space, c.unit, filter, d.cosine, got.UnseenBounds[0])
				}
			}
			if len(got.Refs) != k {
				t.Errorf("%s, %q: %d documents", c.space, filter, len(got.Refs))
			}
			if got.UnseenBounds == nil || got.UnseenBounds[0] >= 1 {
				loose++
			}
		}
		t.Logf("%s, of length 1: %t: %d of %d, nothing known of the rest %d times", c.space, c.unit, found, all, loose)
		least := overlap
		if !c.unit && c.space != cosine {
			least = 0.7 // by another order
		} else if loose > 0 {
			t.Errorf("%s: %d pools know nothing of the rest", c.space, loose)
		}
		if float64(found) < least*float64(all) {
			t.Errorf("%s, of length 1: %t: %d of %d documents", c.space, c.unit, found, all)
		}
	}
}

type near struct {
	id     string
	cosine float64
}

// nearest are the documents that pass a filter, by the cosine to v.
func nearest(t testing.TB, docs []engine.Document, filter query.Node, v []float32) (out []near) {
	t.Helper()
	for _, d := range docs {
		values, err := predicate.Values(d.Metadata)
		if err != nil {
			t.Fatal(err)
		}
		if filter == nil || predicate.Passes(filter, values) {
			out = append(out, near{d.ID, vec.Dot64(d.Vector, v) / vec.Norm(d.Vector)})
		}
	}
	slices.SortFunc(out, func(a, b near) int { return cmp.Compare(b.cosine, a.cosine) })
	return out
}

// A filter that is too large for the server is evaluated here.
func TestLargeFilters(t *testing.T) {
	ctx, url := context.Background(), sharedURL(t)
	address, records := collection(t, url, spaced(cosine))
	fill(t, asker(t, url), records, enginetest.Documents(200))
	s := opened(t, address, engine.Options{})
	s.Limits = remote.Limits{Whole: 1000} // forces use of the index
	wide := &query.Or{}
	var deep query.Node = &query.Predicate{Field: "n", Value: "7"}
	for i := range 5000 {
		wide.Parts = append(wide.Parts, &query.Predicate{Field: "n", Value: fmt.Sprint(i + 190)})
		deep = &query.Not{X: &query.And{Parts: []query.Node{deep, &query.Predicate{Field: "n", Op: query.GreaterEqual, Value: "0"}}}}
	}
	v := [][]float32{enginetest.Leaning(1, 0, dim)}
	for name, c := range map[string]struct {
		filter query.Node
		want   int
	}{
		"wide": {wide, 10}, "not wide": {&query.Not{X: wide}, 190}, "deep": {deep, 1},
		"wide and narrow": {&query.And{Parts: []query.Node{wide, &query.Predicate{Field: "n", Op: query.Less, Value: "195"}}}, 5},
	} {
		for _, k := range []int{15, 300} { // by the index, and without
			columns, err := s.Pool(ctx, v, k, c.filter, v)
			if err != nil || len(columns.Refs) != min(k, c.want) {
				t.Errorf("%s: %d documents, %v, want %d", name, len(columns.Refs), err, min(k, c.want))
			}
		}
	}
	// Of a large collection not all are compared, which is said.
	s.Limits.Whole = 10
	columns, err := s.Pool(ctx, v, 5, filterOf(t, "NOT n:<190 AND NOT n:>195"), v)
	if err != nil || len(columns.Refs) >= 5 || len(columns.Degraded) != 1 || !strings.Contains(columns.Degraded[0], "cannot apply all of the filter") || columns.UnseenBounds[0] <= -1 {
		t.Errorf("got %+v and error %v, want fewer than 5 documents, a note about the filter and a bound", columns, err)
	}
}

// A vector without a direction is similar to nothing.
func TestZero(t *testing.T) {
	ctx, url := context.Background(), sharedURL(t)
	address, records := collection(t, url, spaced(square))
	docs := enginetest.Documents(3)
	docs[1].Vector = make([]float32, dim)
	fill(t, asker(t, url), records, docs)
	s := opened(t, address, engine.Options{})
	v := [][]float32{docs[0].Vector}
	c, err := s.Pool(ctx, v, 10, nil, v)
	if err != nil || len(c.Refs) != 2 {
		t.Errorf("got %+v and error %v, want 2 documents", c, err)
	}
	if c, err := s.Compare(ctx, []engine.Ref{{Key: "id-1"}, {Key: "id-2"}}, v); err != nil || len(c.Refs) != 1 {
		t.Errorf("got %+v and error %v, want 1 document", c, err)
	}
	if d, err := s.Get(ctx, "id-1", engine.AllParts); err != nil || d.Vector != nil || d.Text == "" {
		t.Errorf("got %+v and error %v, want the text without a vector", d, err)
	}
}
