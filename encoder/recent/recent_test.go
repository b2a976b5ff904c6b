package recent

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl/encoder"
)

// counting is an encoder that records the texts it is asked to encode.
type counting struct {
	asked []string
	err   error
}

func (c *counting) Identity() encoder.Identity { return encoder.Identity{Name: "test", Dimension: 2} }

func (c *counting) Encode(_ context.Context, role encoder.Role, texts []string) (out encoder.Encoded, err error) {
	for _, text := range texts {
		c.asked = append(c.asked, text)
		out.Vectors = append(out.Vectors, []float32{float32(role), float32(len(text))})
		out.Cut = append(out.Cut, strings.HasSuffix(text, "!"))
	}
	return out, c.err
}

func TestRecent(t *testing.T) {
	inner := &counting{}
	e := New(inner, 3*8) // three vectors
	encode := func(role encoder.Role, texts ...string) []string {
		t.Helper()
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
		return inner.asked
	}
	for _, c := range []struct{ texts, want string }{
		{"a bb a!", "a bb a!"},
		{"bb a bb", ""},
		{"ccc ccc", "ccc"}, // evicts a!, the least recently used
		{"a bb ccc", ""},
		{"a!", "a!"},
	} {
		if got := strings.Join(encode(encoder.Passage, strings.Fields(c.texts)...), " "); got != c.want {
			t.Errorf("%q: encoded %q, want %q", c.texts, got, c.want)
		}
	}
	if got := encode(encoder.Query, "a!"); len(got) != 1 {
		t.Errorf("in another role: encoded %q", got)
	}
	inner.err = errors.New("down")
	if _, err := e.Encode(t.Context(), encoder.Query, []string{"new"}); !errors.Is(err, inner.err) {
		t.Errorf("unexpected error %v", err)
	}
	inner.err = nil
	if got := encode(encoder.Query, "new"); len(got) != 1 {
		t.Error("a failed text was cached")
	}
}
