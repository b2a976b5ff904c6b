package server

import (
	"fmt"
	"testing"
)

// Pages of a search, and of a cached one that is ranked again, are slices of one list.
func TestOffset(t *testing.T) {
	a := withAnimals(t)
	all := a.call(200, "POST", searchPath, `{"query": "dog AND NOT leash", "all": true, "keep": true}`)
	var found, ranked []any
	for offset := 0; offset < 4; offset++ {
		page := a.call(200, "POST", searchPath, fmt.Sprintf(`{"query": "dog AND NOT leash", "all": true, "k": 1, "offset": %d}`, offset))
		again := a.call(200, "POST", "/v1/collections/pets/rank", fmt.Sprintf(`{"search": %q, "all": true, "k": 1, "offset": %d}`, all["search"], offset))
		found, ranked = append(found, at(page, "hits", 0)), append(ranked, at(again, "hits", 0))
		if next, there := page["next"]; there != (offset < 3) || there && next != float64(offset+1) {
			t.Errorf("after %d: next is %v", offset, next)
		}
	}
	for i := range 4 {
		for _, h := range []any{found[i], ranked[i]} {
			if want := at(all, "hits", i); at(h, "id") != at(want, "id") || at(h, "rank") != float64(i+1) || at(h, "score") != at(want, "score") {
				t.Errorf("%d: %v, want %v", i, h, want)
			}
		}
	}
	a.fails("invalid", "together at most 1000", "POST", searchPath, `{"query": "dog", "offset": 991}`)
	a.fails("invalid", "together at most 1000", "POST", searchPath, `{"query": "dog", "offset": -1}`)
	a.fails("invalid", "together at most 1000", "POST", searchPath, `{"query": "dog", "offset": 9223372036854775807}`)
	a.fails("invalid", "together at most 1000", "POST", "/v1/collections/pets/rank", fmt.Sprintf(`{"search": %q, "offset": 1000}`, all["search"]))
	a.fails("invalid", "together at most 1000", "POST", "/v1/collections/pets/rank", fmt.Sprintf(`{"search": %q, "offset": 9223372036854775807}`, all["search"]))
}
