package server

import (
	"fmt"
	"strings"
	"testing"
)

func TestRights(t *testing.T) {
	a := start(t, Config{Root: t.TempDir(), Limits: Limits{StreamBytes: 5000}})
	if got := a.call(200, "GET", "/v1/rights", ""); got["role"] != "admin" || got["keys"] != false || got["cannot_make"] != nil || got["upload_bytes"] != 5000.0 {
		t.Errorf("without keys: %v", got)
	}
	a = start(t, Config{})
	if got := a.call(200, "GET", "/v1/rights", ""); !strings.Contains(fmt.Sprint(got["cannot_make"]), "no directory") {
		t.Errorf("without a directory: %v", got)
	}
	a = start(t, Config{Root: t.TempDir(), Keys: testKeys})
	for _, role := range []Role{Read, Write, Admin} {
		a.key = testSecrets[role]
		got := a.call(200, "GET", "/v1/rights", "")
		if got["role"] != role.String() || got["keys"] != true || (got["cannot_make"] == nil) != (role == Admin) {
			t.Errorf("as %s: %v", role, got)
		}
	}
}

// Examples are titles of the collection, and change after a write.
func TestExamples(t *testing.T) {
	a := withAnimals(t)
	const path = "/v1/collections/pets/examples"
	if got := a.call(200, "GET", path, ""); fmt.Sprint(got["examples"]) != "[]" {
		t.Errorf("examples of documents without titles: got %v, want none", got)
	}
	a.call(200, "POST", "/v1/collections/pets/documents", `{"id": "h", "title": "Saddles for small horses", "text": "A horse with a saddle."}`)
	after := a.call(200, "GET", path, "")
	if !strings.Contains(fmt.Sprint(after), "query:Saddles for small horses") {
		t.Errorf("examples after a write: got %v, want the new title", after)
	}
	if again := a.call(200, "GET", path, ""); fmt.Sprint(again) != fmt.Sprint(after) {
		t.Errorf("examples asked for again: got %v, want %v", again, after)
	}
	a.call(201, "POST", "/v1/collections", `{"name": "empty"}`)
	if got := a.call(200, "GET", "/v1/collections/empty/examples", ""); len(got["examples"].([]any)) != 0 {
		t.Errorf("of nothing: %v", got)
	}
	a.fails("not_found", "no collection", "GET", "/v1/collections/none/examples", "")
}
