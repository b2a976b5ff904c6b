package engine

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/nsfl-go/nsfl/passage"
)

// TestPassageJSON checks that passages without a place are encoded as texts.
func TestPassageJSON(t *testing.T) {
	passages := []Passage{
		{Text: "a \"quoted\" text"}, {Text: "{", Place: passage.Place{Heading: "Install › From source", Page: 3, Line: 120}}, {Place: passage.Place{Line: 1}}, {},
	}
	const want = `["a \"quoted\" text",{"text":"{","heading":"Install › From source","page":3,"line":120},{"text":"","line":1},""]`
	text, err := json.Marshal(passages)
	if err != nil || string(text) != want {
		t.Fatalf("got %s and error %v, want the JSON above", text, err)
	}
	var notes []Passage
	if err := json.Unmarshal(text, &notes); err != nil || !reflect.DeepEqual(notes, passages) {
		t.Errorf("got %+v and error %v, want the passages that were encoded", notes, err)
	}
	for _, bad := range []string{`[1]`, `[{"text":1}]`, `[[]]`, `[{"line":"x"}]`} {
		if err := json.Unmarshal([]byte(bad), &notes); err == nil {
			t.Errorf("%s is %+v", bad, notes)
		}
	}
	d := Document{Passages: passages}
	if places := d.Places(); len(places) != 4 || places[1].Page != 3 || (&Document{Passages: passages[:1]}).Places() != nil {
		t.Errorf("places %+v", places)
	}
}
