package server

import (
	"strings"
	"testing"
)

// The fields are those of what is stored, and a search that names another one says so.
func TestFields(t *testing.T) {
	a := withAnimals(t)
	a.call(200, "POST", "/v1/collections/pets/documents", `[{"id": "x", "text": "a cat", "metadata": {"when": "2024-02-29", "colours": ["red", "blue"]}}]`)
	got := a.call(200, "GET", "/v1/collections/pets/fields", "")
	if got["all"] != true || got["documents"] != 5.0 {
		t.Errorf("%v", got)
	}
	kinds := map[string]any{}
	for i := range got["fields"].([]any) {
		kinds[at(got, "fields", i, "name").(string)] = at(got, "fields", i, "kind")
	}
	if kinds["when"] != "time" || kinds["colours"] != "string" {
		t.Errorf("%v", kinds)
	}
	found := a.call(200, "POST", searchPath, `{"query": "dog", "filter": {"colour": "red"}}`)
	if notes := found["notes"].([]any); !strings.Contains(notes[len(notes)-1].(string), "no document has the field colour (did you mean colours?)") {
		t.Errorf("%v", notes)
	}
	a.call(404, "GET", "/v1/collections/none/fields", "")
}
