package chroma

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/remote"
)

// TestListMoves checks that a listing continues even if its last records have moved.
func TestListMoves(t *testing.T) {
	ctx, url := context.Background(), sharedURL(t)
	address, records := collection(t, url, nil)
	a := asker(t, url)
	var docs []engine.Document
	for i := range 40 {
		docs = append(docs, engine.Document{ID: fmt.Sprintf("%02d", i), Vector: []float32{1, float32(i)}, Text: "text"})
	}
	fill(t, a, records, docs)
	s := opened(t, address, engine.Options{})
	first, mark, err := s.List(ctx, engine.Page{Limit: 20})
	if err != nil || len(first) != 20 || first[19].ID != "19" {
		t.Fatal(first, err)
	}
	gone := func(ids ...string) {
		t.Helper()
		a.must(t, http.MethodPost, records+"/delete", map[string]any{"ids": ids})
	}
	for _, ids := range [][]string{{"03", "05"}, {"19"}, {"18", "17"}} {
		gone(ids...)
		next, _, err := s.List(ctx, engine.Page{Limit: 20, After: mark})
		if err != nil || len(next) != 20 || next[0].ID != "20" {
			t.Errorf("without %v: %v, %v", ids, next, err)
		}
	}
	gone("16")
	if _, _, err := s.List(ctx, engine.Page{Limit: 20, After: mark}); err == nil || !strings.Contains(err.Error(), "list from the beginning") {
		t.Errorf("got error %v, want advice to list from the beginning", err)
	}
}

// A sample of a large collection is taken in stretches.
func TestStretches(t *testing.T) {
	ctx, url := context.Background(), sharedURL(t)
	address, records := collection(t, url, nil)
	var docs []engine.Document
	for i := range 500 {
		docs = append(docs, engine.Document{ID: fmt.Sprint(i), Vector: []float32{1, float32(i)}})
	}
	fill(t, asker(t, url), records, docs)
	d, s, err := open(ctx, address, engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	d.sampledWhole = 10
	for _, n := range []int{5, 100, 499} {
		refs, err := s.Sample(ctx, n)
		if err != nil || len(refs) > n || len(refs) < n*9/10 {
			t.Errorf("%d of %d, %v", len(refs), n, err)
		}
		slices.SortFunc(refs, engine.Ref.Compare)
		if len(slices.Compact(refs)) != len(refs) {
			t.Error("one is there twice")
		}
	}
}

// TestGuessed checks that a sample of the metadata is not taken for all of a larger
// collection.
func TestGuessed(t *testing.T) {
	ctx, url := context.Background(), sharedURL(t)
	address, records := collection(t, url, nil)
	docs := make([]engine.Document, remote.KindsSeen+200)
	for i := range docs {
		docs[i] = engine.Document{ID: fmt.Sprint(i), Vector: []float32{1, float32(i)}, Metadata: fmt.Appendf(nil, `{"n": %d}`, i)}
	}
	fill(t, asker(t, url), records, docs)
	s, v := opened(t, address, engine.Options{}), [][]float32{{1, 7}}
	for filter, approximate := range map[string]bool{"": false, "n:<7": true, "NOT n:<7": false} {
		c, err := s.Pool(ctx, v, len(docs)+1, filterOf(t, filter), v)
		if err != nil || c.Approximate != approximate || c.UnseenBounds[0] != -2 {
			t.Errorf("%q: %d documents, approximate: %t, beyond %g, %v", filter, len(c.Refs), c.Approximate, c.UnseenBounds[0], err)
		}
	}
}

func TestPattern(t *testing.T) {
	for want, ways := range map[string][]string{
		`(?i)(?:\bdog\b|\bdogs\b)`: {"dog", "dogs"}, `(?i)(?:\bc\+\+)`: {"c++"}, `(?i)(?:\.net\b)`: {".net"}, `(?i)(?:\bübung\b)`: {"übung"},
	} {
		if got := pattern(ways); got != want {
			t.Errorf("%v: %s, want %s", ways, got, want)
		}
	}
}
