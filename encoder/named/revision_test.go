package named

import (
	"testing"

	"github.com/nsfl-go/nsfl/encoder"
	"github.com/nsfl-go/nsfl/encoder/builtin"
)

// An encoder is opened as it was when it made a collection's vectors.
func TestOpenFor(t *testing.T) {
	const folder = "onnx:../onnx/testdata/e5"
	for _, c := range []struct {
		word, revision string
		made           encoder.Identity
	}{
		{"builtin", builtin.Newest(), encoder.Identity{}},
		{"builtin", "1", encoder.Identity{Name: builtin.Name, Revision: "1"}},
		{"builtin@1", "1", encoder.Identity{}},
		{folder, "int8", encoder.Identity{}},
		{folder, "int8", encoder.Identity{Name: "e5", Revision: "int8"}},
	} {
		e, err := OpenFor(t.Context(), c.word, c.made)
		if err != nil {
			t.Errorf("%s for %v: %v", c.word, c.made, err)
			continue
		}
		if got := e.Identity().Revision; got != c.revision {
			t.Errorf("%s for %v: got revision %q, want %q", c.word, c.made, got, c.revision)
		}
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	}
	if _, err := Open(t.Context(), "builtin@9"); err == nil {
		t.Error("an unknown revision was opened")
	}
	if !IsInside("builtin@1") {
		t.Error("an older revision needs a permission")
	}
}
