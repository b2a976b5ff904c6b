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

// Examples consist of the collection's words, and change after a write.
func TestExamples(t *testing.T) {
	a := withAnimals(t)
	const path = "/v1/collections/pets/examples"
	before := a.call(200, "GET", path, "")
	if !strings.Contains(fmt.Sprint(before), "query:dog") {
		t.Errorf("of four documents: %v", before)
	}
	var docs []string
	for i := range 12 {
		text := "A horse in the field."
		if i%3 == 0 {
			text = "A horse with a saddle."
		}
		docs = append(docs, fmt.Sprintf(`{"id": "h%d", "text": %q}`, i, text))
	}
	for i := range 20 {
		docs = append(docs, fmt.Sprintf(`{"id": "n%d", "text": "Nothing of note."}`, i))
	}
	a.call(200, "POST", "/v1/collections/pets/documents", "["+strings.Join(docs, ",")+"]")
	after := a.call(200, "GET", path, "")
	if !strings.Contains(fmt.Sprint(after), "horse AND NOT") {
		t.Errorf("after a write: %v", after)
	}
	if again := a.call(200, "GET", path, ""); fmt.Sprint(again) != fmt.Sprint(after) {
		t.Errorf("another time: %v", again)
	}
	a.call(201, "POST", "/v1/collections", `{"name": "empty"}`)
	if got := a.call(200, "GET", "/v1/collections/empty/examples", ""); len(got["examples"].([]any)) != 0 {
		t.Errorf("of nothing: %v", got)
	}
	a.fails("not_found", "no collection", "GET", "/v1/collections/none/examples", "")
}
