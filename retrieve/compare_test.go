package retrieve

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/query"
)

// flaky is a store whose n-th call of Pool reports missed[n] as degraded.
type flaky struct {
	engine.Collection
	missed []string
	asked  int
}

func (f *flaky) Pool(ctx context.Context, near [][]float32, k int, filter query.Node, vectors [][]float32) (*engine.Columns, error) {
	c, err := f.Collection.Pool(ctx, near, k, filter, vectors)
	if err == nil && f.missed[f.asked] != "" {
		c.Degraded = []string{f.missed[f.asked]}
	}
	f.asked++
	return c, err
}

// TestCompareDegraded checks that the result reports parts of the store that did not answer
// the comparison, and lists each once.
func TestCompareDegraded(t *testing.T) {
	s, _ := corpus(t, 50)
	for _, c := range []struct {
		mode    Mode
		compare bool
		missed  []string // during the search, during the comparison
		want    []string
	}{
		{Hybrid, true, []string{"", "n2"}, []string{"n2"}},
		{Hybrid, true, []string{"n1", "n2"}, []string{"n1", "n2"}},
		{Hybrid, true, []string{"n1", "n1"}, []string{"n1"}},
		{Hybrid, true, []string{"n1", ""}, []string{"n1"}},
		{Hybrid, false, []string{"n1"}, []string{"n1"}},
		{Rerank, true, []string{"n1"}, []string{"n1"}}, // it shares its pool with plain retrieval
	} {
		store := &flaky{Collection: s.Store.(engine.Collection), missed: c.missed}
		own := &Searcher{Store: store, Encoder: s.Encoder}
		r, err := own.Search(t.Context(), asked(t, "a AND NOT b"), Options{Compare: c.compare, Research: Research{Mode: c.mode, Candidates: 20}})
		if err != nil {
			t.Fatal(err)
		}
		if what := fmt.Sprint(c.mode, " missed ", c.missed); !slices.Equal(r.Degraded, c.want) || store.asked != len(c.missed) {
			t.Errorf("%s: degraded %q after %d pools, want %q", what, r.Degraded, store.asked, c.want)
		}
	}
}
