package retrieve

import (
	"encoding/json"
	"errors"
	"fmt"
	"testing"

	"github.com/nsfl-go/nsfl/internal/fieldstats"
	"github.com/nsfl-go/nsfl/internal/predicate"
)

// TestFacets checks that facets count all documents that pass the filter, regardless of K, and
// the top of the ranking.
func TestFacets(t *testing.T) {
	s, docs := corpus(t, 300)
	for _, o := range []Options{{K: 3}, {K: 3, Offset: 5}, {K: 3, AllCopies: true}, {K: 200}} {
		o.Facets, o.Mode = []fieldstats.FacetRequest{{Field: "even"}, {Field: "n", Size: 4}}, Exact
		r, err := s.Search(t.Context(), asked(t, "a AND b n:<250"), o)
		if err != nil {
			t.Fatal(err)
		}
		even, n := r.Facets[0], r.Facets[1]
		if fmt.Sprint(even.Buckets[0].Value, even.Buckets[0].Count, even.Buckets[1].Value, even.Buckets[1].Count) != "false125true125" || even.Others != 0 || even.Sampled != 0 {
			t.Errorf("got %+v, want 125 each of false and true, of all documents", even)
		}
		if len(n.Buckets) != 3 || n.Buckets[2].Count != 50 || n.Buckets[0].Query != "n:>=0 AND n:<100" {
			t.Errorf("got %+v, want 3 ranges, the last with 50 documents", n)
		}
		best, err := s.Search(t.Context(), asked(t, "a AND b n:<250"), Options{K: foundIn, AllCopies: true, Research: Research{Mode: Exact}})
		if err != nil {
			t.Fatal(err)
		}
		found := map[string]int{}
		for _, h := range best.Hits {
			values, err := predicate.Values(h.Metadata)
			if err != nil {
				t.Fatal(err)
			}
			found[values[0].Text]++
		}
		for _, b := range even.Buckets {
			if b.Found != found[b.Value] {
				t.Errorf("%s was found in %d, want %d", b.Value, b.Found, found[b.Value])
			}
		}
	}
	if len(docs) != 300 {
		t.Errorf("%d documents", len(docs))
	}
	r, err := s.Search(t.Context(), asked(t, "a AND NOT a"), Options{Facets: []fieldstats.FacetRequest{{Field: "even"}}})
	if err != nil || r.Facets[0].Buckets[0].Count != 150 || r.Facets[0].Buckets[0].Found != 0 {
		t.Errorf("where nothing is found: %v, %+v", err, r)
	}
}

func TestFacetLimits(t *testing.T) {
	s, _ := corpus(t, 10)
	for _, wishes := range [][]fieldstats.FacetRequest{{{Field: ""}}, {{Field: "n", Size: -1}}, {{Field: "n", Size: fieldstats.MaxFacetSize + 1}}, make([]fieldstats.FacetRequest, fieldstats.MaxFacets+1)} {
		var bad *OptionError
		if _, err := s.Search(t.Context(), asked(t, "a"), Options{Facets: wishes}); !errors.As(err, &bad) {
			t.Errorf("%v: %v", wishes, err)
		}
	}
	var o Options
	if err := json.Unmarshal([]byte(`{"facets": ["a", {"field": "b", "size": 3}]}`), &o); err != nil || fmt.Sprint(o.Facets) != "[{a 0} {b 3}]" {
		t.Errorf("got error %v and %v, want a and b, the latter of size 3", err, o.Facets)
	}
	for _, text := range []string{`[1]`, `[{"size": "x"}]`, `[{"name": "b"}]`, `"a"`} {
		if json.Unmarshal([]byte(`{"facets": `+text+`}`), &o) == nil {
			t.Errorf("%s is accepted", text)
		}
	}
	if err := find(t, o.Knobs(), "facet").Set("a, b:3,"); err != nil || fmt.Sprint(o.Facets) != "[{a 0} {b 3}]" {
		t.Errorf("got error %v and %v, want a and b, the latter of size 3", err, o.Facets)
	}
	if err := find(t, o.Knobs(), "facet").Set("b:x"); err == nil {
		t.Error("b:x is accepted")
	}
}
