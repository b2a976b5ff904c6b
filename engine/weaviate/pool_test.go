package weaviate

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/enginetest"
	"github.com/nsfl-go/nsfl/query"
)

func ids(t *testing.T, s *Store, c *engine.Columns) []string {
	t.Helper()
	docs, err := s.Documents(context.Background(), c.Refs, engine.NoParts)
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, d := range docs {
		ids = append(ids, d.ID)
	}
	return ids
}

// What the server cannot decide is decided here, with more fetched until there is
// enough.
func TestOpenFilters(t *testing.T) {
	ctx := context.Background()
	c := sharedCluster(t)
	s := opened(t, c.URL()+"&collection="+collection(t, c), engine.Options{Dimension: dim})
	var docs []engine.Document
	const same = "the same beginning of "
	for i := range 300 {
		text := same + "a"
		if i >= 200 {
			text = same + "b" // all that are near do not pass
		}
		docs = append(docs, engine.Document{ID: fmt.Sprint(i), Vector: enginetest.Leaning(1-float64(i)/200, i, dim), Metadata: fmt.Appendf(nil, `{"name": %q, "n": %d}`, text, i)})
	}
	if err := s.Upsert(ctx, docs); err != nil {
		t.Fatal(err)
	}
	axis := [][]float32{enginetest.Leaning(1, 0, dim)}
	for text, want := range map[string][]string{
		`name:>="the same beginning of b"`:              {"200", "201", "202"},
		`NOT name:<"the same beginning of b"`:           {"200", "201", "202"},
		`name:>="the same beginning of b" AND n:>=210`:  {"210", "211", "212"},
		`name:<"the same beginning of b" AND n:>=198`:   {"198", "199"},
		`name:>"the same beginning of b"`:               nil,
		`name:>"the same beginning of b" OR n:7 OR n:5`: {"5", "7"},
	} {
		f, err := query.ParseFormula(text)
		if err != nil {
			t.Fatal(err)
		}
		if newFilter(f.Filter).exact {
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

// Vectors that something else has changed are not taken for similarities.
func TestForeignVectors(t *testing.T) {
	ctx, c := context.Background(), sharedCluster(t)
	s := opened(t, c.URL()+"&collection="+collection(t, c), engine.Options{Dimension: dim})
	if err := s.Upsert(ctx, enginetest.Documents(3)); err != nil {
		t.Fatal(err)
	}
	askSchema(t, c, http.MethodPut, "objects/"+s.address.collection+"/"+keyOf("id-1").String(), map[string]any{
		"class": s.address.collection, "id": keyOf("id-1").String(), "properties": map[string]any{idProperty: "id-1"},
		"vectors": map[string]any{wholeVector: slices.Repeat([]float32{9}, dim)},
	})
	v := [][]float32{enginetest.Leaning(0.5, 1, dim)}
	if _, err := s.Pool(ctx, v, 3, nil, v); err == nil || !strings.Contains(err.Error(), "not 1") {
		t.Errorf("a pool: %v", err)
	}
	if _, err := s.Get(ctx, "id-1", engine.AllParts); err == nil || !strings.Contains(err.Error(), "not 1") {
		t.Errorf("a document: %v", err)
	}
}
