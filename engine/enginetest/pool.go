package enginetest

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/query"
)

// tolerance is how far a similarity may be from its definition.
const tolerance = 1e-5

// A pool has the k best for each vector, compared with each vector as defined.
func testPool(t *testing.T, m Maker) {
	docs := m.corpus(300)
	s := m.stored(t, docs)
	var names [][]float32
	for _, name := range []string{"one", "two", "three", "four"} {
		names = append(names, vectorOf(name))
	}
	m.checkPools(t, s, docs, []pool{
		{names[:1], 1, "", names[:1]},
		{names[:1], 10, "", names[:1]},
		{names[:1], 10, "", names[1:]},
		{names[:3], 10, "", names},
		{names[:2], 70, "", names[2:]},
		{names, 299, "", names[:1]},
		{names[:2], 300, "", names},
		{names[:2], 5000, "", names},
		{names[:2], 10, "even:true", names},
		{names[:1], 10, "n:<7", names},
		{names[:1], 10, "n:<0", names},
		{names[:1], 100_000, "NOT n:>=290", names},
		{[][]float32{names[0], names[0]}, 5, "", [][]float32{names[1], names[1], names[0]}},
		{[][]float32{vectorOf("second part of document 0")}, 3, "", names},
	})
}

// pool is a request of a pool.
type pool struct {
	near    [][]float32
	k       int
	filter  string
	vectors [][]float32
}

// checkPools checks that pools are right, and that the index finds as much as the maker promises.
func (m Maker) checkPools(t *testing.T, s Store, docs []engine.Document, pools []pool) {
	t.Helper()
	found, wanted := 0, 0
	for _, c := range pools {
		what := fmt.Sprintf("the %d nearest to %d vectors with filter %q", c.k, len(c.near), c.filter)
		columns, err := s.Pool(context.Background(), c.near, c.k, filterOf(t, c.filter), c.vectors)
		if err != nil {
			t.Errorf("%s: %v", what, err)
			continue
		}
		got := checkColumns(t, s, what, columns, docs, c.vectors)
		all := passing(t, docs, filterOf(t, c.filter))
		f, w := checkNearest(t, what, got, all, c.near, c.k)
		checkBeyond(t, what, columns, got, all, c.near, m.Overlap)
		found, wanted = found+f, wanted+w
	}
	if float64(found) < m.Overlap*float64(wanted) {
		t.Errorf("%d of %d documents are in the pools", found, wanted)
	}
	t.Logf("%d of %d documents are in the pools", found, wanted)
}

func filterOf(t testing.TB, text string) query.Node {
	t.Helper()
	if text == "" {
		return nil
	}
	f := must(query.ParseFormula(text))(t)
	return f.Filter
}

func checkColumns(t *testing.T, s Store, what string, c *engine.Columns, docs []engine.Document, vectors [][]float32) map[string]bool {
	t.Helper()
	byID := map[string]*engine.Document{}
	for i := range docs {
		byID[docs[i].ID] = &docs[i]
	}
	found := must(s.Documents(context.Background(), c.Refs, engine.NoParts))(t)
	if len(c.Similarities) != len(vectors) {
		t.Fatalf("%s: %d columns, want %d", what, len(c.Similarities), len(vectors))
	}
	got := map[string]bool{}
	for i, d := range found {
		if got[d.ID] {
			t.Errorf("%s: %s is there twice", what, d.ID)
		}
		got[d.ID] = true
		for j, v := range vectors {
			want := similarity(byID[d.ID], v)
			if x := float64(c.Similarities[j][i]); math.Abs(x-want) > tolerance || math.IsNaN(x) {
				t.Errorf("%s: the similarity of %s to vector %d is %.7f, want %.7f", what, d.ID, j, x, want)
			}
		}
	}
	return got
}

// checkNearest counts the documents in got that are among the k nearest to a vector. Others may
// only be there in place of documents that an index has overlooked.
func checkNearest(t *testing.T, what string, got map[string]bool, passing []engine.Document, near [][]float32, k int) (found, wanted int) {
	t.Helper()
	allowed := map[string]bool{}
	for _, v := range near {
		values := make([]float64, len(passing))
		for i := range passing {
			values[i] = similarity(&passing[i], v)
		}
		sorted := slices.Clone(values)
		slices.Sort(sorted)
		last := math.Inf(-1)
		if k < len(sorted) {
			last = sorted[len(sorted)-k]
		}
		for i := range passing {
			if values[i] >= last-tolerance {
				allowed[passing[i].ID] = true
			}
			if values[i] > last+tolerance || k >= len(sorted) {
				wanted++
				if got[passing[i].ID] {
					found++
				}
			}
		}
	}
	var others []string
	for id := range got {
		if !allowed[id] {
			others = append(others, id)
		}
	}
	if len(others) > wanted-found {
		t.Errorf("%s: %q are none of them, and only %d are missing", what, others, wanted-found)
	}
	return found, wanted
}

// checkBeyond checks that no document outside a pool is more similar than its bound, except
// for documents that an index may overlook.
func checkBeyond(t *testing.T, what string, c *engine.Columns, got map[string]bool, passing []engine.Document, near [][]float32, overlap float64) {
	t.Helper()
	if c.UnseenBounds == nil {
		return
	}
	if len(c.UnseenBounds) != len(near) {
		t.Fatalf("%s: %d limits to what lies beyond, want %d", what, len(c.UnseenBounds), len(near))
	}
	overlooked, out := 0, 0
	for j, v := range near {
		for i := range passing {
			if got[passing[i].ID] {
				continue
			}
			out++
			if x := similarity(&passing[i], v); x > float64(c.UnseenBounds[j])+tolerance {
				overlooked++
				if !c.Approximate {
					t.Errorf("%s: %s is not there and has %.7f, nothing should exceed %.7f", what, passing[i].ID, x, c.UnseenBounds[j])
				}
			}
		}
	}
	if float64(overlooked) > (1-overlap)*float64(out) {
		t.Errorf("%s: %d of %d documents outside the pool exceed its bound", what, overlooked, out)
	}
}

// Leaning returns a unit vector whose product with the first axis is x; i distinguishes it
// from others with the same x.
func Leaning(x float64, i, dim int) []float32 {
	v := make([]float32, dim)
	v[0] = float32(x)
	rest := math.Sqrt(1 - x*x)
	v[1+i%(dim-2)] = float32(rest * math.Cos(float64(i)))
	v[2+i%(dim-2)] = float32(rest * math.Sin(float64(i)))
	return v
}

// testReach uses best documents that are far down in both lists: documents ahead of them in
// one list are far behind in the other.
func testReach(t *testing.T, m Maker) {
	ctx, s := context.Background(), m.open(t, dim)
	var docs []engine.Document
	add := func(n int, name string, whole, passage float64) {
		for range n {
			i := len(docs)
			docs = append(docs, engine.Document{
				ID: fmt.Sprint(name, i), Vector: Leaning(whole, i, dim), Metadata: []byte(`{"x": 1}`),
				Passages: []engine.Passage{{Vector: Leaning(passage, i, dim)}, {Vector: Leaning(-0.5, i, dim)}},
			})
		}
	}
	add(30, "whole ", 0.9, 0)
	add(30, "passage ", 0, 0.9)
	add(5, "both ", 0.6, 0.6)
	add(60, "neither ", 0.1, 0.1)
	upsert(t, s, docs)
	axis := [][]float32{Leaning(1, 0, dim)}
	for _, filter := range []string{"", "x:1", ""} {
		c := must(s.Pool(ctx, axis, 5, filterOf(t, filter), axis))(t)
		found, err := s.Documents(ctx, c.Refs, engine.NoParts)
		if err != nil || len(found) != 5 {
			t.Fatalf("%d documents, %v", len(found), err)
		}
		for i, d := range found {
			if !strings.HasPrefix(d.ID, "both ") || math.Abs(float64(c.Similarities[0][i])-0.6) > tolerance {
				t.Errorf("filter %q: %s, %f", filter, d.ID, c.Similarities[0][i])
			}
		}
	}
}

// Queries that have no meaning are an *engine.InputError.
func testQueries(t *testing.T, m Maker) {
	s := m.stored(t, m.corpus(5))
	v := [][]float32{vectorOf("anything")}
	for _, c := range []struct {
		what          string
		near, vectors [][]float32
		k             int
		filter        query.Node
	}{
		{"nothing to be near to", nil, v, 1, nil},
		{"nothing to compare with", v, nil, 1, nil},
		{"no results", v, v, 0, nil},
		{"another dimension", [][]float32{v[0][1:]}, v, 1, nil},
		{"another dimension", v, [][]float32{v[0][1:]}, 1, nil},
		{"a zero vector", [][]float32{make([]float32, dim)}, v, 1, nil},
		{"an atom as a filter", v, v, 1, &query.Atom{Text: "a"}},
		{"AND of nothing", v, v, 1, &query.And{}},
		{"NOT of nothing", v, v, 1, &query.Not{}},
		{"an unknown comparison", v, v, 1, &query.Predicate{Field: "a", Op: 99}},
	} {
		_, err := s.Pool(context.Background(), c.near, c.k, c.filter, c.vectors)
		refused(t, c.what, err)
	}
}

// All of ten thousand documents can be had at once.
func testHuge(t *testing.T, m Maker) {
	n := 10_000
	if testing.Short() || m.Slow {
		n = 1000
	}
	docs := make([]engine.Document, n)
	for i := range docs {
		docs[i] = engine.Document{ID: m.id(i, fmt.Sprint("id-", i)), Vector: vectorOf(fmt.Sprint(i)), Metadata: fmt.Appendf(nil, `{"n": %d}`, i)}
	}
	s := m.filled(t, dim, docs)
	counts(t, s, docs)
	v := [][]float32{vectorOf("anything"), vectorOf("something")}
	for _, filter := range []string{"", "n:>=0"} {
		columns := must(s.Pool(context.Background(), v[:1], 10_000, filterOf(t, filter), v))(t)
		if got := checkColumns(t, s, "all", columns, docs, v); len(got) != n {
			t.Errorf("filter %q: %d documents, want %d", filter, len(got), n)
		}
	}
}
