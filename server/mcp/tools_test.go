package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/nsfl-go/nsfl"
	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/index"
	"github.com/nsfl-go/nsfl/internal/fieldstats"
	npassage "github.com/nsfl-go/nsfl/passage"
	"github.com/nsfl-go/nsfl/profile"
	"github.com/nsfl-go/nsfl/query"
	"github.com/nsfl-go/nsfl/server/auth"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestToolList: the definitions of the tools are an interface, so changes must be visible.
func TestToolList(t *testing.T) {
	var got bytes.Buffer
	for _, role := range []auth.Role{auth.Read, auth.Admin} {
		session := inMemory(t, newShelf(t), Options{Role: role})
		list, err := session.ListTools(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, tool := range list.Tools {
			names = append(names, tool.Name)
		}
		if slices.Contains(names, addName) != (role == auth.Admin) {
			t.Errorf("role %s has the tools %v", role, names)
		}
		if role == auth.Admin {
			e := json.NewEncoder(&got)
			e.SetEscapeHTML(false)
			e.SetIndent("", "  ")
			if err := e.Encode(list.Tools); err != nil {
				t.Fatal(err)
			}
		}
	}
	const golden = "testdata/tools.json"
	if *update {
		if err := os.WriteFile(golden, got.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got.Bytes(), bytes.ReplaceAll(want, []byte("\r\n"), []byte("\n"))) {
		t.Errorf("the tools differ from %s; go test -update ./server/mcp rewrites it", golden)
	}
}

func TestSearch(t *testing.T) {
	everywhere(t, Options{}, func(t *testing.T, _ *shelf, session *sdk.ClientSession) {
		got, text := answer[searchAnswer](t, session, "search", args{"collection": "pets", "query": "dog AND NOT ball", "k": 2})
		if len(got.Hits) != 2 || got.Hits[0].ID != "nap" || got.Hits[0].Rank != 1 || got.Hits[0].Title != "Asleep" {
			t.Errorf("hits: %+v", got.Hits)
		}
		if got.Formula != "dog AND NOT ball" || got.Mode != "exact" || got.Documents != len(pets) || got.Hits[0].Metadata != nil || got.Hits[0].Why != "" {
			t.Errorf("answer: %+v", got)
		}
		contains(t, "text", text, `"collection":"pets","formula":"dog AND NOT ball"`, `"id":"nap","title":"Asleep"`, "An old dog sleeps")

		low, _ := answer[searchAnswer](t, session, "search", args{"collection": "pets", "query": "cat", "k": 1, "detail": "low"})
		if h := low.Hits[0]; h.ID != "sill" || h.Why != "" || h.Snippet != "" || !strings.HasPrefix(h.Title, "A cat") {
			t.Errorf("low: %+v", h)
		}
		high, text := answer[searchAnswer](t, session, "search", args{"collection": "pets", "query": "dog AND grass", "k": 1, "detail": "high", "compare": true, "mode": "rerank"})
		h := high.Hits[0]
		if h.ID != "park" || h.Metadata["kind"] != "photo" || len(h.Similarities) != 2 || h.PlainRank == 0 || high.Mode != "rerank" {
			t.Errorf("high: %+v, mode %s", h, high.Mode)
		}
		contains(t, "text", text, `"year":2016`, `"plain_rank":`, "“grass”")

		filtered, text := answer[searchAnswer](t, session, "search", args{"collection": "pets", "query": "dog place.city:\"New York\""})
		if len(filtered.Hits) != 1 || filtered.Hits[0].ID != "park" || filtered.Filter == "" {
			t.Errorf("filtered: %+v", filtered)
		}
		contains(t, "text", text, `"filter":"place.city:\"New York\""`)
	})
}

// TestCopies: copies of a document are one result.
func TestCopies(t *testing.T) {
	everywhere(t, Options{}, func(t *testing.T, s *shelf, session *sdk.ClientSession) {
		for i := range 7 {
			if err := s.open["pets"].Add(t.Context(), nsfl.Document{ID: fmt.Sprint("hamster-", i), Text: "A hamster in its wheel."}); err != nil {
				t.Fatal(err)
			}
		}
		got, text := answer[searchAnswer](t, session, "search", args{"collection": "pets", "query": "hamster", "k": 3, "detail": "low"})
		if h := got.Hits[0]; h.ID != "hamster-0" || h.CopyCount != 6 || len(h.Copies) != namedCopies || h.Copies[0] != "hamster-1" || got.Hits[1].CopyCount > 0 {
			t.Errorf("hits: %+v", got.Hits)
		}
		contains(t, "text", text, `"copies":["hamster-1","hamster-2","hamster-3","hamster-4","hamster-5"],"copy_count":6`)
		all, _ := answer[searchAnswer](t, session, "search", args{"collection": "pets", "query": "hamster", "k": 3, "all_copies": true})
		if h := all.Hits[2]; h.ID != "hamster-2" || h.CopyCount > 0 {
			t.Errorf("all copies: %+v", all.Hits)
		}
	})
}

// TestWords: each wanted atom has a passage, and denied atoms are listed.
func TestWords(t *testing.T) {
	everywhere(t, Options{}, func(t *testing.T, s *shelf, session *sdk.ClientSession) {
		rules := nsfl.Document{ID: "rules", Title: "House rules", Passages: engine.NewPassages([]string{"A dog is welcome here.", "There is no ball in this house."})}
		if err := s.open["pets"].Add(t.Context(), rules); err != nil {
			t.Fatal(err)
		}
		got, text := answer[searchAnswer](t, session, "search", args{"collection": "pets", "query": "dog AND ball"})
		park, at := got.Hits[0], slices.IndexFunc(got.Hits, func(h hit) bool { return h.ID == "rules" })
		if park.ID != "park" || len(park.Passages) != 1 || fmt.Sprint(park.Passages[0].Atoms) != "[dog ball]" || park.Snippet != "" || park.RuledOut != nil {
			t.Errorf("one passage has both: %+v", park)
		}
		if h := got.Hits[at]; len(h.Passages) != 2 || h.Passages[1].Atoms[0] != "ball" || fmt.Sprint(h.RuledOut) != "[ball]" {
			t.Errorf("what is denied: %+v", h)
		}
		contains(t, "text", text, `{"atoms":["dog","ball"],"text":"A dog runs after a red ball`, `{"atoms":["ball"],"text":"There is no ball in this house."}`, `"ruled_out":["ball"]`)

		low, text := answer[searchAnswer](t, session, "search", args{"collection": "pets", "query": "dog AND NOT ball", "detail": "low", "k": 1})
		if h := low.Hits[0]; h.ID != "rules" || h.Passages != nil || fmt.Sprint(h.RuledOut) != "[ball]" {
			t.Errorf("low: %+v", h)
		}
		contains(t, "text", text, `"ruled_out":["ball"]`)

		why, text := answer[explainAnswer](t, session, "explain", args{"collection": "pets", "query": "dog AND NOT ball", "id": "rules"})
		if w := why.Words; w == nil || math.Abs(w.Vectors+w.Words-why.Score) > 2e-4 || len(w.Atoms) != 2 || w.Atoms[1].Atom != "NOT ball" || w.Atoms[1].Share >= 0 {
			t.Fatalf("words: %+v of %v", why.Words, why.Score)
		}
		contains(t, "explain", text, `{"atom":"dog","share":0.8969,"found":["dog (passage 1)"]}`, `{"atom":"NOT ball","share":-0.25,"found":["ball: ruled out by the text (passage 2)"]}`)
	})
}

// TestPlaces: results have the location of their passages.
func TestPlaces(t *testing.T) {
	everywhere(t, Options{}, func(t *testing.T, s *shelf, session *sdk.ClientSession) {
		guide := nsfl.Document{ID: "guide", Title: "Guide", Metadata: []byte(`{"source": "doc/guide.md"}`), Passages: []nsfl.Passage{
			{Text: "Bring your zebra.", Place: npassage.Place{Line: 3}},
			{Text: "An okapi is not admitted.", Place: npassage.Place{Heading: "Guests › Large", Page: 2, Line: 120}},
		}}
		if err := s.open["pets"].Add(t.Context(), guide); err != nil {
			t.Fatal(err)
		}
		got, text := answer[searchAnswer](t, session, "search", args{"collection": "pets", "query": "okapi", "k": 1})
		if h := got.Hits[0]; h.Place == nil || *h.Place != (place{"doc/guide.md", "Guests › Large", 2, 120}) {
			t.Errorf("got the hit %+v, want its place in doc/guide.md", h)
		}
		contains(t, "text", text, `"snippet":"An okapi is not admitted.","place":{"file":"doc/guide.md","heading":"Guests › Large","page":2,"line":120}`)
		got, text = answer[searchAnswer](t, session, "search", args{"collection": "pets", "query": "okapi AND zebra", "k": 2, "all": true})
		if h := got.Hits[0]; len(h.Passages) != 2 || h.Passages[1].Place.Line != 3 || got.Hits[1].Passages[0].Place != nil {
			t.Errorf("got the hits %+v, want a place for each passage of the first only", got.Hits)
		}
		contains(t, "text", text, `{"atoms":["zebra"],"text":"Bring your zebra.","place":{"file":"doc/guide.md","line":3}}`)
		why, text := answer[explainAnswer](t, session, "explain", args{"collection": "pets", "query": "okapi", "id": "guide"})
		if why.Place == nil || why.Place.Line != 120 {
			t.Errorf("got %+v, want the place in line 120", why)
		}
		contains(t, "explain", text, `"line":120`)
	})
}

// TestProbability: with a calibrated profile, results have probabilities, and unlikely ones
// can be hidden.
func TestProbability(t *testing.T) {
	s := newShelf(t)
	whole := s.open["pets"]
	// Among a few documents nothing stands out.
	more := make([]nsfl.Document, 60)
	for i := range more {
		more[i] = nsfl.Document{ID: fmt.Sprintf("bill-%d", i), Text: fmt.Sprintf("Bill %d for electricity, to be paid by the end of the month.", i)}
	}
	if err := whole.Add(t.Context(), more...); err != nil {
		t.Fatal(err)
	}
	total := len(pets) + len(more)
	p := &profile.Profile{Name: "mine", Hubness: 0.3, Calibration: &profile.Logistic{Intercept: -3, Score: 10}}
	own, err := nsfl.New(t.Context(), whole.Store(), &nsfl.Config{Encoder: whole.Encoder(), Profile: p})
	if err != nil {
		t.Fatal(err)
	}
	s.open["pets"] = own
	session := inMemory(t, s, Options{})
	search := func(more args) (searchAnswer, string) {
		a := args{"collection": "pets", "query": "dog AND NOT ball", "k": total}
		maps.Copy(a, more)
		return answer[searchAnswer](t, session, "search", a)
	}
	all, text := search(nil)
	if len(all.Hits) != total || all.LeftOut != 0 || len(all.Notes) != 0 || all.Hits[0].Probability < 0.5 {
		t.Fatalf("all: %+v", all)
	}
	contains(t, "text", text, fmt.Sprintf(`"probability":%v,"id":"nap"`, all.Hits[0].Probability))
	likely, text := search(args{"min_probability": 0.5})
	if n := len(likely.Hits); n == 0 || n+likely.LeftOut != total || likely.LeftOut == 0 || likely.Hits[n-1].Probability < 0.5 {
		t.Errorf("the probable ones: %+v", likely)
	}
	contains(t, "text", text, "match probability is below 0.50")
	none, _ := search(args{"min_probability": 1, "query": "dog AND NOT ball AND year:>2000"})
	if len(none.Hits) != 0 || none.LeftOut == 0 || len(none.Notes) != 1 {
		t.Errorf("none is certain: %+v", none)
	}
}

func TestHints(t *testing.T) {
	session := inMemory(t, newShelf(t), Options{})
	for formula, want := range map[string]string{
		"dog and not ball":     `"understood":["dog AND NOT ball"`,
		"dog and ball AND cat": `\"and\" in it is text`,
		"dog AND year > 2015":  "year:>=2015",
		"dog AND year:>2050":   "no document matches year:>2050",
	} {
		got, text := answer[searchAnswer](t, session, "search", args{"collection": "pets", "query": formula, "all": true})
		contains(t, formula, text, want)
		if said := slices.Concat(got.Understood[:min(1, len(got.Understood))], got.Notes); len(said) != 1 {
			t.Errorf("%s: %q", formula, said)
		}
	}
}

func TestExplain(t *testing.T) {
	everywhere(t, Options{}, func(t *testing.T, _ *shelf, session *sdk.ClientSession) {
		search, _ := answer[searchAnswer](t, session, "search", args{"collection": "pets", "query": "(dog OR cat) AND NOT ball", "k": len(pets), "compare": true, "detail": "high"})
		for _, h := range search.Hits {
			x, text := answer[explainAnswer](t, session, "explain", args{"collection": "pets", "query": "(dog OR cat) AND NOT ball", "id": h.ID})
			if x.Rank != h.Rank || x.Score != h.Score || x.PlainRank != h.PlainRank || x.Ranked != len(pets) {
				t.Errorf("%s is explained as rank %d, %v, plain %d; search says %+v", h.ID, x.Rank, x.Score, x.PlainRank, h)
			}
			if len(x.Parts) != 2 || x.Parts[0].Score != h.Score || x.Parts[0].Sentence != h.Why || len(x.Similarities) < 3 {
				t.Errorf("%s: %+v", h.ID, x)
			}
			contains(t, "text", text, h.ID, `"ranked":6`, "dog OR cat")
		}
	})
}

func TestGetDocument(t *testing.T) {
	everywhere(t, Options{}, func(t *testing.T, _ *shelf, session *sdk.ClientSession) {
		d, text := answer[getAnswer](t, session, "get_document", args{"collection": "pets", "id": "a/b c.md"})
		if d.Title != "Soup" || d.Text != pets[3].Text || d.Next != 0 || d.Bytes != len(d.Text) {
			t.Errorf("got %+v, want the whole text of Soup", d)
		}
		contains(t, "text", text, "Soup", "carrots")
		whole, offset := "", 0
		for range 5 {
			d, text = answer[getAnswer](t, session, "get_document", args{"collection": "pets", "id": "long", "offset": offset})
			whole += d.Text
			if offset = d.Next; offset == 0 {
				break
			}
			contains(t, "text", text, "Continue with offset")
		}
		if whole != pets[5].Text {
			t.Errorf("the pieces are %d bytes, the text %d", len(whole), len(pets[5].Text))
		}
	})
}

func TestListCollections(t *testing.T) {
	everywhere(t, Options{}, func(t *testing.T, s *shelf, session *sdk.ClientSession) {
		got, text := answer[listAnswer](t, session, "list_collections", args{"collection": "pets"})
		if len(got.Collections) != 1 || got.Collections[0].Documents != len(pets) || got.Collections[0].Sampled != len(pets) {
			t.Fatalf("got %+v, want one collection with all pets, all sampled", got)
		}
		var names []string
		for _, f := range got.Collections[0].Fields {
			names = append(names, f.Name)
		}
		if want := []string{"kind", "year", "place.city", "tags"}; !slices.Equal(names, want) {
			t.Errorf("fields %v, want %v", names, want)
		}
		contains(t, "text", text, `"name":"pets","documents":6,"encoder":"nsfl-builtin`, `"least":"2016","most":"2021"`, `"New York"`)
	})
}

// A collection that cannot be opened does not hide the others.
func TestListProblems(t *testing.T) {
	s := &subset{newShelf(t), []string{"pets", "secret"}}
	got, text := answer[listAnswer](t, inMemory(t, s, Options{}), "list_collections", nil)
	if len(got.Collections) != 2 || got.Collections[0].Documents == 0 || got.Collections[1].Problem == "" {
		t.Errorf("got %+v, want two collections, the second with a problem", got)
	}
	contains(t, "text", text, `"name":"secret"`, "permission denied")
}

// subset offers only some collections.
type subset struct {
	*shelf
	names []string
}

func (s *subset) Names(context.Context) ([]string, error) { return s.names, nil }

func TestAddDocuments(t *testing.T) {
	everywhere(t, Options{Role: auth.Admin}, func(t *testing.T, _ *shelf, session *sdk.ClientSession) {
		docs := []args{
			{"id": "n1", "title": "Standup", "text": "The release slips to Friday.", "metadata": args{"team": "core", "ticket": json.Number("12345678901234567890")}},
			{"text": "Buy oat milk."},
		}
		if text, failed, _ := call(t, session, "add_documents", args{"collection": "notes", "documents": docs}); !failed || !strings.Contains(text, `"create": true would create it`) {
			t.Errorf("got %s, want advice to create the collection", text)
		}
		added, text := answer[addAnswer](t, session, "add_documents", args{"collection": "notes", "create": true, "documents": docs})
		if !added.Created || len(added.IDs) != 2 || added.IDs[0] != "n1" || added.IDs[1] == "" {
			t.Errorf("got %+v, want a new collection with n1 and another id", added)
		}
		contains(t, "text", text, `"collection":"notes","created":true`, added.IDs[1])
		found, _ := answer[searchAnswer](t, session, "search", args{"collection": "notes", "query": "delayed release AND team:core"})
		if len(found.Hits) != 1 || found.Hits[0].ID != "n1" {
			t.Errorf("got %+v, want n1 alone", found)
		}
		_, text = answer[getAnswer](t, session, "get_document", args{"collection": "notes", "id": "n1"})
		contains(t, "every digit", text, `"ticket":12345678901234567890`)
		docs[0]["text"] = "The release is out."
		again, _ := answer[addAnswer](t, session, "add_documents", args{"collection": "notes", "create": true, "documents": docs[:1]})
		d, _ := answer[getAnswer](t, session, "get_document", args{"collection": "notes", "id": "n1"})
		if again.Created || d.Text != "The release is out." {
			t.Errorf("got %+v and then %+v, want the document replaced in the same collection", again, d)
		}
	})
}

// halved is a store with a part that does not answer.
type halved struct{ *index.Collection }

func (h halved) Scan(ctx context.Context, vectors [][]float32, filter query.Node) (*engine.Columns, error) {
	c, err := h.Collection.Scan(ctx, vectors, filter)
	if err == nil {
		c.Degraded = []string{"node n2 does not answer"}
	}
	return c, err
}

// TestDegraded: results report the parts of a store that did not answer.
func TestDegraded(t *testing.T) {
	s := newShelf(t)
	whole := s.open["pets"]
	half, err := nsfl.New(t.Context(), halved{whole.Store().(*index.Collection)}, &nsfl.Config{Encoder: whole.Encoder()})
	if err != nil {
		t.Fatal(err)
	}
	s.open["pets"] = half
	session := inMemory(t, s, Options{})
	const words = `"degraded":["node n2 does not answer"]`
	found, text := answer[searchAnswer](t, session, "search", args{"collection": "pets", "query": "dog AND NOT ball", "k": 1})
	if len(found.Degraded) != 1 || len(found.Hits) != 1 || len(found.Notes) != 0 {
		t.Errorf("search: %+v", found)
	}
	contains(t, "search", text, words)
	why, text := answer[explainAnswer](t, session, "explain", args{"collection": "pets", "query": "dog AND NOT ball", "id": found.Hits[0].ID})
	if len(why.Degraded) != 1 || why.Rank != 1 || why.Ranked != len(pets) {
		t.Errorf("explain: %+v", why)
	}
	contains(t, "explain", text, words)
	list, _ := answer[listAnswer](t, session, "list_collections", args{"collection": "pets"})
	if c := list.Collections[0]; c.Documents != len(pets) || c.Sampled != len(pets) || len(c.Fields) == 0 {
		t.Errorf("list: %+v", c)
	}
}

// Pages follow each other, values are counted, and metadata comes as it is asked for.
func TestPagesAndFacets(t *testing.T) {
	everywhere(t, Options{}, func(t *testing.T, s *shelf, session *sdk.ClientSession) {
		for i := range 3 {
			d := nsfl.Document{ID: fmt.Sprint("toy-", i), Text: fmt.Sprint("a wooden toy ", i), Metadata: fmt.Appendf(nil, `{"kind": %q, "size": %d}`, []string{"toy", "gift"}[i%2], i)}
			if err := s.open["pets"].Add(t.Context(), d); err != nil {
				t.Fatal(err)
			}
		}
		ask := args{"collection": "pets", "query": "wooden toy size:>=0", "k": 2, "offset": 1, "fields": []string{"size"}, "facets": []string{"kind"}}
		got, text := answer[searchAnswer](t, session, "search", ask)
		if len(got.Hits) != 2 || got.Hits[0].Rank != 2 || got.Next != 0 || len(got.Hits[0].Metadata) != 1 {
			t.Errorf("got %+v, want the last two hits, from rank 2, with one field each", got)
		}
		if b := got.Facets[0].Buckets; len(b) != 2 || b[0] != (fieldstats.Bucket{Value: "toy", Query: "kind:toy", Count: 2, Found: 2}) {
			t.Errorf("got the facets %+v, want two buckets, toy first", got.Facets)
		}
		contains(t, "text", text, `"field":"kind"`, `"query":"kind:toy"`)
		delete(ask, "offset")
		first, text := answer[searchAnswer](t, session, "search", ask)
		if first.Next != 2 || first.Hits[1].ID != got.Hits[0].ID {
			t.Errorf("got %+v, want the second hit to be the first of the next page", first)
		}
		contains(t, "text", text, `"next":2`)
	})
}
