package suggest

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/index"
	"github.com/nsfl-go/nsfl/query"
	"github.com/nsfl-go/nsfl/query/nl"
)

// texts mention things together and apart: dogs with and without leashes, tea with milk
// or lemon, boats in harbours.
var texts = []struct {
	text  string
	times int
}{
	{"A man walks a dog on a leash.", 6}, {"The dog sleeps.", 5}, {"A dog in the rain.", 3},
	{"Tea with milk in a cup.", 4}, {"A pot of tea with lemon.", 4}, {"The tea is cold.", 3},
	{"A boat in the harbour.", 4}, {"The boat at sea.", 3}, {"An old harbour.", 2},
	{"A cheese with bread.", 3}, {"Bread from the oven.", 3}, {"The bread is warm.", 2},
}

func collection(t *testing.T, docs []engine.Document) *index.Collection {
	t.Helper()
	c, err := index.OpenOrCreate(t.Context(), t.TempDir(), index.Options{Dimension: 2, Encoder: "test"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	if err := c.Upsert(t.Context(), docs); err != nil {
		t.Fatal(err)
	}
	return c
}

func documents() (docs []engine.Document) {
	for _, x := range texts {
		for i := range x.times {
			kind := "photo"
			if i%2 == 0 {
				kind = "note"
			}
			docs = append(docs, engine.Document{ID: fmt.Sprint(len(docs)), Text: x.text, Vector: []float32{1, 0}, Metadata: fmt.Appendf(nil, `{"kind": %q, "n": 7}`, kind)})
		}
	}
	return docs
}

func TestExamples(t *testing.T) {
	c := collection(t, documents())
	got, err := Of(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	shown := map[Shows]string{}
	for _, e := range got {
		shown[e.Shows] = e.Query
		f, err := query.ParseFormula(e.Query)
		if err != nil {
			t.Errorf("%s: %v", e.Query, err)
			continue
		}
		for a := range query.Atoms(f.Root) {
			if e.Shows != Sentence && !strings.Contains(" man dog leash tea milk cup pot lemon boat harbour cheese bread oven rain sea ", " "+a.Text+" ") {
				t.Errorf("%s: %q is no thing of the texts", e.Query, a.Text)
			}
		}
	}
	if shown[Not] != "dog AND NOT leash" || shown[Or] != "(sea OR harbour) AND boat" || !strings.Contains(shown[Condition], " kind:") {
		t.Errorf("examples: %v", got)
	}
	r := nl.Read(shown[Sentence])
	if !strings.Contains(r.Node.String(), "AND NOT") {
		t.Errorf("%q is read as %v", shown[Sentence], r.Node)
	}
	again, err := Of(t.Context(), c)
	if err != nil || !reflect.DeepEqual(got, again) {
		t.Errorf("another time: %v, %v", again, err)
	}
}

func TestFewTexts(t *testing.T) {
	for name, docs := range map[string][]engine.Document{
		"none": nil,
		"one":  {{ID: "1", Text: "A dog on a leash.", Vector: []float32{1, 0}}},
		"odd":  {{ID: "1", Title: "\xff'", Text: "— 1 2 3 ''-'- " + strings.Repeat("ä", 3000), Vector: []float32{1, 0}}},
	} {
		if name == "odd" {
			s := newSample()
			s.add(&docs[0])
			s.examples()
			continue
		}
		got, err := Of(t.Context(), collection(t, docs))
		if err != nil || len(got) != 0 {
			t.Errorf("%s: got %v and error %v, want no examples", name, got, err)
		}
	}
}

func FuzzSample(f *testing.F) {
	f.Add("A Dog", "the dog on a leash, and a dog's ball-game", `{"kind": "photo"}`)
	f.Add("", "’s’ -- \x80", `[`)
	f.Fuzz(func(t *testing.T, title, text, metadata string) {
		s := newSample()
		for range 4 {
			s.add(&engine.Document{Title: title, Text: text, Metadata: []byte(metadata)})
			s.add(&engine.Document{Title: text, Text: title})
		}
		for _, e := range s.examples() {
			if _, err := query.ParseFormula(e.Query); err != nil && utf8.ValidString(title+text+metadata) {
				t.Errorf("%q: %v", e.Query, err)
			}
		}
	})
}
