package server

import (
	"strings"
	"testing"
)

// Fields come from the stored documents; a search with an unknown field has a note.
func TestFields(t *testing.T) {
	a := withAnimals(t)
	a.call(200, "POST", "/v1/collections/pets/documents", `[{"id": "x", "text": "a cat", "metadata": {"when": "2024-02-29", "colours": ["red", "blue"]}}]`)
	got := a.call(200, "GET", "/v1/collections/pets/fields", "")
	if got["all"] != true || got["documents"] != 5.0 {
		t.Errorf("got %v, want all fields of 5 documents", got)
	}
	kinds := map[string]any{}
	for i := range got["fields"].([]any) {
		kinds[at(got, "fields", i, "name").(string)] = at(got, "fields", i, "kind")
	}
	if kinds["when"] != "time" || kinds["colours"] != "string" {
		t.Errorf("got the kinds %v, want when a time and colours strings", kinds)
	}
	found := a.call(200, "POST", searchPath, `{"query": "dog", "filter": {"colour": "red"}}`)
	if notes := found["notes"].([]any); !strings.Contains(notes[len(notes)-1].(string), "no document has the field colour (did you mean colours?)") {
		t.Errorf("got the notes %v, want the last to suggest colours", notes)
	}
	a.call(404, "GET", "/v1/collections/none/fields", "")
}

// Facets are counted with a search, and described.
func TestFacets(t *testing.T) {
	a := withAnimals(t)
	a.call(200, "POST", "/v1/collections/pets/documents", `[{"id": "x", "text": "a cat", "metadata": {"kind": "note", "n": 1}}, {"id": "y", "text": "a dog", "metadata": {"kind": ["note", "list"], "n": 2}}]`)
	got := a.call(200, "POST", searchPath, `{"query": "dog AND NOT cat", "k": 1, "filter": {"n": {"gte": 0}}, "facets": ["kind", {"field": "n", "size": 1}]}`)
	if v := at(got, "facets", 0, "buckets", 0); at(v, "value") != "note" || at(v, "count") != 2.0 || at(v, "found") != 2.0 || at(v, "query") != "kind:note" {
		t.Errorf("got the facets %v, want 2 of the kind note first", got["facets"])
	}
	if v := at(got, "facets", 1, "buckets", 0); at(v, "from") != "0" || at(v, "to") != "5" || at(v, "count") != 2.0 {
		t.Errorf("got the facets %v, want 2 from 0 to 5", got["facets"])
	}
	a.fails("invalid", "at most 100", "POST", searchPath, `{"query": "dog", "facets": [{"field": "n", "size": 101}]}`)
	a.fails("invalid", "unknown field", "POST", searchPath, `{"query": "dog", "facets": [{"name": "n"}]}`)
	a.fails("invalid", "has an empty name", "POST", searchPath, `{"query": "dog", "fields": [null]}`)
}
