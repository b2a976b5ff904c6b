package server

import (
	"fmt"
	"strings"
	"testing"
)

// An answer has as much of texts and of metadata as was asked for.
func TestTextAndFields(t *testing.T) {
	a := withAnimals(t)
	a.call(200, "POST", "/v1/collections/pets/documents", `[{"id": "x", "title": "Cats", "passages": ["a cat", "and a hamster"], "metadata": {"n": 1, "m": 2}}]`)
	got := a.call(200, "POST", searchPath, `{"query": "cat AND hamster", "k": 1, "text": "all", "fields": ["m"]}`)
	if h := at(got, "hits", 0).(map[string]any); h["id"] != "x" || h["text"] != "a cat\n\nand a hamster" || len(h["metadata"].(map[string]any)) != 1 || at(h, "metadata", "m") != 2.0 {
		t.Errorf("got the hit %v, want other content", h)
	}
	none := a.call(200, "POST", searchPath, `{"query": "cat AND hamster", "k": 1, "fields": []}`)
	if h := at(none, "hits", 0).(map[string]any); h["metadata"] != nil || h["text"] != nil {
		t.Errorf("got the hit %v, want other content", h)
	}
	other := a.call(200, "POST", searchPath, `{"query": "cat AND hamster", "fields": ["o"]}`)
	if notes := fmt.Sprint(other["notes"]); !strings.Contains(notes, "no document has the field o") {
		t.Errorf("got the notes %s, want one on the field o", notes)
	}
	a.fails("invalid", "snippet, passage, all", "POST", searchPath, `{"query": "cat", "text": "some"}`)
}
