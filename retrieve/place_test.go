package retrieve

import (
	"context"
	"testing"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/logic"
)

// Every document has the place that the whole ranking gives it, by a store that can
// scan and by one that cannot.
func TestPlace(t *testing.T) {
	ctx := context.Background()
	s, docs := corpus(t, 60)
	find := s.Store.(engine.Collection).Find
	f := parsed(t, "a AND NOT b")
	for _, s := range []*Searcher{s, {Store: noScan{s.Store}, Encoder: s.Encoder}} {
		e, err := s.Encode(ctx, f, 0)
		if err != nil {
			t.Fatal(err)
		}
		all, err := s.Find(ctx, e, s.Everything(Options{Mode: SQO, Candidates: 3}, len(docs)))
		if err != nil {
			t.Fatal(err)
		}
		ranking, err := all.Rank(logic.Options{}, len(docs))
		if err != nil {
			t.Fatal(err)
		}
		r, err := s.Present(ctx, all, ranking, Options{K: len(docs)})
		if err != nil || len(r.Hits) != len(docs) {
			t.Fatalf("%d of %d documents are ranked, %v", len(r.Hits), len(docs), err)
		}
		for i, h := range r.Hits {
			ref, err := find(ctx, h.ID)
			if got := all.Place(ranking, ref); got != i || err != nil {
				t.Errorf("%s has place %d, want %d, %v", h.ID, got, i, err)
			}
		}
		if got := all.Place(ranking, 1<<40); got != -1 {
			t.Errorf("a document that never was has place %d", got)
		}
		ranking.Lines = ranking.Lines[:1]
		ref, err := find(ctx, r.Hits[1].ID)
		if got := all.Place(ranking, ref); got != -1 || err != nil {
			t.Errorf("a document beyond the ranking has place %d, %v", got, err)
		}
	}
}
