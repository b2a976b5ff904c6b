package named

import (
	"testing"

	"github.com/nsfl-go/nsfl/encoder"
	"github.com/nsfl-go/nsfl/encoder/builtin"
	"github.com/nsfl-go/nsfl/encoder/onnx/ort"
)

// An encoder is opened as it was when it made a collection's vectors.
func TestOpenFor(t *testing.T) {
	const folder = "onnx:../onnx/testdata/e5"
	for _, c := range []struct {
		word, revision string
		made           encoder.Identity
		runtime        bool
	}{
		{"builtin", builtin.Newest(), encoder.Identity{}, false},
		{"builtin", "1", encoder.Identity{Name: builtin.Name, Revision: "1"}, false},
		{"builtin@1", "1", encoder.Identity{}, false},
		{folder, "int8", encoder.Identity{}, false},
		{folder, "int8", encoder.Identity{Name: "e5", Revision: "int8"}, false},
		{folder, "", encoder.Identity{Name: "e5"}, true},
		{folder + "?precision=full", "", encoder.Identity{}, true},
	} {
		if _, err := ort.Find(); c.runtime && err != nil {
			continue // ONNX Runtime is missing
		}
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
