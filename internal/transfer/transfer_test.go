package transfer

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/remote"
	"github.com/nsfl-go/nsfl/index"
)

const dim = 4

func collection(t *testing.T, encoder string) *index.Collection {
	t.Helper()
	c, err := index.OpenOrCreate(context.Background(), t.TempDir(), index.Options{Dimension: dim, Encoder: encoder})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

func documents(n int) []engine.Document {
	docs := make([]engine.Document, n)
	for i := range docs {
		v := []float32{1, float32(i % 7), float32(i % 11), 0.5}
		docs[i] = engine.Document{
			ID: fmt.Sprint("id-", i), Title: fmt.Sprint("title ", i), Text: "text", Vector: v,
			Metadata: fmt.Appendf(nil, `{"n": %d, "a": {"z": 1.50, "b": [1, "x"]}}`, i),
		}
		if i%3 == 0 {
			docs[i].Passages = []engine.Passage{{Text: "one", Vector: v}, {Text: "two", Vector: []float32{0, 1, 0, float32(i)}}}
		}
	}
	return docs
}

// filled has documents and notes.
func filled(t *testing.T, n int) *index.Collection {
	t.Helper()
	c, ctx := collection(t, "e"), context.Background()
	if err := c.Upsert(ctx, documents(n)); err != nil {
		t.Fatal(err)
	}
	if err := c.SetNotes(ctx, map[string]string{"encoder": "builtin", "profile": "p", "file:a": "1", "copy": `{"source": "elsewhere", "complete": true}`}); err != nil {
		t.Fatal(err)
	}
	return c
}

func notes(t *testing.T, c engine.Collection) map[string]string {
	t.Helper()
	n, err := c.Notes(context.Background(), "")
	if err != nil {
		t.Fatal(err)
	}
	delete(n, sourceNote)
	return n
}

// failing is a store that fails after some batches, as one that loses its server.
type failing struct {
	*index.Collection
	batches int
}

var errLost = errors.New("lost")

func (f *failing) Upsert(ctx context.Context, docs []engine.Document) error {
	if f.batches--; f.batches < 0 {
		return errLost
	}
	return f.Collection.Upsert(ctx, docs)
}

func TestCopy(t *testing.T) {
	ctx, from, to := context.Background(), filled(t, 1000), collection(t, "e")
	if err := to.SetNotes(ctx, map[string]string{"profile": "own"}); err != nil {
		t.Fatal(err)
	}
	var told []int
	progress := func(n int) { told = append(told, n) }
	if err := Copy(ctx, from, &failing{to, 2}, "there", progress); !errors.Is(err, errLost) || !slices.Equal(told, []int{256, 512}) {
		t.Fatalf("got %v, told %v, want %v, told [256 512]", err, told, errLost)
	}
	if want := (map[string]string{"profile": "own"}); !maps.Equal(notes(t, to), want) {
		t.Errorf("notes of an incomplete copy: got %v, want %v", notes(t, to), want)
	}
	if _, err := Compare(ctx, from, to, func() {}); err == nil {
		t.Error("half a copy is complete")
	}
	told = nil
	if err := Copy(ctx, from, to, "there", progress); err != nil || !slices.Equal(told, []int{256, 512, 768, 1000}) {
		t.Fatalf("got %v, told %v, want all documents", err, told)
	}
	if want := (map[string]string{"encoder": "builtin", "profile": "own", "file:a": "1"}); !maps.Equal(notes(t, to), want) {
		t.Errorf("notes: got %v, want %v", notes(t, to), want)
	}
	read := 0
	if sum, err := Compare(ctx, from, to, func() { read++ }); err != nil || sum.Documents != 1000 || read != 2000 {
		t.Fatalf("got %+v, %v, told of %d documents, want 1000 and 2000", sum, err, read)
	}
	// The next run copies new and changed documents.
	more := documents(3)
	more[0].ID, more[1].Text = "new", "changed"
	if err := from.Upsert(ctx, more[:2]); err != nil {
		t.Fatal(err)
	}
	if err := Copy(ctx, from, to, "there", progress); err != nil {
		t.Fatal(err)
	}
	if sum, err := Compare(ctx, from, to, func() {}); err != nil || sum.Documents != 1001 {
		t.Errorf("got %+v, %v, want 1001 documents", sum, err)
	}
}

func TestRefusals(t *testing.T) {
	ctx, from := context.Background(), filled(t, 3)
	if err := Copy(ctx, from, from, "there", func(int) {}); !errors.Is(err, ErrSelf) {
		t.Errorf("onto itself: %v", err)
	}
	if n := notes(t, from); n[probeNote] != "" {
		t.Errorf("left behind: %v", n)
	}
	full := collection(t, "e")
	if err := full.Upsert(ctx, documents(1)); err != nil {
		t.Fatal(err)
	}
	for words, to := range map[string]engine.Collection{
		`vectors of "e"`:            collection(t, "f"),
		"no copy has stored there":  full,
		"holds a copy of elsewhere": filled(t, 1),
	} {
		var target *TargetError
		if err := Copy(ctx, from, to, "there", func(int) {}); !errors.As(err, &target) || !strings.Contains(err.Error(), words) {
			t.Errorf("got %v, want %q", err, words)
		}
	}
	broken := collection(t, "e")
	if err := broken.SetNotes(ctx, map[string]string{sourceNote: "{"}); err != nil {
		t.Fatal(err)
	}
	if err := Copy(ctx, from, broken, "there", func(int) {}); err == nil || !strings.Contains(err.Error(), "copy again") {
		t.Errorf("a broken note: %v", err)
	}
}

// The checksum does not depend on the order of documents and of fields, and on
// everything else.
func TestChecksum(t *testing.T) {
	ctx := context.Background()
	sum := func(docs []engine.Document) string {
		t.Helper()
		c := collection(t, "e")
		if err := c.Upsert(ctx, docs); err != nil {
			t.Fatal(err)
		}
		s, err := Checksum(ctx, c, func() {})
		if err != nil || s.Documents != len(docs) {
			t.Fatalf("got %+v and error %v, want all documents", s, err)
		}
		return s.String()
	}
	want := sum(documents(10))
	turned := documents(10)
	slices.Reverse(turned)
	turned[3].Metadata = []byte(`{ "a": {"b":[1,"x"], "z":1.50}, "n":6 }`)
	if got := sum(turned); got != want {
		t.Errorf("in another order: %s, want %s", got, want)
	}
	seen := map[string]string{want: "nothing"}
	for name, change := range map[string]func(d []engine.Document){
		"id":          func(d []engine.Document) { d[0].ID = "other" },
		"title":       func(d []engine.Document) { d[1].Title = "" },
		"text":        func(d []engine.Document) { d[1].Text = "texu" },
		"shifted":     func(d []engine.Document) { d[1].Title, d[1].Text = d[1].Title+"t", "ext" },
		"a digit":     func(d []engine.Document) { d[2].Metadata = []byte(`{"n": 2, "a": {"z": 1.5, "b": [1, "x"]}}`) },
		"no metadata": func(d []engine.Document) { d[2].Metadata = nil },
		"empty":       func(d []engine.Document) { d[2].Metadata = []byte(`{}`) },
		"a vector":    func(d []engine.Document) { d[4].Vector[2] += 1e-6 },
		"passage":     func(d []engine.Document) { d[3].Passages[1].Text = "three" },
		"its heading": func(d []engine.Document) { d[3].Passages[1].Place.Heading = "three" },
		"its page":    func(d []engine.Document) { d[3].Passages[1].Place.Page = 3 },
		"its line":    func(d []engine.Document) { d[3].Passages[1].Place.Line = 3 },
		"its vector":  func(d []engine.Document) { d[3].Passages[1].Vector[1] += 1e-6 },
		"order":       func(d []engine.Document) { slices.Reverse(d[3].Passages) },
		"exchanged":   func(d []engine.Document) { d[1].Title, d[2].Title = d[2].Title, d[1].Title },
	} {
		docs := documents(10)
		for i := range docs { // passages share vectors with documents
			docs[i].Vector = slices.Clone(docs[i].Vector)
		}
		change(docs)
		got := sum(docs)
		if other, ok := seen[got]; ok {
			t.Errorf("a change of %s and of %s give the same checksum", name, other)
		}
		seen[got] = name
	}
}

func TestDifferences(t *testing.T) {
	ctx, from, to := context.Background(), filled(t, 40), collection(t, "e")
	docs := documents(50)
	for i := range 7 {
		docs[10+i].Title = "another"
	}
	if err := to.Upsert(ctx, append(docs[1:20:20], append(docs[21:40:40], docs[45:]...)...)); err != nil {
		t.Fatal(err)
	}
	_, err := Compare(ctx, from, to, func() {})
	var d *DifferenceError
	if !errors.As(err, &d) || d.Source.Documents != 40 || d.Target.Documents != 43 {
		t.Fatalf("got error %v, want a difference of 40 to 43 documents", err)
	}
	if want := "the source has 40 documents, the target 43"; err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := Compare(cancelled, from, to, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// foreign is a store that something else has filled.
type foreign struct {
	engine.Store
	remote.ReadOnly
}

func (foreign) List(context.Context, engine.Page) ([]engine.Document, string, error) {
	return nil, "", nil
}
func (foreign) Close() error { return nil }

// A target with documents of another origin is never written to.
func TestAttachedTarget(t *testing.T) {
	from := filled(t, 3)
	if err := Copy(context.Background(), from, foreign{Store: from}, "x", func(int) {}); !errors.Is(err, engine.ErrReadOnly) {
		t.Errorf("got error %v, want ErrReadOnly", err)
	}
}
