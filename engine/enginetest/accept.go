package enginetest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl/engine"
)

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
		"deep metadata":      func(d *engine.Document) { d.Metadata = nestedMetadata(engine.MaxMetadataDepth+1, 1, "a") },
		"much metadata":      func(d *engine.Document) { d.Metadata = nestedMetadata(1, engine.MaxMetadataValues+1, "a") },
		"long metadata": func(d *engine.Document) {
			d.Metadata = nestedMetadata(1, 1, strings.Repeat("a", engine.MaxMetadataBytes))
		},
		"wide metadata": func(d *engine.Document) { d.Metadata = nestedMetadata(8, 4000, strings.Repeat("a", 100)) },
	} {
		docs := corpus(4)
		change(&docs[3])
		refused(t, name, s.Upsert(ctx, docs))
	}
	counts(t, s, nil)
}

// refused checks that an error is an *engine.InputError.
func refused(t *testing.T, what string, err error) {
	t.Helper()
	if input := (*engine.InputError)(nil); !errors.As(err, &input) {
		t.Errorf("%s: got error %v, want an *engine.InputError", what, err)
	}
}

// nestedMetadata returns an object with numbers at a depth, all under one name.
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
