package weaviate

import (
	"context"
	"fmt"
	"math"
	"net/http"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/weaviate/wire"
	"github.com/nsfl-go/nsfl/query"
)

// leaning is a unit vector whose product with the first axis is x; i tells it from
// others of that kind.
func leaning(x float64, i int) []float32 {
	v := make([]float32, dim)
	v[0] = float32(x)
	rest := math.Sqrt(1 - x*x)
	v[1+i%(dim-2)] = float32(rest * math.Cos(float64(i)))
	v[2+i%(dim-2)] = float32(rest * math.Sin(float64(i)))
	return v
}

func ids(t *testing.T, s *Store, c *engine.Columns) []string {
	t.Helper()
	docs, err := s.Documents(context.Background(), c.Refs)
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, d := range docs {
		ids = append(ids, d.ID)
	}
	return ids
}

// The best documents are far down in the list by wholes and in that by passages:
// those that are ahead of them in one are far behind in the other. With a filter
// that all pass, the server compares them one by one, and without one it goes by its
// indexes.
func TestReach(t *testing.T) {
	ctx, c := context.Background(), sharedCluster(t)
	s := opened(t, c.URL(), Options{Collection: collection(t, c), Dimension: dim})
	var docs []engine.Document
	add := func(name string, whole, passage float64) {
		i := len(docs)
		docs = append(docs, engine.Document{
			ID: fmt.Sprint(name, i), Vector: leaning(whole, i), Metadata: []byte(`{"x": 1}`),
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
	for _, filter := range []query.Node{nil, &query.Predicate{Field: "x", Value: "1"}} {
		s.reach.Store(1)
		for range 2 {
			c, err := s.Pool(ctx, axis, 5, filter, axis)
			if err != nil {
				t.Fatal(err)
			}
			for i, id := range ids(t, s, c) {
				if !strings.HasPrefix(id, "both ") || math.Abs(float64(c.Similarities[0][i])-0.6) > 1e-5 {
					t.Errorf("%s, %f", id, c.Similarities[0][i])
				}
			}
			if len(c.Refs) != 5 {
				t.Errorf("%d documents", len(c.Refs))
			}
		}
		if r := s.reach.Load(); r < 4 {
			t.Errorf("a reach of %d, the best are at places 31 to 35", r)
		}
	}
}

// What the server cannot decide is decided here, with more fetched until there is
// enough.
func TestOpenFilters(t *testing.T) {
	ctx := context.Background()
	c := sharedCluster(t)
	s := opened(t, c.URL(), Options{Collection: collection(t, c), Dimension: dim})
	var docs []engine.Document
	const same = "the same beginning of "
	for i := range 300 {
		text := same + "a"
		if i >= 200 {
			text = same + "b" // all that are near do not pass
		}
		docs = append(docs, engine.Document{ID: fmt.Sprint(i), Vector: leaning(1-float64(i)/200, i), Metadata: fmt.Appendf(nil, `{"text": %q, "n": %d}`, text, i)})
	}
	if err := s.Upsert(ctx, docs); err != nil {
		t.Fatal(err)
	}
	axis := [][]float32{leaning(1, 0)}
	for text, want := range map[string][]string{
		`text:>="the same beginning of b"`:              {"200", "201", "202"},
		`NOT text:<"the same beginning of b"`:           {"200", "201", "202"},
		`text:>="the same beginning of b" AND n:>=210`:  {"210", "211", "212"},
		`text:<"the same beginning of b" AND n:>=198`:   {"198", "199"},
		`text:>"the same beginning of b"`:               nil,
		`text:>"the same beginning of b" OR n:7 OR n:5`: {"5", "7"},
	} {
		f, err := query.ParseFormula(text)
		if err != nil {
			t.Fatal(err)
		}
		if filter, err := newFilter(f.Filter); err != nil || filter.exact {
			t.Errorf("%s can be decided by the server: the test shows nothing", text)
		}
		c, err := s.Pool(ctx, axis, 3, f.Filter, axis)
		if err != nil {
			t.Fatal(err)
		}
		if got := ids(t, s, c); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s: %v, want %v", text, got, want)
		}
	}
}

// Two documents of one Ref are an error wherever they are found.
func TestSameRef(t *testing.T) {
	ctx := context.Background()
	s, b := throughBetween(t, Options{})
	docs := documents(10)
	if err := s.Upsert(ctx, docs); err != nil {
		t.Fatal(err)
	}
	b.answers(func(reply *wire.SearchReply) error {
		for i, r := range reply.Results {
			r.Metadata.Id = fmt.Sprintf("00000000-0000-0001-0000-%012d", i+1)
		}
		return nil
	})
	v := [][]float32{docs[0].Vector}
	if _, err := s.Pool(ctx, v, 10, nil, v); err == nil || !strings.Contains(err.Error(), "told apart") {
		t.Errorf("a pool: %v", err)
	}
	if _, err := s.Documents(ctx, []engine.Ref{keyOf("id-1").ref(), keyOf("id-2").ref()}); err == nil || !strings.Contains(err.Error(), "told apart") {
		t.Errorf("documents: %v", err)
	}
}

// Vectors that something else has changed are not taken for similarities.
func TestForeignVectors(t *testing.T) {
	ctx, c := context.Background(), sharedCluster(t)
	s := opened(t, c.URL(), Options{Collection: collection(t, c), Dimension: dim})
	if err := s.Upsert(ctx, documents(3)); err != nil {
		t.Fatal(err)
	}
	askSchema(t, c, http.MethodPut, "objects/"+s.options.Collection+"/"+keyOf("id-1").String(), map[string]any{
		"class": s.options.Collection, "id": keyOf("id-1").String(), "properties": map[string]any{idProperty: "id-1"},
		"vectors": map[string]any{wholeVector: []float32{9, 9, 9, 9, 9, 9, 9, 9}},
	})
	v := [][]float32{leaning(0.5, 1)}
	if _, err := s.Pool(ctx, v, 3, nil, v); err == nil || !strings.Contains(err.Error(), "not 1") {
		t.Errorf("a pool: %v", err)
	}
	if _, err := s.Get(ctx, "id-1"); err == nil || !strings.Contains(err.Error(), "not 1") {
		t.Errorf("a document: %v", err)
	}
}
