package chroma

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/enginetest"
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

// What goes by the index finds nearly all of what is found without, whichever
// filter narrows it down, also after much was replaced and deleted.
func TestFilteredIndex(t *testing.T) {
	if testing.Short() {
		t.Skip("replaces a thousand documents")
	}
	ctx, url := context.Background(), sharedURL(t)
	address := collection(t, url)
	s := opened(t, address, engine.Options{Dimension: dim})
	s.few = 0 // so that the index is used
	exact := opened(t, address, engine.Options{Fill: true})
	const seed, n = 3, 500
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, seed))
	random := func() []float32 {
		v := make([]float32, dim)
		for i := range v {
			v[i] = float32(r.NormFloat64())
		}
		return v
	}
	for round := range 2 {
		docs := make([]engine.Document, n)
		for i := range docs {
			docs[i] = engine.Document{
				ID: fmt.Sprint(i), Vector: random(),
				Metadata: fmt.Appendf(nil, `{"year": %d, "tag": ["t%d", "all"], "date": "2020-%02d-01", "round%d": 1}`, 1950+r.IntN(75), r.IntN(5), 1+r.IntN(12), round),
			}
			for range 2 * (i % 2) {
				docs[i].Passages = append(docs[i].Passages, engine.Passage{Vector: random()})
			}
		}
		if err := s.Upsert(ctx, docs); err != nil {
			t.Fatal(err)
		}
	}
	var gone []string
	for i := range n / 3 {
		gone = append(gone, fmt.Sprint(3*i))
	}
	if _, err := s.Delete(ctx, gone); err != nil {
		t.Fatal(err)
	}
	found, all := 0, 0
	for _, filter := range []string{"", "year:>=1990", "NOT year:<1990", "tag:t1 OR tag:t2", "NOT tag:t3", "tag:all", "date:>2020-04", "NOT date:<=2020-05-15",
		"round1:1", "NOT round0:1", "year:>1960 AND (tag:t0 OR date:<2020-10)"} {
		for range 3 {
			near := [][]float32{random(), random()}
			const k = 20
			want, err := exact.Pool(ctx, near, k, filterOf(t, filter), near)
			if err != nil {
				t.Fatal(err)
			}
			got, err := s.Pool(ctx, near, k, filterOf(t, filter), near)
			if err != nil {
				t.Fatal(err)
			}
			f, w := overlapping(got.Refs, want.Refs)
			found, all = found+f, all+w
			if len(want.Refs) < k || len(got.Refs) < k {
				t.Errorf("%s: %d documents, want %d", filter, len(got.Refs), len(want.Refs))
			}
		}
	}
	t.Logf("%d of %d", found, all)
	if float64(found) < overlap*float64(all) {
		t.Errorf("%d of %d documents", found, all)
	}
	c, err := s.Pool(ctx, [][]float32{random()}, 20, filterOf(t, "round0:1"), [][]float32{random()})
	if err != nil || len(c.Refs) != 0 {
		t.Errorf("%d documents still say what they said before, %v", len(c.Refs), err)
	}
}

// overlapping counts those of want that are in got.
func overlapping(got, want []engine.Ref) (found, all int) {
	in := make(map[engine.Ref]bool, len(got))
	for _, r := range got {
		in[r] = true
	}
	for _, r := range want {
		if in[r] {
			found++
		}
	}
	return found, len(want)
}

// A filter that is too large for the server is evaluated here.
func TestLargeFilters(t *testing.T) {
	ctx, url := context.Background(), sharedURL(t)
	s := opened(t, collection(t, url), engine.Options{Dimension: dim})
	s.few = 0 // so that the index is used
	if err := s.Upsert(ctx, enginetest.Documents(200)); err != nil {
		t.Fatal(err)
	}
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
}
