package chroma

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl/engine"
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

// leaning is a unit vector whose product with the first axis is x; i tells it from
// others of that kind.
func leaning(x float64, i int) []float32 {
	v := make([]float32, dim)
	v[0] = float32(x)
	rest := math.Sqrt(1 - x*x)
	angle := float64(i)
	v[1+i%(dim-2)] = float32(rest * math.Cos(angle))
	v[2+i%(dim-2)] = float32(rest * math.Sin(angle))
	return v
}

// The best documents are far down in the list of documents and in that of
// passages: those that are ahead of them in one are far behind in the other.
func TestReach(t *testing.T) {
	ctx, url := context.Background(), sharedURL(t)
	s := opened(t, url, Options{Collection: collection(t, url), Dimension: dim})
	var docs []engine.Document
	add := func(name string, whole, passage float64) {
		i := len(docs)
		docs = append(docs, engine.Document{
			ID: fmt.Sprint(name, i), Vector: leaning(whole, i),
			Passages: []engine.Passage{{Vector: leaning(passage, i)}, {Vector: leaning(-0.5, i)}},
		})
	}
	for range 30 {
		add("whole ", 0.9, 0)
		add("passage ", 0, 0.9)
	}
	for range 5 {
		add("both ", 0.6, 0.6)
	}
	for range 60 {
		add("neither ", 0.1, 0.1)
	}
	if err := s.Upsert(ctx, docs); err != nil {
		t.Fatal(err)
	}
	axis := [][]float32{leaning(1, 0)}
	for range 2 {
		c, err := s.Pool(ctx, axis, 5, nil, axis)
		if err != nil {
			t.Fatal(err)
		}
		found, err := s.Documents(ctx, c.Refs)
		if err != nil {
			t.Fatal(err)
		}
		for i, d := range found {
			if !strings.HasPrefix(d.ID, "both ") || math.Abs(float64(c.Similarities[0][i])-0.6) > 1e-5 {
				t.Errorf("%s, %f", d.ID, c.Similarities[0][i])
			}
		}
		if len(found) != 5 {
			t.Errorf("%d documents", len(found))
		}
	}
	if r := s.reach.Load(); r != rememberedReach {
		t.Errorf("a reach of %d is remembered, the best are at places 31 to 35", r)
	}
}

// What goes by the index finds nearly all of what is found without, whichever
// filter narrows it down, also after much was replaced and deleted.
func TestFilteredIndex(t *testing.T) {
	if testing.Short() {
		t.Skip("replaces a thousand documents")
	}
	ctx, url := context.Background(), sharedURL(t)
	name := collection(t, url)
	s := opened(t, url, Options{Collection: name, Dimension: dim})
	s.few = 0 // so that the index is used
	exact := opened(t, url, Options{Collection: name, Exact: true})
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
	s := opened(t, url, Options{Collection: collection(t, url), Dimension: dim})
	s.few = 0 // so that the index is used
	if err := s.Upsert(ctx, documents(200)); err != nil {
		t.Fatal(err)
	}
	wide := &query.Or{}
	var deep query.Node = &query.Predicate{Field: "n", Value: "7"}
	for i := range 5000 {
		wide.Parts = append(wide.Parts, &query.Predicate{Field: "n", Value: fmt.Sprint(i + 190)})
		deep = &query.Not{X: &query.And{Parts: []query.Node{deep, &query.Predicate{Field: "n", Op: query.GreaterEqual, Value: "0"}}}}
	}
	v := [][]float32{leaning(1, 0)}
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
