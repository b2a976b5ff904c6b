package enginetest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/vec"
)

func upsert(t testing.TB, s Store, docs []engine.Document) {
	t.Helper()
	if err := s.Upsert(context.Background(), docs); err != nil {
		t.Fatal(err)
	}
}

// holds checks that a store has a document as it was given, but for the length of
// its vectors.
func holds(t *testing.T, s Store, want *engine.Document) {
	t.Helper()
	got, err := s.Get(context.Background(), want.ID, engine.AllParts)
	if err != nil {
		t.Fatal(err)
	}
	same(t, &got, want)
}

func same(t *testing.T, got, want *engine.Document) {
	t.Helper()
	if got.ID != want.ID || got.Title != want.Title || got.Text != want.Text {
		t.Errorf("got %q, %q, %q\nwant %q, %q, %q", got.ID, got.Title, got.Text, want.ID, want.Title, want.Text)
	}
	if !sameJSON(t, got.Metadata, want.Metadata) {
		t.Errorf("%s: metadata %s, want %s", want.ID, got.Metadata, want.Metadata)
	}
	sameVector(t, want.ID, got.Vector, want.Vector)
	if len(got.Passages) != len(want.Passages) {
		t.Fatalf("%s: %d passages, want %d", want.ID, len(got.Passages), len(want.Passages))
	}
	for i, p := range want.Passages {
		if got.Passages[i].Text != p.Text || got.Passages[i].Place != p.Place {
			t.Errorf("%s, passage %d: %q at %+v, want %q at %+v", want.ID, i, got.Passages[i].Text, got.Passages[i].Place, p.Text, p.Place)
		}
		if len(want.Passages) > 1 {
			sameVector(t, want.ID, got.Passages[i].Vector, p.Vector)
		} else if got.Passages[i].Vector != nil {
			t.Errorf("%s: its only passage has a vector", want.ID)
		}
	}
}

// sameJSON reports whether two texts are the same JSON with the same digits.
func sameJSON(t *testing.T, a, b []byte) bool {
	t.Helper()
	if len(a) == 0 || len(b) == 0 {
		return len(a) == len(b)
	}
	var x, y any
	for text, target := range map[*[]byte]*any{&a: &x, &b: &y} {
		d := json.NewDecoder(bytes.NewReader(*text))
		d.UseNumber()
		if err := d.Decode(target); err != nil {
			t.Fatal(err)
		}
	}
	return reflect.DeepEqual(x, y)
}

func sameVector(t *testing.T, id string, got, want []float32) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: a vector of %d dimensions, want %d", id, len(got), len(want))
	}
	if c := Cosine(got, want); c < 1-1e-6 {
		t.Errorf("%s: the cosine of the stored and the read vector is %.8f", id, c)
	}
	if n := math.Sqrt(vec.Dot64(got, got)); math.Abs(n-1) > 1e-5 {
		t.Errorf("%s: the length of a stored vector is %g", id, n)
	}
}

// counts checks the result of Size.
func counts(t *testing.T, s Store, docs []engine.Document) {
	t.Helper()
	size, err := s.Size(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	vectors := 0
	for _, d := range docs {
		vectors++
		if n := len(d.Passages); n > 1 {
			vectors += n
		}
	}
	// Vectors may include those of deleted documents.
	if size.Documents != len(docs) || size.Dimension != dim || size.Vectors < vectors {
		t.Errorf("size %+v, want %d documents and %d vectors of %d dimensions", size, len(docs), vectors, dim)
	}
}

func testEmpty(t *testing.T, m Maker) {
	ctx, s := context.Background(), m.open(t, dim)
	counts(t, s, nil)
	v := [][]float32{vectorOf("anything")}
	columns, err := s.Pool(ctx, v, 10, nil, v)
	if err != nil || len(columns.Refs) != 0 || len(columns.Similarities) != 1 || len(columns.Similarities[0]) != 0 {
		t.Errorf("a pool from nothing: %+v, %v", columns, err)
	}
	unknown := []engine.Ref{{Number: 1}, {Number: 1 << 40, Key: "no key"}}
	if docs, err := s.Documents(ctx, nil, engine.AllParts); err != nil || len(docs) != 0 {
		t.Errorf("no documents: %v, %v", docs, err)
	}
	if docs, err := s.Documents(ctx, unknown, engine.AllParts); err != nil || len(docs) != 2 || docs[0].ID != "" || docs[1].ID != "" {
		t.Errorf("documents that never were: %v, %v", docs, err)
	}
	if _, err := s.Get(ctx, "a", engine.AllParts); !errors.Is(err, engine.ErrNotFound) {
		t.Errorf("a document that never was: %v", err)
	}
	if n, err := s.Delete(ctx, []string{"a", "b"}); n != 0 || err != nil {
		t.Errorf("deleting nothing: %d, %v", n, err)
	}
	if n, err := s.Delete(ctx, nil); n != 0 || err != nil {
		t.Errorf("deleting none: %d, %v", n, err)
	}
	if err := s.Upsert(ctx, nil); err != nil {
		t.Error(err)
	}
}

func testUpsert(t *testing.T, m Maker) {
	s := m.open(t, dim)
	docs := corpus(30)
	docs[1].Metadata = nil
	docs[2].Metadata = json.RawMessage(`{"deep": {"a": [1, 2.50, "x", null, {"b": true}]}, "n": 1e3, "long": "` + strings.Repeat("long ", 2000) + `"}`)
	docs[4].Title, docs[4].Text = "", ""
	for i := range docs[5].Vector {
		docs[5].Vector[i] *= 17 // it is stored with length 1
	}
	upsert(t, s, docs[:20])
	counts(t, s, docs[:20])
	// Some are replaced and some are new, with passages coming and going.
	other := corpus(40)[30:]
	for i := range 10 {
		other[i].ID = docs[10+i].ID
	}
	upsert(t, s, append(other, docs[20:]...))
	copy(docs[10:20], other)
	counts(t, s, docs)
	for i := range docs {
		holds(t, s, &docs[i])
	}
}

func testDelete(t *testing.T, m Maker) {
	ctx, s := context.Background(), m.open(t, dim)
	docs := corpus(20)
	upsert(t, s, docs)
	n, err := s.Delete(ctx, []string{"id-0", "id-3", "id-3", "never", "id-7"})
	if n != 3 || err != nil {
		t.Errorf("deleted %d, %v, want 3", n, err)
	}
	if _, err := s.Get(ctx, "id-3", engine.AllParts); !errors.Is(err, engine.ErrNotFound) {
		t.Errorf("a deleted document: %v", err)
	}
	v := [][]float32{vectorOf("anything")}
	columns, err := s.Pool(ctx, v, 20, nil, v)
	if err != nil || len(columns.Refs) != 17 {
		t.Errorf("%d documents are left, %v, want 17", len(columns.Refs), err)
	}
	holds(t, s, &docs[4])
	upsert(t, s, docs[3:4])
	holds(t, s, &docs[3])
	counts(t, s, append(append(append([]engine.Document(nil), docs[1:3]...), docs[3:7]...), docs[8:]...))
}

// Documents are read in the order of their refs. The place of a deleted document is empty;
// the place of a replaced one is empty or holds the new version.
func testDocuments(t *testing.T, m Maker) {
	ctx, s := context.Background(), m.open(t, dim)
	docs := corpus(12)
	upsert(t, s, docs)
	refs := refsOf(t, s, len(docs))
	got, err := s.Documents(ctx, []engine.Ref{refs["id-9"], refs["id-2"], refs["id-9"]}, engine.AllParts)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []int{9, 2, 9} {
		same(t, &got[i], &docs[want])
	}
	replaced := docs[2]
	replaced.Text = "another text"
	upsert(t, s, []engine.Document{replaced})
	if _, err := s.Delete(ctx, []string{"id-9"}); err != nil {
		t.Fatal(err)
	}
	got, err = s.Documents(ctx, []engine.Ref{refs["id-9"], refs["id-2"], refs["id-1"]}, engine.AllParts)
	if err != nil {
		t.Fatal(err)
	}
	if got[0].ID != "" {
		t.Errorf("a deleted document: %q", got[0].ID)
	}
	if got[1].ID != "" {
		same(t, &got[1], &replaced)
	}
	same(t, &got[2], &docs[1])
}

// refsOf are the refs of all documents by their ids.
func refsOf(t *testing.T, s Store, n int) map[string]engine.Ref {
	t.Helper()
	v := [][]float32{vectorOf("anything")}
	columns, err := s.Pool(context.Background(), v, n, nil, v)
	if err != nil {
		t.Fatal(err)
	}
	docs, err := s.Documents(context.Background(), columns.Refs, engine.NoParts)
	if err != nil {
		t.Fatal(err)
	}
	refs := make(map[string]engine.Ref, len(docs))
	for i, d := range docs {
		refs[d.ID] = columns.Refs[i]
	}
	if len(refs) != n {
		t.Fatalf("%d documents are found, want %d", len(refs), n)
	}
	return refs
}
