package server

import (
	"fmt"
	"testing"
)

// Pages of a search are slices of one list.
func TestOffset(t *testing.T) {
	a := withAnimals(t)
	all := a.call(200, "POST", searchPath, `{"query": "dog AND NOT leash", "all": true}`)
	for offset := 0; offset < 4; offset++ {
		page := a.call(200, "POST", searchPath, fmt.Sprintf(`{"query": "dog AND NOT leash", "all": true, "k": 1, "offset": %d}`, offset))
		h, want := at(page, "hits", 0), at(all, "hits", offset)
		if at(h, "id") != at(want, "id") || at(h, "rank") != float64(offset+1) || at(h, "score") != at(want, "score") {
			t.Errorf("%d: %v, want %v", offset, h, want)
		}
		if next, there := page["next"]; there != (offset < 3) || there && next != float64(offset+1) {
			t.Errorf("after %d: next is %v", offset, next)
		}
	}
	a.fails("invalid", "together at most 1000", "POST", searchPath, `{"query": "dog", "offset": 991}`)
	a.fails("invalid", "together at most 1000", "POST", searchPath, `{"query": "dog", "offset": -1}`)
	a.fails("invalid", "together at most 1000", "POST", searchPath, `{"query": "dog", "offset": 9223372036854775807}`)
}
