package server

import (
	"testing"
	"time"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/retrieve"
)

// Searches are kept by number, bytes and time, for those who made them.
func TestKept(t *testing.T) {
	search := func(refs int) *keptSearch {
		return &keptSearch{candidates: &retrieve.Candidates{Prepared: &retrieve.Prepared{Encoded: &retrieve.Encoded{}}, Refs: make([]engine.Ref, refs)}} // 28 bytes each
	}
	now := time.Unix(0, 0)
	k := newSearchCache(Limits{Kept: 3, KeptBytes: 2800, KeptTime: time.Minute})
	k.now = func() time.Time { return now }
	put := func(refs int) string {
		token, problem := k.put("me", search(refs))
		if problem != "" {
			t.Fatal(problem)
		}
		return token
	}
	there := func(token string, want bool) {
		t.Helper()
		if _, err := k.get("me", token); (err == nil) != want {
			t.Errorf("%s: %v", token, err)
		}
	}
	a, b, c := put(10), put(10), put(10)
	there(a, true) // it is used, so b is the oldest
	d := put(10)
	there(b, false)
	there(a, true)
	there(c, true)
	there(d, true)
	if _, err := k.get("you", a); err == nil {
		t.Error("another's search was found")
	}
	big := put(95) // leaves room for none of the others
	if len(k.searches) != 1 || k.bytes != 95*28 {
		t.Errorf("%d searches of %d bytes", len(k.searches), k.bytes)
	}
	if token, problem := k.put("me", search(101)); token != "" || problem == "" {
		t.Errorf("too large: %q, %q", token, problem)
	}
	now = now.Add(50 * time.Second)
	there(big, true)
	now = now.Add(50 * time.Second)
	there(big, true)
	now = now.Add(61 * time.Second)
	there(big, false)
	if len(k.searches) != 0 || k.bytes != 0 {
		t.Errorf("%d searches of %d bytes are left", len(k.searches), k.bytes)
	}
}
