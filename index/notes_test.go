package index

import (
	"context"
	"errors"
	"maps"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/internal/storekit"
)

func TestNotes(t *testing.T) {
	ctx, dir := context.Background(), t.TempDir()
	c, err := Create(ctx, dir, Options{Dimension: 2})
	if err != nil {
		t.Fatal(err)
	}
	for _, notes := range []map[string]string{
		{"file:a": "1", "file:b": "2", "other": "x", "file_c": "3"},
		{"file:a": "4", "file:b": ""},
	} {
		if err := c.SetNotes(ctx, notes); err != nil {
			t.Fatal(err)
		}
	}
	for _, bad := range []map[string]string{{"": "x"}, {"a": "\xff"}, {"a": strings.Repeat("x", storekit.MaxNoteBytes)}} {
		var input *engine.InputError
		if err := c.SetNotes(ctx, bad); !errors.As(err, &input) {
			t.Errorf("SetNotes accepted invalid notes: %v", err)
		}
	}
	c.Close()
	if c, err = Open(ctx, dir, Options{ReadOnly: true}); err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	got, err := c.Notes(ctx, "file:")
	if want := (map[string]string{"file:a": "4"}); err != nil || !maps.Equal(got, want) {
		t.Errorf("notes %v, %v, want %v", got, err, want)
	}
	if err := c.SetNotes(ctx, map[string]string{"a": "b"}); !errors.Is(err, engine.ErrReadOnly) {
		t.Errorf("SetNotes on a collection open for reading: %v", err)
	}
}

func TestDocuments(t *testing.T) {
	ctx := context.Background()
	c, err := Create(ctx, t.TempDir(), Options{Dimension: 2})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	docs := []engine.Document{
		{ID: "a", Title: "A", Vector: []float32{1, 0}, Metadata: []byte(`{"n":1}`)},
		{ID: "b", Vector: []float32{0, 1}, Passages: []engine.Passage{{Text: "x", Vector: []float32{1, 0}}, {Text: "y", Vector: []float32{0, 1}}}},
		{ID: "c", Vector: []float32{1, 1}},
	}
	if err := c.Upsert(ctx, docs); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Delete(ctx, []string{"a"}); err != nil {
		t.Fatal(err)
	}
	got, err := c.Documents(ctx, []engine.Ref{refOf(3), refOf(1), refOf(2), refOf(9)}, engine.AllParts)
	if err != nil {
		t.Fatal(err)
	}
	if got[0].ID != "c" || got[1].ID != "" || got[2].ID != "b" || got[3].ID != "" {
		t.Errorf("ids %q, %q, %q, %q", got[0].ID, got[1].ID, got[2].ID, got[3].ID)
	}
	if p := got[2].Passages; len(p) != 2 || p[1].Text != "y" || p[0].Vector[0] != 1 || got[2].Vector[1] != 1 {
		t.Errorf("document b is %+v", got[2])
	}
}
