package retrieve

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/index"
)

// longTexts returns a collection of n documents with two passages each, one of them longer
// than an excerpt.
func longTexts(t *testing.T, n int) *Searcher {
	t.Helper()
	c, err := index.Create(t.Context(), t.TempDir(), index.Options{Dimension: dim})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	for i := range n {
		first, second := fmt.Sprintf("b %d", i), strings.Repeat("é", maxSnippet)+fmt.Sprintf(" %d a", i)
		d := engine.Document{ID: fmt.Sprint(i), Title: fmt.Sprint("title ", i), Text: first + "\n" + second, Vector: vectorOf("a b")}
		if i == 0 {
			d.Text = ""
		}
		for _, p := range []string{d.Title, first, second} {
			d.Passages = append(d.Passages, engine.Passage{Text: p, Vector: vectorOf(p[len(p)-1:])})
		}
		if err := c.Upsert(t.Context(), []engine.Document{d}); err != nil {
			t.Fatal(err)
		}
	}
	return &Searcher{Store: c, Encoder: &hashing{}}
}

// TestText checks that hits contain exactly the requested amount of text.
func TestText(t *testing.T) {
	s := longTexts(t, 4)
	for _, e := range []TextDetail{Excerpt, Passage, WholeText} {
		r, err := s.Search(t.Context(), asked(t, "a AND b"), Options{Text: e, AllCopies: true})
		if err != nil || len(r.Hits) != 4 || r.TextsLeftOut != 0 {
			t.Fatalf("got error %v and %+v, want 4 hits with their texts", err, r)
		}
		for _, h := range r.Hits {
			long, text := strings.Repeat("é", maxSnippet)+fmt.Sprintf(" %s a", h.ID), ""
			if e == WholeText {
				if text = fmt.Sprintf("b %s\n%s", h.ID, long); h.ID == "0" { // this document has only passages
					text = fmt.Sprintf("b %s\n\n%s", h.ID, long)
				}
			}
			if h.Text != text {
				t.Errorf("%s of %s: %d bytes of text, want %d", e, h.ID, len(h.Text), len(text))
			}
			a := h.Passages[0]
			if whole := a.Text == long; whole != (e != Excerpt) || !whole && len(a.Text) > maxSnippet+3 {
				t.Errorf("%s of %s: %s has %d bytes", e, h.ID, a.Atom, len(a.Text))
			}
		}
	}
}

// TestTextRoom checks that a result reports texts that did not fit, and still returns all
// hits.
func TestTextRoom(t *testing.T) {
	s := longTexts(t, 80)
	for _, e := range []TextDetail{Passage, WholeText} {
		const bytes = 3 << 20
		r, err := s.Search(t.Context(), asked(t, "a AND b"), Options{K: 80, Text: e, Bytes: bytes, AllCopies: true})
		if err != nil {
			t.Fatal(err)
		}
		told := 0
		for _, h := range r.Hits {
			if !h.clipped() {
				told++
			}
		}
		text, err := json.Marshal(r)
		if err != nil || len(r.Hits) != 80 || r.TextsLeftOut != 80-told || told == 0 || told == 80 || len(text) > bytes {
			t.Errorf("%v; %s: %d results, %d with their texts, %d left out, %d bytes", err, e, len(r.Hits), told, r.TextsLeftOut, len(text))
		}
		if !strings.Contains(r.Notes[len(r.Notes)-1], fmt.Sprintf("the texts of %d results are left out or cut short", r.TextsLeftOut)) {
			t.Errorf("got the notes %q, want the last to say how many texts are left out", r.Notes)
		}
	}
}

func TestChosenFields(t *testing.T) {
	const metadata = `{"year": 2015, "place": {"city": "Oslo", "at": {"lat": 59.9}}, "tags": ["a", "b"], "rooms": [{"n": 1, "m": 2}, {"m": 3}], "a.b": 1, "a": {"b": null}, "": 7}`
	for names, want := range map[string]string{
		"year":            `{"year":2015}`,
		"tags, year":      `{"year":2015,"tags":["a", "b"]}`,
		"place":           `{"place":{"city": "Oslo", "at": {"lat": 59.9}}}`,
		"place.at.lat":    `{"place":{"at":{"lat":59.9}}}`,
		"rooms.n":         `{"rooms":[{"n":1}]}`,
		"rooms.m":         `{"rooms":[{"m":2},{"m":3}]}`,
		"a.b":             `{"a.b":1,"a":{"b":null}}`,
		"none, place.lat": ``,
		"":                ``,
	} {
		var o []string
		if err := (namedFields{&o}).UnmarshalText([]byte(names)); err != nil {
			t.Fatal(err)
		}
		if got := chosen(json.RawMessage(metadata), o); string(got) != want {
			t.Errorf("%s: %s, want %s", names, got, want)
		}
	}
	s, _ := corpus(t, 10)
	for _, c := range []struct {
		fields []string
		want   string
	}{{nil, `"even": `}, {[]string{}, ""}, {[]string{"n"}, `{"n":`}} {
		r, err := s.Search(t.Context(), asked(t, "a"), Options{Fields: c.fields})
		if err != nil || !strings.Contains(string(r.Hits[0].Metadata), c.want) || (c.want == "") != (len(r.Hits[0].Metadata) == 0) {
			t.Errorf("%v: %v, %s", c.fields, err, r.Hits[0].Metadata)
		}
	}
	r, err := s.Search(t.Context(), asked(t, "a"), Options{Fields: []string{"n", "even", "odd"}})
	if err != nil || len(r.Notes) != 1 || r.Notes[0] != "no document has the field odd; there is even, n" {
		t.Errorf("got error %v and the notes %q, want one that lists the fields", err, r.Notes)
	}
}

// FuzzChosenFields checks that selecting fields of any metadata returns valid JSON and is
// idempotent.
func FuzzChosenFields(f *testing.F) {
	f.Add([]byte(`{"a": {"b": [1, {"c": 2}]}}`), "a.b.c")
	f.Add([]byte(`[{"a": "\u0000"}]`), "a")
	f.Fuzz(func(t *testing.T, metadata []byte, name string) {
		got := chosen(metadata, []string{name})
		if !json.Valid(metadata) || got == nil {
			return
		}
		if !json.Valid(got) || string(chosen(got, []string{name})) != string(got) {
			t.Errorf("%q of %q is %q", name, metadata, got)
		}
	})
}

// TestSource checks that the source file is known even if its field is not returned.
func TestSource(t *testing.T) {
	for fields, want := range map[string]string{"none": "a.md", "n": "a.md", "source": "a.md"} {
		s, store := folder(t, [2]string{"x", "a"})
		if err := store.Upsert(t.Context(), []engine.Document{{ID: "x", Text: "a", Vector: vectorOf("a"), Metadata: []byte(`{"source": "a.md", "n": 1}`)}}); err != nil {
			t.Fatal(err)
		}
		r, err := s.Search(t.Context(), asked(t, "a"), Options{Fields: []string{fields}})
		if err != nil || r.Hits[0].Source() != want {
			t.Errorf("%q: %v, %q", fields, err, r.Hits[0].Source())
		}
	}
}
