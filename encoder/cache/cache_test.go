package cache

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl/encoder"
	"github.com/nsfl-go/nsfl/internal/lockfile"
)

// counting is an encoder that records the texts it is asked to encode.
type counting struct {
	name  string
	asked []string
	err   error
}

func (c *counting) Identity() encoder.Identity { return encoder.Identity{Name: c.name, Dimension: 2} }

func (c *counting) Encode(_ context.Context, role encoder.Role, texts []string) (out encoder.Encoded, err error) {
	for _, text := range texts {
		c.asked = append(c.asked, text)
		out.Vectors = append(out.Vectors, []float32{float32(role), float32(len(text))})
		out.Cut = append(out.Cut, strings.HasSuffix(text, "!"))
	}
	return out, c.err
}

// encode encodes through the cache, checks the result, and returns the texts that the wrapped
// encoder was asked for.
func encode(t *testing.T, e *Encoder, role encoder.Role, texts ...string) []string {
	t.Helper()
	inner := e.Encoder.(*counting)
	inner.asked = nil
	got, err := e.Encode(t.Context(), role, texts)
	if err != nil {
		t.Fatal(err)
	}
	for i, text := range texts {
		if !slices.Equal(got.Vectors[i], []float32{float32(role), float32(len(text))}) || got.Cut[i] != strings.HasSuffix(text, "!") {
			t.Errorf("%q: got %v, cut %v", text, got.Vectors[i], got.Cut[i])
		}
		got.Vectors[i][0] = 99 // callers may modify their vectors
	}
	slices.Sort(inner.asked)
	return inner.asked
}

func TestMemory(t *testing.T) {
	inner := &counting{}
	e := New(inner, 3*8) // three vectors
	for _, c := range []struct{ texts, want string }{
		{"a", "a"},
		{"bb a a!", "a! bb"},
		{"bb a bb a! bb a", ""},
		{"ccc ccc", "ccc"}, // evicts a!, the least recently used
		{"a bb ccc", ""},
		{"a!", "a!"},
	} {
		if got := strings.Join(encode(t, e, encoder.Passage, strings.Fields(c.texts)...), " "); got != c.want {
			t.Errorf("%q: encoded %q, want %q", c.texts, got, c.want)
		}
	}
	if got := encode(t, e, encoder.Query, "a!"); len(got) != 1 {
		t.Errorf("in another role: encoded %q", got)
	}
	inner.err = errors.New("down")
	if _, err := e.Encode(t.Context(), encoder.Query, []string{"new"}); !errors.Is(err, inner.err) {
		t.Errorf("got error %v, want %v", err, inner.err)
	}
	inner.err = nil
	if got := encode(t, e, encoder.Query, "new"); len(got) != 1 {
		t.Error("a failed text was cached")
	}
}

func TestFile(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "vectors")
	open := func(name string) *Encoder {
		t.Helper()
		e, err := Open(&counting{name: name}, dir)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { e.Close() })
		return e
	}
	expect := func(e *Encoder, want string, texts ...string) {
		t.Helper()
		if got := strings.Join(encode(t, e, encoder.Passage, texts...), " "); got != want {
			t.Errorf("%q: encoded %q, want %q", texts, got, want)
		}
	}
	first := open("one")
	expect(first, "a bb!", "a", "bb!", "a")
	expect(first, "", "bb!", "a")
	expect(open("another"), "a", "a")
	if _, err := Open(&counting{name: "one"}, dir); !errors.Is(err, lockfile.ErrTaken) {
		t.Errorf("opening a file in use: got error %v, want %v", err, lockfile.ErrTaken)
	}
	path := first.store.(*file).Name()
	first.Close()

	// An interrupted process leaves part of a record.
	half, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := half.WriteString("half"); err != nil {
		t.Fatal(err)
	}
	half.Close()
	again := open("one")
	expect(again, "ccc", "bb!", "ccc", "a")
	again.Close()

	// A damaged vector is computed again.
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for at := len(key{}); at < len(content); at += len(content) / 3 {
		content[at] ^= 1
	}
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	expect(open("one"), "a bb! ccc", "bb!", "ccc", "a")
}
