package retrieve

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/nsfl-go/nsfl/engine"
)

// TestNear checks that only a bounded part of a long document is matched lexically: the
// passages most similar to the wanted atoms.
func TestNear(t *testing.T) {
	s := &snippets{atoms: []wantedAtom{{vector: []float32{1, 0}}}}
	d := &engine.Document{ID: "long"}
	for i := range 5000 {
		d.Passages = append(d.Passages, engine.Passage{Text: fmt.Sprint(i, strings.Repeat(" word", 200)), Vector: []float32{float32(i) / 5000, 0}})
	}
	near := s.near(d)
	size := 0
	for text := range near {
		size += len(text)
	}
	if size < maxRead || size > maxRead+2000 || !near[d.Passages[4999].Text] || near[d.Passages[0].Text] {
		t.Errorf("%d bytes in %d passages, want about %d, the last passage and not the first", size, len(near), maxRead)
	}
	d.Passages = d.Passages[:10]
	if near := s.near(d); near != nil {
		t.Errorf("of a short document: %d passages, want all", len(near))
	}
}

// TestBounded checks that a long text, or a single long passage, is shortened.
func TestBounded(t *testing.T) {
	got := bounded([]string{"title", strings.Repeat("é", maxRead), "more"})
	if size := len(strings.Join(got, "")); got[0] != "title" || size > maxRead || size < maxRead-len("more") || !utf8.ValidString(got[1]) {
		t.Errorf("%d segments of %d bytes in all, want at most %d of valid text", len(got), size, maxRead)
	}
}
