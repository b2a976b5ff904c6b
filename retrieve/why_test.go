package retrieve

import (
	"errors"
	"slices"
	"testing"

	"github.com/nsfl-go/nsfl/engine"
)

// TestWhy checks that every document can be explained, with its rank in the full ranking, by a
// store that can scan and by one that cannot.
func TestWhy(t *testing.T) {
	s, docs := corpus(t, 60)
	for _, s := range []*Searcher{s, {Store: noScan{s.Store}, Encoder: s.Encoder}} {
		q := asked(t, "a AND NOT b")
		all, err := s.Search(t.Context(), q, Options{K: len(docs), Research: Research{Mode: Rerank, Candidates: len(docs)}})
		if err != nil || len(all.Hits) != len(docs) {
			t.Fatalf("%d of %d documents are ranked, %v", len(all.Hits), len(docs), err)
		}
		small := Options{K: 3, Research: Research{Mode: Rerank, Candidates: 5}}
		pool, err := s.Search(t.Context(), q, Options{K: 5, Research: small.Research})
		if err != nil {
			t.Fatal(err)
		}
		for _, h := range all.Hits {
			r, err := s.Why(t.Context(), q, small, h.ID)
			if err != nil {
				t.Fatal(err)
			}
			at := slices.IndexFunc(pool.Hits, func(p Hit) bool { return p.ID == h.ID })
			if *r.Candidate != (at >= 0) {
				t.Errorf("%s is said to be a candidate: %t", h.ID, *r.Candidate)
			}
			want := h.Rank
			if *r.Candidate {
				want = at + 1
			}
			if got := r.Hits[0]; len(r.Hits) != 1 || got.ID != h.ID || got.Rank != want || got.Explanation == nil {
				t.Errorf("%s is explained as %+v, its rank is %d", h.ID, r.Hits, want)
			}
		}
	}
}

func TestWhyNot(t *testing.T) {
	s, _ := corpus(t, 30)
	if _, err := s.Why(t.Context(), asked(t, "a"), Options{}, "nobody"); !errors.Is(err, engine.ErrNotFound) {
		t.Errorf("a document that never was: %v", err)
	}
	// The error names the missing document but not the location of the store.
	if _, err := s.Why(t.Context(), asked(t, "a AND like:ghost"), Options{}, "doc-4"); !errors.Is(err, engine.ErrNotFound) || err.Error() != "looking up like:ghost: no such document" {
		t.Errorf("an atom that stands for no document: %v", err)
	}
	var filtered *FilteredError
	if _, err := s.Why(t.Context(), asked(t, "a even:true"), Options{}, "doc-3"); !errors.As(err, &filtered) {
		t.Errorf("a document that does not pass: %v", err)
	}
	if r, err := s.Why(t.Context(), asked(t, "a even:true"), Options{}, "doc-4"); err != nil || r.Hits[0].ID != "doc-4" {
		t.Errorf("a document that passes: %v", err)
	}
}

// TestVectorIsThatOfSQO checks that Vector returns the vector that mode sqo searches with, on
// every template and with the profile's refinement.
func TestVectorIsThatOfSQO(t *testing.T) {
	s, _ := corpus(t, 120)
	s.Profile = refining
	for _, formula := range []string{"a AND b", "a AND b AND c", "a AND NOT b", "a AND b AND NOT c", "a OR b", "a OR b OR c"} {
		for _, o := range []Options{{}, {Research: Research{Solver: RSGD}}, {Research: Research{Mode: GeoOpt}}} {
			q := asked(t, formula)
			v, err := s.Vector(t.Context(), q, o)
			if err != nil {
				t.Fatal(err)
			}
			columns, err := s.Store.Pool(t.Context(), [][]float32{v.Vector}, 10, nil, [][]float32{v.Vector})
			if err != nil {
				t.Fatal(err)
			}
			lines, scores := best(columns.Refs, columns.Similarities[0], 10)
			if o.Mode == Auto {
				o.Mode = SQO
			}
			r, err := s.Search(t.Context(), q, o)
			if err != nil {
				t.Fatal(err)
			}
			for i, h := range r.Hits {
				ref, err := s.Store.Find(t.Context(), h.ID)
				if err != nil || columns.Refs[lines[i]] != ref || float64(scores[i]) != h.Score {
					t.Errorf("%s, %+v: result %d is %s with %v, by the vector %v", formula, o.Research, i, h.ID, h.Score, scores[i])
				}
			}
		}
	}
	if _, err := s.Vector(t.Context(), asked(t, "a AND b"), Options{Research: Research{Mode: Exact}}); err == nil {
		t.Error("exact search goes by one vector")
	}
}
