package enginetest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/internal/predicate"
	"github.com/nsfl-go/nsfl/internal/vec"
	"github.com/nsfl-go/nsfl/query"
)

func upsert(t testing.TB, s Store, docs []engine.Document) {
	t.Helper()
	check(t, s.Upsert(context.Background(), docs))
}

// holds checks that a store has documents as they were given, except for the lengths of their
// vectors.
func holds(t *testing.T, s Store, docs ...engine.Document) {
	t.Helper()
	for i := range docs {
		got := must(s.Get(context.Background(), docs[i].ID, engine.AllParts))(t)
		same(t, &got, &docs[i])
	}
}

func findsNone(t *testing.T, s Store, ids ...string) {
	t.Helper()
	for _, id := range append(ids, "never", "", "id-", "ID-2", "id-2 ", "id-2\x00", "a\x00", "\xff") {
		if ref, err := s.Find(context.Background(), id); !errors.Is(err, engine.ErrNotFound) {
			t.Errorf("finding %q: got %v, %v, want ErrNotFound", id, ref, err)
		}
		if _, err := s.Get(context.Background(), id, engine.NoParts); !errors.Is(err, engine.ErrNotFound) {
			t.Errorf("reading %q: got error %v, want ErrNotFound", id, err)
		}
	}
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

func sameJSON(t *testing.T, a, b []byte) bool {
	t.Helper()
	if len(a) == 0 || len(b) == 0 {
		return len(a) == len(b)
	}
	var x, y any
	for text, target := range map[*[]byte]*any{&a: &x, &b: &y} {
		d := json.NewDecoder(bytes.NewReader(*text))
		d.UseNumber()
		check(t, d.Decode(target))
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

func counts(t *testing.T, s Store, docs []engine.Document) {
	t.Helper()
	size := must(s.Size(context.Background()))(t)
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
	holds(t, s, docs...)
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
	holds(t, s, docs[4])
	upsert(t, s, docs[3:4])
	holds(t, s, docs[3])
	counts(t, s, append(append(append([]engine.Document(nil), docs[1:3]...), docs[3:7]...), docs[8:]...))
}

// Documents are read in the order of their refs. The place of a deleted or unknown document is
// empty; the place of a replaced one is empty or holds the new version.
func testDocuments(t *testing.T, m Maker) {
	docs := m.corpus(30)
	ctx, s := context.Background(), m.stored(t, docs)
	counts(t, s, docs)
	refs := refsOf(t, s, len(docs))
	got := must(s.Documents(ctx, []engine.Ref{refs[docs[9].ID], {Number: 1 << 40, Key: "none"}, refs[docs[2].ID], refs[docs[9].ID]}, engine.AllParts))(t)
	for i, want := range map[int]int{0: 9, 2: 2, 3: 9} {
		same(t, &got[i], &docs[want])
	}
	if got[1].ID != "" {
		t.Errorf("got %q for an unknown ref, want no document", got[1].ID)
	}
	holds(t, s, docs...)
	findsNone(t, s)
	if !m.written() {
		return
	}
	replaced := docs[2]
	replaced.Text = "another text"
	upsert(t, s, []engine.Document{replaced})
	must(s.Delete(ctx, []string{"id-9"}))(t)
	got = must(s.Documents(ctx, []engine.Ref{refs["id-9"], refs["id-2"], refs["id-1"]}, engine.AllParts))(t)
	if got[0].ID != "" {
		t.Errorf("got %q for a deleted document, want none", got[0].ID)
	}
	if got[1].ID != "" {
		same(t, &got[1], &replaced)
	}
	same(t, &got[2], &docs[1])
}

// found returns the refs of the documents that pass a filter, by id: up to k.
func found(t testing.TB, s engine.Store, k int, filter query.Node) map[string]engine.Ref {
	t.Helper()
	v := [][]float32{vectorOf("anything")}
	columns, err := s.Pool(context.Background(), v, k, filter, v)
	if err != nil {
		t.Fatalf("%v: %v", filter, err)
	}
	refs := make(map[string]engine.Ref, len(columns.Refs))
	for i, d := range must(s.Documents(context.Background(), columns.Refs, engine.NoParts))(t) {
		refs[d.ID] = columns.Refs[i]
	}
	return refs
}

func refsOf(t *testing.T, s Store, n int) map[string]engine.Ref {
	t.Helper()
	refs := found(t, s, n, nil)
	if len(refs) != n {
		t.Fatalf("found %d documents, want %d", len(refs), n)
	}
	return refs
}

func valuesOf(t testing.TB, d *engine.Document) []predicate.Value {
	t.Helper()
	return must(predicate.Values(d.Metadata))(t)
}

// passes reports whether a document passes a filter, which may be nil, by the definition.
func passes(t testing.TB, d *engine.Document, filter query.Node) bool {
	t.Helper()
	return filter == nil || predicate.Passes(filter, valuesOf(t, d))
}

func passing(t testing.TB, docs []engine.Document, filter query.Node) []engine.Document {
	t.Helper()
	return slices.DeleteFunc(slices.Clone(docs), func(d engine.Document) bool { return !passes(t, &d, filter) })
}

// An invalid document is an *engine.InputError, and nothing of its batch is stored.
func testRefused(t *testing.T, m Maker) {
	ctx, s := context.Background(), m.open(t, dim)
	for name, change := range map[string]func(d *engine.Document){
		"no id":              func(d *engine.Document) { d.ID = "" },
		"a long id":          func(d *engine.Document) { d.ID = strings.Repeat("x", engine.MaxIDBytes+1) },
		"an id twice":        func(d *engine.Document) { d.ID = "id-0" },
		"no UTF-8":           func(d *engine.Document) { d.Text = "a\xffb" },
		"no vector":          func(d *engine.Document) { d.Vector = nil },
		"another dimension":  func(d *engine.Document) { d.Vector = d.Vector[1:] },
		"a zero vector":      func(d *engine.Document) { d.Vector = make([]float32, dim) },
		"not a number":       func(d *engine.Document) { d.Vector[3] = float32(math.NaN()) },
		"passage, dimension": func(d *engine.Document) { d.Passages[1].Vector = nil },
		"passage, zero":      func(d *engine.Document) { d.Passages[1].Vector = make([]float32, dim) },
		"a list":             func(d *engine.Document) { d.Metadata = []byte(`[1]`) },
		"null":               func(d *engine.Document) { d.Metadata = []byte(`null`) },
		"half an object":     func(d *engine.Document) { d.Metadata = []byte(`{"a": `) },
		"two objects":        func(d *engine.Document) { d.Metadata = []byte(`{} {}`) },
		"deep metadata":      func(d *engine.Document) { d.Metadata = nestedMetadata(predicate.MaxDepth+1, 1, "a") },
		"much metadata":      func(d *engine.Document) { d.Metadata = nestedMetadata(1, predicate.MaxValues+1, "a") },
		"long metadata": func(d *engine.Document) {
			d.Metadata = nestedMetadata(1, 1, strings.Repeat("a", predicate.MaxBytes))
		},
		"wide metadata": func(d *engine.Document) { d.Metadata = nestedMetadata(8, 4000, strings.Repeat("a", 100)) },
	} {
		docs := corpus(4)
		change(&docs[3])
		refused(t, name, s.Upsert(ctx, docs))
	}
	counts(t, s, nil)
}

func refused(t *testing.T, what string, err error) {
	t.Helper()
	if input := (*engine.InputError)(nil); !errors.As(err, &input) {
		t.Errorf("%s: got error %v, want an *engine.InputError", what, err)
	}
}

func nestedMetadata(depth, values int, name string) []byte {
	var b bytes.Buffer
	for range depth {
		fmt.Fprintf(&b, "{%q: ", name)
	}
	b.WriteString("0")
	for i := 1; i < values; i++ {
		fmt.Fprintf(&b, `, "%d": 0`, i)
	}
	b.WriteString(strings.Repeat("}", depth))
	return b.Bytes()
}

// Ids are any UTF-8 without zero bytes.
func testIDs(t *testing.T, m Maker) {
	ctx, s := context.Background(), m.open(t, dim)
	ids := []string{
		" ", "a", "A", "á", "a\u0301", "日本語", "😀", "\u202eabc", "\ufeff", "a b", "a\tb\nc", "'", "\"", "';--", "$1", "%", "_", "\\", "\\x00",
		"../../etc", "https://example.org/a?b=c&d=%20#e", "{}", "null", "NaN", "0", "00", "-1", strings.Repeat("x", engine.MaxIDBytes), "ß", "SS", "ﬁ", "fi",
	}
	var docs []engine.Document
	for i, id := range ids {
		docs = append(docs, engine.Document{
			ID: id, Title: id, Text: strings.Repeat(id, 3), Vector: vectorOf(fmt.Sprint(i)),
			Metadata: fmt.Appendf(nil, `{"i": %d}`, i),
		})
	}
	upsert(t, s, docs)
	upsert(t, s, docs[:5])
	counts(t, s, docs)
	holds(t, s, docs...)
	findsNone(t, s, "b", "a ", "Á", strings.Repeat("x", engine.MaxIDBytes-1))
	if n, err := s.Delete(ctx, ids); n != len(ids) || err != nil {
		t.Errorf("deleted %d of %d, %v", n, len(ids), err)
	}
	counts(t, s, nil)
}
