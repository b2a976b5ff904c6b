package index

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/internal/predicate"
	"github.com/nsfl-go/nsfl/query"
)

// naive computes the similarity of a document to a query vector in float64.
func naive(d *engine.Document, q []float32) float64 {
	if len(d.Passages) < 2 {
		return cosine(d.Vector, q)
	}
	best := math.Inf(-1)
	for _, p := range d.Passages {
		best = max(best, cosine(p.Vector, q))
	}
	return (cosine(d.Vector, q) + best) / 2
}

func cosine(a, b []float32) float64 {
	var ab, aa, bb float64
	for i, x := range a {
		y := float64(b[i])
		ab, aa, bb = ab+float64(x)*y, aa+float64(x)*float64(x), bb+y*y
	}
	return ab / math.Sqrt(aa*bb)
}

// tolerance of a float32 similarity against naive.
const tolerance = 1e-6

// filled returns a collection with and without passages, some documents of which were
// replaced, deleted or compacted away. want has the remaining documents.
func filled(t *testing.T, r *rand.Rand, o Options, n int) (c *Collection, want map[string]engine.Document) {
	t.Helper()
	ctx := t.Context()
	c = create(t, o)
	docs := randomDocuments(r, n, testDim)
	// A long run without passages exercises the path without folding.
	for i := n / 2; i < n; i++ {
		docs[i].Passages = nil
	}
	must(t, c.Upsert(ctx, docs[:n/4]))
	must(t, c.Upsert(ctx, docs[n/8:n/2]))
	must(t, c.Compact(ctx))
	must(t, c.Upsert(ctx, docs[n/2:]))
	want = map[string]engine.Document{}
	var gone []string
	for i, d := range docs {
		if i < n*5/8 && i%7 == 0 {
			gone = append(gone, d.ID)
		} else {
			want[d.ID] = d
		}
	}
	_, err := c.Delete(ctx, gone)
	must(t, err)
	return c, want
}

func randomVectors(r *rand.Rand, n int) [][]float32 {
	vs := make([][]float32, n)
	for i := range vs {
		vs[i] = randomVector(r, testDim)
	}
	return vs
}

// expectColumns compares columns with naive ones for the given documents.
func expectColumns(t *testing.T, c *Collection, got *engine.Columns, vectors [][]float32, want map[string]engine.Document) {
	t.Helper()
	ids, err := idsOf(t.Context(), c, got.Refs)
	must(t, err)
	if len(ids) != len(want) || len(got.Similarities) != len(vectors) {
		t.Fatalf("%d lines of %d columns, want %d of %d", len(ids), len(got.Similarities), len(want), len(vectors))
	}
	for i, id := range ids {
		d, ok := want[id]
		if !ok {
			t.Fatalf("line %d is %q, which should not be there", i, id)
		}
		for j, v := range vectors {
			if x := float64(got.Similarities[j][i]); !(math.Abs(x-naive(&d, v)) <= tolerance) {
				t.Fatalf("%s and vector %d: %g, want %g", id, j, x, naive(&d, v))
			}
		}
	}
}

func TestScanIsExact(t *testing.T) {
	r := source(t, 4)
	c, want := filled(t, r, Options{}, 1800)
	for _, q := range []int{1, 2, 8, 9, 17} {
		vectors := randomVectors(r, q)
		got, err := c.Scan(t.Context(), vectors, nil)
		must(t, err)
		if !slices.IsSortedFunc(got.Refs, engine.Ref.Compare) {
			t.Error("the columns are not in the order of ordinals")
		}
		expectColumns(t, c, got, vectors, want)
		// A pool in arbitrary order, with a duplicate and a deleted document.
		pool := []engine.Ref{got.Refs[5], got.Refs[3], got.Refs[5], got.Refs[len(got.Refs)-1]}
		lines, err := c.Compare(t.Context(), append([]engine.Ref{refOf(1), refOf(math.MaxUint32)}, pool...), vectors)
		must(t, err)
		if !slices.Equal(lines.Refs, pool) {
			t.Fatalf("gathered %v, want %v", lines.Refs, pool)
		}
		for i, at := range []int{5, 3, 5, len(got.Refs) - 1} {
			for j := range vectors {
				if lines.Similarities[j][i] != got.Similarities[j][at] {
					t.Errorf("gathered %g, scanned %g", lines.Similarities[j][i], got.Similarities[j][at])
				}
			}
		}
	}
}

// TestManyPassages uses documents of very different lengths.
func TestManyPassages(t *testing.T) {
	r := source(t, 19)
	c := create(t, Options{})
	want := map[string]engine.Document{}
	docs := randomDocuments(r, 300, testDim)
	for i := range docs {
		for range map[bool]int{true: 60, false: 0}[i%2 == 0] + map[bool]int{true: 5000}[i == 150] {
			docs[i].Passages = append(docs[i].Passages, engine.Passage{Vector: randomVector(r, testDim)})
		}
		want[docs[i].ID] = docs[i]
	}
	must(t, c.Upsert(t.Context(), docs))
	vectors := randomVectors(r, 3)
	columns, err := c.Scan(t.Context(), vectors, nil)
	must(t, err)
	expectColumns(t, c, columns, vectors, want)
	hits, err := c.TopK(t.Context(), vectors, 20, nil)
	must(t, err)
	expectRanking(t, hits[0], columns, 0)
}

// TestPool: after Compact an ordinal denotes the same document, or none.
func TestPool(t *testing.T) {
	ctx := t.Context()
	r := source(t, 20)
	c, want := filled(t, r, Options{}, 400)
	vectors := randomVectors(r, 1)
	hits, err := c.TopK(ctx, vectors, 50, nil)
	must(t, err)
	var pool []engine.Ref
	for _, h := range hits[0] {
		pool = append(pool, h.Ref)
	}
	gone, replaced := hits[0][10].ID, hits[0][20].ID
	_, err = c.Delete(ctx, []string{gone})
	must(t, err)
	must(t, c.Upsert(ctx, []engine.Document{want[replaced]}))
	must(t, c.Compact(ctx))
	columns, err := c.Compare(ctx, pool, vectors)
	must(t, err)
	ids, err := idsOf(ctx, c, columns.Refs)
	must(t, err)
	left := slices.DeleteFunc(hits[0], func(h Hit) bool { return h.ID == gone || h.ID == replaced })
	if len(ids) != len(left) {
		t.Fatalf("%d of the pool are left, want %d", len(ids), len(left))
	}
	for i, h := range left {
		if ids[i] != h.ID || columns.Similarities[0][i] != h.Similarity {
			t.Errorf("line %d is %s with %g, was %s with %g", i, ids[i], columns.Similarities[0][i], h.ID, h.Similarity)
		}
	}
	if names, err := idsOf(ctx, c, pool[10:11]); err != nil || names[0] != "" {
		t.Errorf("a deleted document is called %q, %v", names, err)
	}
}

func TestEmptyCollection(t *testing.T) {
	c := create(t, Options{})
	vectors := randomVectors(source(t, 5), 2)
	columns, err := c.Scan(t.Context(), vectors, &query.Predicate{Field: "a", Value: "b"})
	must(t, err)
	hits, err := c.TopK(t.Context(), vectors, 10, nil)
	must(t, err)
	if len(columns.Refs) != 0 || len(columns.Similarities) != 2 || len(hits) != 2 || len(hits[0]) != 0 {
		t.Errorf("got %+v and %+v, want no documents for two vectors", columns, hits)
	}
	must(t, c.Compact(t.Context()))
	expectSound(t, c.dir)
}

// TestEmptied: a collection remains usable after all documents are deleted.
func TestEmptied(t *testing.T) {
	ctx := t.Context()
	r := source(t, 23)
	c := create(t, Options{})
	for range 2 {
		docs := randomDocuments(r, 300, testDim)
		must(t, c.Upsert(ctx, docs))
		hits, err := c.TopK(ctx, randomVectors(r, 1), 5, nil)
		if err != nil || len(hits[0]) != 5 {
			t.Fatalf("%d hits, %v", len(hits[0]), err)
		}
		var ids []string
		for _, d := range docs {
			ids = append(ids, d.ID)
		}
		_, err = c.Delete(ctx, ids)
		must(t, err)
		expectDocuments(t, c, nil)
		must(t, c.Compact(ctx))
		expectDocuments(t, c, nil)
		expectSound(t, c.dir)
	}
}

// TestTopKIsExact: if all documents are candidates, the ranking is exact.
func TestTopKIsExact(t *testing.T) {
	r := source(t, 6)
	c, want := filled(t, r, Options{}, 1200)
	vectors := randomVectors(r, 9)
	columns, err := c.Scan(t.Context(), vectors, nil)
	must(t, err)
	for _, k := range []int{1, 10, len(want), 5000} {
		hits, err := c.TopK(t.Context(), vectors, k, nil)
		must(t, err)
		for j := range vectors {
			if len(hits[j]) != min(k, len(want)) {
				t.Fatalf("%d hits of %d", len(hits[j]), k)
			}
			if k >= len(want) {
				expectRanking(t, hits[j], columns, j)
			}
		}
	}
}

// expectRanking compares hits with a sorted column.
func expectRanking(t *testing.T, hits []Hit, columns *engine.Columns, j int) {
	t.Helper()
	order := make([]int, len(columns.Refs))
	for i := range order {
		order[i] = i
	}
	column := columns.Similarities[j]
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case column[a] > column[b]:
			return -1
		case column[a] < column[b]:
			return 1
		}
		return 0
	})
	for i, h := range hits {
		if h.Ref != columns.Refs[order[i]] || h.Similarity != column[order[i]] {
			t.Fatalf("hit %d is %+v, want %v with %g", i, h, columns.Refs[order[i]], column[order[i]])
		}
	}
}

func TestTies(t *testing.T) {
	c := create(t, Options{})
	v := randomVector(source(t, 7), testDim)
	var docs []engine.Document
	for i := range 2000 {
		docs = append(docs, engine.Document{ID: fmt.Sprintf("%04d", 9999-i), Vector: v})
	}
	must(t, c.Upsert(t.Context(), docs))
	for range 5 {
		hits, err := c.TopK(t.Context(), [][]float32{v}, 100, nil)
		must(t, err)
		for i, h := range hits[0] {
			if h.ID != docs[i].ID {
				t.Fatalf("hit %d is %s, want %s", i, h.ID, docs[i].ID)
			}
		}
	}
}

// satisfies evaluates a filter on metadata, entry by entry.
func satisfies(t *testing.T, n query.Node, metadata []byte) bool {
	switch n := n.(type) {
	case *query.Not:
		return !satisfies(t, n.X, metadata)
	case *query.And:
		return !slices.ContainsFunc(n.Parts, func(p query.Node) bool { return !satisfies(t, p, metadata) })
	case *query.Or:
		return slices.ContainsFunc(n.Parts, func(p query.Node) bool { return satisfies(t, p, metadata) })
	}
	p := n.(*query.Predicate)
	entries, err := entriesOf(metadata)
	must(t, err)
	return slices.ContainsFunc(entries, func(e entry) bool {
		if e.field != p.Field {
			return false
		}
		x, isNumber := e.value.(float64)
		if text, isText := e.value.(string); p.Op == query.Glob {
			if !isText {
				text = e.text
			}
			return predicate.Passes(p, []predicate.Value{{Field: p.Field, Text: text}})
		}
		y, err := json64(p.Value)
		if isNumber && err == nil {
			return holds(p.Op, x, y)
		}
		if isNumber {
			return holds(p.Op, e.text, p.Value)
		}
		return holds(p.Op, e.value.(string), p.Value)
	})
}

func json64(s string) (x float64, err error) {
	x, ok := predicate.ParseNumber(s)
	if !ok {
		err = errors.New("not a number")
	}
	return x, err
}

func holds[T float64 | string](op query.Comparison, a, b T) bool {
	switch op {
	case query.Less:
		return a < b
	case query.LessEqual:
		return a <= b
	case query.Greater:
		return a > b
	case query.GreaterEqual:
		return a >= b
	}
	return a == b
}

func randomFilter(r *rand.Rand, depth int) query.Node {
	if depth == 0 || r.IntN(3) == 0 {
		pick := func(s ...string) string { return s[r.IntN(len(s))] }
		return &query.Predicate{
			Field: pick("n", "n", "s", "mixed", "in.deep", "missing", "id"),
			Op:    []query.Comparison{query.Equal, query.Less, query.LessEqual, query.Greater, query.GreaterEqual, query.Glob}[r.IntN(6)],
			Value: pick("*", "*b*", "a*", "*1*", "3", "3.0", "-1e1", "7", "b", "abc", "B", "é", "true", "inf", "0x3", "17"),
		}
	}
	parts := make([]query.Node, 2+r.IntN(2))
	for i := range parts {
		parts[i] = randomFilter(r, depth-1)
	}
	switch r.IntN(3) {
	case 0:
		return &query.Not{X: parts[0]}
	case 1:
		return &query.And{Parts: parts}
	}
	return &query.Or{Parts: parts}
}

func TestFilters(t *testing.T) {
	ctx := t.Context()
	r := source(t, 8)
	c := create(t, Options{})
	want := map[string]engine.Document{}
	added := 0
	add := func(n int) {
		var docs []engine.Document
		for range n {
			d := randomDocument(r, fmt.Sprintf("doc-%d", added), testDim)
			added++
			pick := func(s ...string) string { return s[r.IntN(len(s))] }
			d.Metadata = []byte(fmt.Sprintf(`{"n":%s,"s":%s,"mixed":%s,"in":{"deep":%s},"id":%d}`,
				pick("3", "3.0", "-10", "7.5", "1e2", "null", "[1,3,\"7\"]"),
				pick(`"abc"`, `"b"`, `"B"`, `"é"`, `"3"`, `["b","z"]`, `""`, "[]"),
				pick("1", `"x"`, `[1,"x"]`, "true", `{"a":1}`, "12345678901234567890"),
				pick("true", "false", `[{"er":1},"b"]`), len(want)))
			docs = append(docs, d)
			want[d.ID] = d
		}
		must(t, c.Upsert(ctx, docs))
	}
	vectors := randomVectors(r, 2)
	check := func(rounds int) {
		t.Helper()
		if testing.Short() {
			rounds = 1 + rounds/10
		}
		for range rounds {
			filter := randomFilter(r, 3)
			passing := map[string]engine.Document{}
			for id, d := range want {
				if satisfies(t, filter, d.Metadata) {
					passing[id] = d
				}
			}
			columns, err := c.Scan(ctx, vectors, filter)
			must(t, err)
			expectColumns(t, c, columns, vectors, passing)
			hits, err := c.TopK(ctx, vectors, 2000, filter)
			must(t, err)
			if len(hits[0]) != len(passing) {
				t.Fatalf("%s: %d hits, want %d", filter, len(hits[0]), len(passing))
			}
			expectRanking(t, hits[0], columns, 0)
		}
	}
	add(700)
	check(60)
	add(600) // the cached set has to grow
	check(60)
	gone := []string{"doc-3", "doc-700", "doc-1299"}
	_, err := c.Delete(ctx, gone)
	must(t, err)
	for _, id := range gone {
		delete(want, id)
	}
	check(20)
	must(t, c.Compact(ctx))
	check(20)
	add(10)
	check(20)
	for _, bad := range []query.Node{&query.Atom{Text: "dog"}, &query.Not{}, &query.And{}, &query.Predicate{Field: "n", Op: 9}} {
		var input *engine.InputError
		if _, err := c.Scan(ctx, vectors, bad); !errors.As(err, &input) {
			t.Errorf("filter %#v: %v", bad, err)
		}
	}
}

// TestSelectiveFilter selects one document of many.
func TestSelectiveFilter(t *testing.T) {
	r := source(t, 9)
	c, want := filled(t, r, Options{}, 3000)
	d := want["doc-2999"]
	d.Metadata = []byte(`{"only":1}`)
	must(t, c.Upsert(context.Background(), []engine.Document{d}))
	hits, err := c.TopK(t.Context(), randomVectors(r, 1), 1000, &query.Predicate{Field: "only", Value: "1"})
	must(t, err)
	if len(hits[0]) != 1 || hits[0][0].ID != d.ID {
		t.Errorf("got %+v, want only %s", hits, d.ID)
	}
}
