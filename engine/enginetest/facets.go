package enginetest

import (
	"context"
	"slices"
	"testing"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/internal/fieldstats"
	"github.com/nsfl-go/nsfl/query"
)

// Values are counted in all documents that pass, as conditions see them.
func testFacets(t *testing.T, m Maker) {
	docs := m.corpus(60)
	s := m.stored(t, docs)
	checkFacets(t, s, docs)
	if !m.written() {
		return
	}
	must(s.Delete(context.Background(), []string{docs[0].ID, docs[7].ID}))(t)
	checkFacets(t, s, slices.Concat(docs[1:7], docs[8:]))
}

func checkFacets(t *testing.T, s Store, docs []engine.Document) {
	t.Helper()
	wishes := []fieldstats.FacetRequest{{Field: "n", Size: 5}, {Field: "even"}, {Field: "name"}, {Field: "tags", Size: 4}, {Field: "place.city"}, {Field: "score", Size: 100}, {Field: "missing"}}
	for _, filter := range []query.Node{
		nil,
		&query.Predicate{Field: "n", Op: query.Greater, Value: "20"},
		&query.Not{X: &query.Predicate{Field: "even", Value: "true"}},
		&query.Predicate{Field: "n", Op: query.Less, Value: "0"},
	} {
		facets := must(fieldstats.Facets(context.Background(), s, wishes, filter))(t)
		for i, f := range facets {
			checkFacet(t, f, wishes[i], passing(t, docs, filter))
		}
	}
}

func checkFacet(t *testing.T, f *fieldstats.Facet, wish fieldstats.FacetRequest, docs []engine.Document) {
	t.Helper()
	if f.Field != wish.Field || f.Sampled != 0 || f.Approximate || wish.Size > 0 && len(f.Buckets) > wish.Size {
		t.Errorf("%+v, want %+v", f, wish)
	}
	distinct := map[string]bool{}
	for i := range docs {
		values := valuesOf(t, &docs[i])
		f.Find(values)
		for _, v := range values {
			if v.Field == f.Field {
				distinct[v.Text] = true
			}
		}
	}
	if ranges := len(f.Buckets) > 0 && f.Buckets[0].From != ""; !ranges && len(f.Buckets)+f.Others != len(distinct) {
		t.Errorf("%s: %d values and %d others, want %d", f.Field, len(f.Buckets), f.Others, len(distinct))
	}
	for _, b := range f.Buckets {
		if b.Count == 0 || b.Count != b.Found {
			t.Errorf("%s: %+v, of %d documents", f.Field, b, len(docs))
		}
	}
}
