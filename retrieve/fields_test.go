package retrieve

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/index"
)

// sampledStore hides the store's optional capabilities and exposes a catalogue with one
// column.
type sampledStore struct {
	engine.Store
	parts map[string]string
}

func (s *sampledStore) Catalogue() ([]string, map[string]string) { return []string{"column"}, s.parts }

// fieldNotes returns the notes of a search about unknown fields.
func fieldNotes(t *testing.T, s *Searcher, text string) []string {
	t.Helper()
	r, err := s.Search(t.Context(), asked(t, text), Options{})
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(r.Notes, func(n string) bool { return !strings.HasPrefix(n, "no document has the field") })
}

func TestUnknownFields(t *testing.T) {
	s, _ := corpus(t, 60)
	sampled := &Searcher{Store: &sampledStore{Store: s.Store}, Encoder: &hashing{}}
	for _, c := range []struct {
		query     string
		want, too string // notes for the collection, and for a store with a sample and a column
	}{
		{"a n:>3 even:true", "", ""},
		{"a", "", ""},
		{"a evn:true", "no document has the field evn (did you mean even?); there is even, n", "no document has the field evn (did you mean even?); there is column, even, n"},
		{"a NOT size:3", "no document has the field size; there is even, n", "no document has the field size; there is column, even, n"},
		{"a column:3", "no document has the field column; there is even, n", ""},
	} {
		for i, want := range []string{c.want, c.too} {
			got := strings.Join(fieldNotes(t, []*Searcher{s, sampled}[i], c.query), "\n")
			if got != want {
				t.Errorf("%s: %q, want %q", c.query, got, want)
			}
		}
	}
	sampled.Store.(*sampledStore).parts = map[string]string{"heading": "title"}
	_, err := sampled.Search(t.Context(), asked(t, "a heading:x"), Options{})
	var bad *OptionError
	if !errors.As(err, &bad) || !strings.Contains(bad.Problem, "heading is no metadata: the column is the title") {
		t.Errorf("a condition on a title: %v", err)
	}
}

// TestRareField checks that a field outside the sample is looked up before it is reported as
// unknown, and that the note mentions missing metadata.
func TestRareField(t *testing.T) {
	c, err := index.Create(t.Context(), t.TempDir(), index.Options{Dimension: dim})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	s := &Searcher{Store: &sampledStore{Store: c}, Encoder: &hashing{}}
	if err := c.Upsert(t.Context(), []engine.Document{{ID: "a", Text: "a", Vector: vectorOf("a")}}); err != nil {
		t.Fatal(err)
	}
	if got := fieldNotes(t, &Searcher{Store: c, Encoder: &hashing{}}, "a rare:1"); len(got) != 1 || !strings.HasSuffix(got[0], "rare: they have no metadata") {
		t.Errorf("got the notes %q, want one that there is no metadata", got)
	}
	if got := fieldNotes(t, s, "a rare:1"); len(got) != 1 {
		t.Errorf("got the notes %q, want one", got)
	}
	if err := c.Upsert(t.Context(), []engine.Document{{ID: "a", Text: "a", Vector: vectorOf("a"), Metadata: []byte(`{"rare": 2}`)}}); err != nil {
		t.Fatal(err)
	}
	if got := fieldNotes(t, s, "a rare:1"); len(got) != 0 { // the sample has not changed
		t.Errorf("got the notes %q, want none", got)
	}
}
