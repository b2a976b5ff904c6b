package nsfl_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl"
	"github.com/nsfl-go/nsfl/encoder"
	"github.com/nsfl-go/nsfl/encoder/builtin"
	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/index"
	"github.com/nsfl-go/nsfl/passage"
	"github.com/nsfl-go/nsfl/query"
)

func TestCollection(t *testing.T) {
	ctx, dir := context.Background(), filepath.Join(t.TempDir(), "new", "collection")
	c, err := nsfl.Open(t.Context(), dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	long := strings.Repeat("The harbour was full of small boats that morning. ", 60)
	docs := []nsfl.Document{
		{ID: "cat", Title: "Cat", Text: "A cat asleep on a warm laptop.", Metadata: []byte(`{"year": 2020}`)},
		{ID: "dog", Title: "Dog", Text: "A dog runs along the shore.", Metadata: []byte(`{"year": 2010}`)},
		{ID: "harbour", Title: "Harbour", Text: long},
		{Title: "no id", Text: "A bowl of soup."},
	}
	if err := c.Add(ctx, docs...); err != nil {
		t.Fatal(err)
	}
	if err := c.Add(ctx, docs...); err != nil { // the same documents again
		t.Fatal(err)
	}
	if n, _ := c.Store().Size(ctx); n.Documents != 4 {
		t.Errorf("got %d documents, want 4", n.Documents)
	}
	harbour, err := c.Get(ctx, "harbour")
	if err != nil || len(harbour.Passages) < 4 || harbour.Passages[0].Text != "Harbour" {
		t.Errorf("got %d passages of a long text and error %v, want 4 or more, the title first", len(harbour.Passages), err)
	}
	r, err := c.Search(ctx, "animal year:>=2015", nsfl.Options{})
	if err != nil || len(r.Hits) != 1 || r.Hits[0].ID != "cat" {
		t.Errorf("a filtered search: got %+v and error %v, want the cat", r, err)
	}
	var syntax *query.SyntaxError
	if _, err := c.Search(ctx, "cat AND", nsfl.Options{}); !errors.As(err, &syntax) {
		t.Errorf("got error %v, want a *SyntaxError", err)
	}
	if err := c.Add(ctx, nsfl.Document{ID: "empty"}); err == nil || !strings.Contains(err.Error(), "neither a title nor a text") {
		t.Errorf("an empty document: got error %v, want one about title and text", err)
	}
	if n, err := c.Delete(ctx, "cat", "nobody"); n != 1 || err != nil {
		t.Errorf("got %d deleted and error %v, want 1", n, err)
	}
	if _, err := nsfl.Open(t.Context(), dir, nil); !errors.Is(err, engine.ErrLocked) {
		t.Errorf("opening twice for writing: got error %v, want ErrLocked", err)
	}
	reader, err := nsfl.Open(ctx, dir, &nsfl.Config{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	if err := reader.Add(ctx, docs[0]); !errors.Is(err, engine.ErrReadOnly) {
		t.Errorf("writing as a reader: got error %v, want ErrReadOnly", err)
	}
	if err := errors.Join(reader.Close(), c.Close()); err != nil {
		t.Error(err)
	}
}

// A noun for the results in plain language restricts them to the documents of that kind.
func TestKindOfResults(t *testing.T) {
	c, err := nsfl.Open(t.Context(), filepath.Join(t.TempDir(), "c"), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	var docs []nsfl.Document
	for _, kind := range []string{"photo", "recipe"} {
		for _, thing := range []string{"dog", "cat", "boat"} {
			docs = append(docs, nsfl.Document{ID: kind + " " + thing, Text: "A " + thing + " near the water.", Metadata: []byte(`{"kind": "` + kind + `"}`)})
		}
	}
	if err := c.Add(t.Context(), docs...); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"photos of dogs without cats":           "kind:photo",
		"photos of dogs, without cats":          "kind:photo",
		"pictures of dogs without cats":         "", // no value of that name
		"dogs without cats":                     "",
		"photos of dogs without cats kind:none": "kind:none",
	} {
		t.Run(text, func(t *testing.T) {
			r, err := c.Search(t.Context(), text, nsfl.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if r.Filter != want {
				t.Errorf("filter: got %q, want %q", r.Filter, want)
			}
			for _, h := range r.Hits {
				if want == "kind:photo" && !strings.HasPrefix(h.ID, "photo") {
					t.Errorf("got the result %s, want photos only", h.ID)
				}
			}
		})
	}
}

// constant encodes everything to the same vector.
type constant struct{}

func (constant) Identity() encoder.Identity {
	return encoder.Identity{Name: "constant", Dimension: 384}
}

func (constant) Encode(_ context.Context, _ encoder.Role, texts []string) (out encoder.Encoded, err error) {
	for range texts {
		v := make([]float32, 384)
		v[0] = 1
		out.Vectors, out.Cut = append(out.Vectors, v), append(out.Cut, false)
	}
	return out, nil
}

// reading is constant with a limit of tokens.
type reading struct {
	constant
	limit int
}

func (r reading) Identity() encoder.Identity {
	id := r.constant.Identity()
	id.MaxTokens = r.limit
	return id
}

// TestCutByTokens: every passage that was not given fits the encoder's limit.
func TestCutByTokens(t *testing.T) {
	c, err := nsfl.Open(t.Context(), t.TempDir(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	address := "https://example.com/" + strings.Repeat("a1b2-c3d4/", 200)
	docs := []engine.Document{
		{ID: "addresses", Text: strings.Repeat("See "+address[:120]+" and more. ", 40)},
		{ID: "one", Text: address},
		{ID: "Chinese", Text: strings.Repeat("今天天氣很好我們去海邊", 100)},
		{ID: "table", Text: strings.Repeat("- 0.123 | 4.567 | 8.901 | 2.345\n", 100)},
		{ID: "given", Passages: engine.NewPassages([]string{address, "Short."})},
	}
	cut, err := c.Encode(t.Context(), docs)
	if err != nil || !slices.Equal(cut, []string{"given"}) {
		t.Errorf("got %q cut and error %v, want given", cut, err)
	}
	if _, err := c.Lengths(511); err == nil || !strings.Contains(err.Error(), "reads at most 510") {
		t.Errorf("more than the encoder reads: got error %v, want its limit", err)
	}
	if l, err := c.Lengths(0); err != nil || l.Min != 105 || l.Max != 210 {
		t.Errorf("the usual lengths: got %+v and error %v, want 105 to 210", l, err)
	}
	for reads, most := range map[int]int{0: 210, 100: 75, 8192: 210} { // by an encoder that cannot count tokens
		c, err := nsfl.Open(t.Context(), t.TempDir(), &nsfl.Config{Encoder: reading{limit: reads}})
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		if l, err := c.Lengths(0); err != nil || l.Max != most || l.Count != nil {
			t.Errorf("where %d tokens are read: got %+v and error %v, want lengths in words", reads, l, err)
		}
	}
}

func TestPlaces(t *testing.T) {
	c, err := nsfl.Open(t.Context(), t.TempDir(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	place := passage.Place{Heading: "Guests", Line: 12}
	d := nsfl.Document{ID: "guide", Passages: []nsfl.Passage{{Text: "Bring your zebra."}, {Text: "An okapi stays outside.", Place: place}}}
	if err := c.Add(t.Context(), d); err != nil {
		t.Fatal(err)
	}
	if d.Passages[1].Vector != nil {
		t.Error("Add has changed the document of its caller")
	}
	if got, err := c.Get(t.Context(), "guide"); err != nil || len(got.Passages) != 2 || got.Passages[1].Place != place {
		t.Errorf("Get: got passages %+v and error %v, want the place %+v", got.Passages, err, place)
	}
	if r, err := c.Search(t.Context(), "okapi", nsfl.Options{}); err != nil || r.Hits[0].Snippet.Place != place {
		t.Errorf("Search: got %+v and error %v, want a snippet at %+v", r, err, place)
	}
}

func TestOpenRefusals(t *testing.T) {
	ctx, dir := context.Background(), t.TempDir()
	c, err := nsfl.Open(t.Context(), dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	c.Close()
	var other *nsfl.EncoderError
	_, err = nsfl.Open(ctx, dir, &nsfl.Config{Encoder: constant{}})
	if !errors.As(err, &other) || other.Stored.Name != "nsfl-builtin" || !strings.Contains(err.Error(), "constant") {
		t.Errorf("another encoder: got error %v, want an *EncoderError with both names", err)
	}
	foreign := t.TempDir()
	if err := os.WriteFile(filepath.Join(foreign, "letter.txt"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := nsfl.Open(ctx, foreign, nil); err == nil || !strings.Contains(err.Error(), "other files") {
		t.Errorf("a directory of other things: got error %v, want one about other files", err)
	}
	if entries, _ := os.ReadDir(foreign); len(entries) != 1 {
		t.Errorf("got %v, want nothing written", entries)
	}
	if _, err := nsfl.Open(ctx, filepath.Join(foreign, "none"), &nsfl.Config{ReadOnly: true}); !errors.Is(err, engine.ErrNotCollection) {
		t.Errorf("nothing there: got error %v, want ErrNotCollection", err)
	}
}

// elsewhere is a store that is not recognized as the embedded collection.
type elsewhere struct {
	*index.Collection
	closed bool
}

func (e *elsewhere) Close() error {
	e.closed = true
	return e.Collection.Close()
}

func TestNew(t *testing.T) {
	ctx := context.Background()
	id := constant{}.Identity()
	inside, err := index.OpenOrCreate(ctx, t.TempDir(), index.Options{Dimension: id.Dimension, Encoder: nsfl.EncoderName(id)})
	if err != nil {
		t.Fatal(err)
	}
	store := &elsewhere{Collection: inside}
	var other *nsfl.EncoderError
	if _, err := nsfl.New(t.Context(), store, &nsfl.Config{}); !errors.As(err, &other) || other.Stored != id || !strings.Contains(err.Error(), "opening a store") {
		t.Errorf("the built-in encoder: got error %v, want an *EncoderError", err)
	}
	c, err := nsfl.New(t.Context(), store, &nsfl.Config{Encoder: constant{}})
	if err != nil {
		t.Fatal(err)
	}
	if c.Store() != engine.Collection(store) {
		t.Error("the store is not what was given")
	}
	if err := c.Add(ctx, nsfl.Document{ID: "a", Text: "text"}, nsfl.Document{ID: "b", Text: "text"}); err != nil {
		t.Fatal(err)
	}
	if n, err := c.Delete(ctx, "b"); n != 1 || err != nil {
		t.Errorf("got %d deleted and error %v, want 1", n, err)
	}
	r, err := c.Search(ctx, "anything", nsfl.Options{})
	if err != nil || len(r.Hits) != 1 || r.Hits[0].ID != "a" {
		t.Errorf("Search: got %+v and error %v, want document a", r, err)
	}
	if err := c.Close(); err != nil || !store.closed {
		t.Errorf("got closed %t and error %v, want the store closed", store.closed, err)
	}
}

// A collection keeps the revision of the built-in encoder that made its vectors.
func TestRevisions(t *testing.T) {
	ctx, dir := t.Context(), t.TempDir()
	old, err := builtin.Revision("1")
	if err != nil {
		t.Fatal(err)
	}
	c, err := nsfl.Open(ctx, dir, &nsfl.Config{Encoder: old})
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(c.Add(ctx, nsfl.Document{ID: "a", Text: "a dog"}), c.Close()); err != nil {
		t.Fatal(err)
	}
	if c, err = nsfl.Open(ctx, dir, nil); err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if id := c.Encoder().Identity(); id != old.Identity() || c.Searcher().Profile.Encoder != builtin.Name {
		t.Errorf("opened with %v and the profile %s, want %v", id, c.Searcher().Profile.Name, old.Identity())
	}
	id := old.Identity()
	id.Revision, dir = "99", t.TempDir()
	store, err := index.OpenOrCreate(ctx, dir, index.Options{Dimension: id.Dimension, Encoder: nsfl.EncoderName(id)})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := nsfl.New(ctx, store, nil); err == nil || !strings.Contains(err.Error(), "no revision 99 of the built-in encoder") {
		t.Errorf("got the error %v for a revision of the future", err)
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := nsfl.Open(ctx, dir, nil); err == nil || !strings.Contains(err.Error(), "use a newer version") {
		t.Errorf("got the error %v for a revision of the future", err)
	}
}

// TestOwnVectors: a document may have its own vector, and all are read back unchanged.
func TestOwnVectors(t *testing.T) {
	ctx := t.Context()
	c, err := nsfl.Open(ctx, t.TempDir(), &nsfl.Config{Encoder: constant{}})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	own := make([]float32, 384)
	own[1] = 1
	docs := []nsfl.Document{
		{ID: "own", Title: "Own", Text: "brought along", Vector: own, Metadata: []byte(`{"year":1999,"tags":["a","b"]}`)},
		{ID: "made", Text: "made here"},
	}
	if err := c.AddSeq(ctx, slices.Values(docs)); err != nil {
		t.Fatal(err)
	}
	if n, err := c.Count(ctx); n != 2 || err != nil {
		t.Errorf("got %d documents and error %v, want 2", n, err)
	}
	got, err := c.Get(ctx, "own")
	if err != nil || !slices.Equal(got.Vector, own) || string(got.Metadata) != string(docs[0].Metadata) || got.Passages != nil {
		t.Errorf("read back: %+v, %v", got, err)
	}
	var ids []string
	for d, err := range c.All(ctx) {
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, d.ID)
	}
	if !slices.Equal(ids, []string{"own", "made"}) {
		t.Errorf("got %q, want own and made", ids)
	}
	r, err := c.Search(ctx, "boats but not oars", nsfl.Options{All: true})
	if err != nil || len(r.Hits) != 2 || r.Hits[0].ID != "made" || len(r.Understood) == 0 || r.Query != "boats but not oars" {
		t.Errorf("Search: got %+v and error %v, want two hits, the first made", r, err)
	}
	why, err := c.Explain(ctx, "boats AND NOT oars", "own", nsfl.Options{})
	if err != nil || why.Hits[0].Rank != 2 {
		t.Errorf("Explain: got %+v and error %v, want rank 2", why, err)
	}
	if _, err := c.Get(ctx, "nobody"); !errors.Is(err, nsfl.ErrNotFound) {
		t.Errorf("a document that is not there: got error %v, want ErrNotFound", err)
	}
	var bad *nsfl.InputError
	if err := c.Add(ctx, nsfl.Document{ID: "short", Text: "x", Vector: own[:3]}); !errors.As(err, &bad) {
		t.Errorf("a vector of another dimension: got error %v, want an *InputError", err)
	}
	if err := c.Add(ctx, nsfl.Document{ID: strings.Repeat("i", 2000), Text: "x"}); !errors.As(err, &bad) {
		t.Errorf("an id that is too long: got error %v, want an *InputError", err)
	}
	if err := c.Add(ctx, nsfl.Document{ID: "odd", Text: "x", Metadata: []byte(`["f"]`)}); !errors.As(err, &bad) {
		t.Errorf("metadata that is no object: got error %v, want an *InputError", err)
	}
}

// On technical texts a search for pets says that nothing matches, and a search for
// something they are about does not.
func TestNothingMatches(t *testing.T) {
	c, err := nsfl.Open(t.Context(), filepath.Join(t.TempDir(), "manuals"), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	var docs []nsfl.Document
	for i, subject := range []string{"server", "kernel", "compiler", "package manager", "shell", "scheduler", "linker", "database"} {
		for j, does := range []string{
			"reads its configuration from a file in the directory for system settings", "writes a message to the log when a request fails",
			"closes the socket after the timeout has passed", "allocates memory for the buffer before the first call",
			"returns an error code if the argument is out of range", "checks the signature of each archive before it is unpacked",
			"prints the version number and exits", "waits for a signal and then stops all threads",
		} {
			docs = append(docs, nsfl.Document{ID: fmt.Sprintf("%d-%d", i, j), Text: fmt.Sprintf("The %s %s.", subject, does)})
		}
	}
	if err := c.Add(t.Context(), docs...); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		formula string
		matches bool
	}{{"dogs AND cats", false}, {"dogs", false}, {"kernel AND signal", true}, {"memory AND NOT socket", true}, {"log", true}} {
		t.Run(test.formula, func(t *testing.T) {
			r, err := c.Search(t.Context(), test.formula, nsfl.Options{})
			if err != nil {
				t.Fatal(err)
			}
			noted := slices.ContainsFunc(r.Notes, func(n string) bool {
				return strings.HasPrefix(n, "no document mentions a wanted word") || strings.HasPrefix(n, "no document seems to match")
			})
			if len(r.Hits) == 0 {
				if test.matches || r.LeftOut == 0 {
					t.Errorf("no results and %d left out, notes %q; want a match: %v", r.LeftOut, r.Notes, test.matches)
				}
				return
			}
			first := r.Hits[0]
			if noted == test.matches || (first.Probability > 0.5) != test.matches || (first.Strength == "weak") == test.matches {
				t.Errorf("first: probability %v, strength %q; notes %q; want a match: %v", first.Probability, first.Strength, r.Notes, test.matches)
			}
		})
	}
}
