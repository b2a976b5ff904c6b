package enginetest

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/profile"
	"github.com/nsfl-go/nsfl/query"
	"github.com/nsfl-go/nsfl/retrieve"
)

// testStreamed tests a search that reads until its results are proven while the server falls
// silent. Silence from the beginning is a timely error; silence later gives the results read
// so far, marked as incomplete.
func testStreamed(t *testing.T, r Remote) {
	const limit = 200 * time.Millisecond
	s, proxies := r.proxied(t)
	f := must(query.ParseFormula("document AND NOT other"))(t)
	for _, answers := range []int{0, 1} {
		store := &falling{Store: s, answers: answers, fall: func() (rise func()) {
			restore := r.Hasten(s, limit)
			stick(proxies, true)
			return func() {
				stick(proxies, false)
				cut(proxies)
				restore()
			}
		}}
		searcher := &retrieve.Searcher{Store: store, Encoder: encode(vectorOf), Profile: profile.Paper()}
		result, err := searcher.Search(context.Background(), retrieve.Ask(f), retrieve.Options{K: 3, AllCopies: true, Research: retrieve.Research{Mode: retrieve.Hybrid}})
		switch {
		case answers == 0 && !errors.Is(err, context.DeadlineExceeded):
			t.Errorf("a server that is silent: %v", err)
		case answers > 0 && err != nil:
			t.Errorf("a server that falls silent: %v", err)
		case answers > 0 && (len(result.Hits) != 3 || len(result.Degraded) != 1 || result.Proof == nil || result.Proof.Exact != 0):
			t.Errorf("a server that falls silent: %d hits, degraded %q, proof %+v", len(result.Hits), result.Degraded, result.Proof)
		}
	}
}

// falling is a store whose server falls silent after a number of pools. Its answers prove
// nothing, so the search requests more.
type falling struct {
	Store
	answers int
	fall    func() (rise func())
}

func (f *falling) Pool(ctx context.Context, near [][]float32, k int, filter query.Node, vectors [][]float32) (*engine.Columns, error) {
	if f.answers == 0 {
		defer f.fall()()
	}
	f.answers--
	columns, err := f.Store.Pool(ctx, near, k, filter, vectors)
	if err == nil {
		columns.Beyond = slices.Repeat([]float32{1}, len(near))
	}
	return columns, err
}
