package workspace

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl"
	"github.com/nsfl-go/nsfl/encoder"
	"github.com/nsfl-go/nsfl/encoder/named"
	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/index"
)

// TestAgree: an encoder agrees with its own vectors, whichever part of a document they
// were made from, and with no others.
func TestAgree(t *testing.T) {
	ctx := context.Background()
	e, err := named.Open(ctx, "builtin")
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	titles := []string{"Roses", "Bees", "Lamps", "Soup"}
	texts := []string{"Prune them in March.", "They come to the lavender first.", "Of brass, with a green shade.", "With basil and bread."}
	for _, c := range []struct {
		from, shown string // what the vectors are made from, and the expected description
		titled      bool
		of          func(i int) string
		agrees      bool
	}{
		{"text", "(text)", true, func(i int) string { return texts[i] }, true},
		{"title", "(title)", true, func(i int) string { return titles[i] }, true},
		{"title and text", "(title and text)", true, func(i int) string { return titles[i] + " " + texts[i] }, true},
		{"text", "(text)", false, func(i int) string { return texts[i] }, true},
		{"another", "about 1 is expected", true, func(i int) string { return texts[(i+1)%4] }, false},
		{"nothing", "the store has no texts", false, nil, false},
	} {
		store, err := index.OpenOrCreate(ctx, t.TempDir(), index.Options{Dimension: 384})
		if err != nil {
			t.Fatal(err)
		}
		var docs []engine.Document
		for i := range texts {
			d := engine.Document{ID: fmt.Sprint(i), Vector: make([]float32, 384)}
			d.Vector[i] = 1
			if c.of != nil {
				encoded, err := e.Encode(ctx, encoder.Document, []string{c.of(i)})
				if err != nil {
					t.Fatal(err)
				}
				d.Text, d.Vector = texts[i], encoded.Vectors[0]
			}
			if c.titled {
				d.Title = titles[i]
			}
			docs = append(docs, d)
		}
		if err := store.Upsert(ctx, docs); err != nil {
			t.Fatal(err)
		}
		collection, err := nsfl.New(ctx, store, &nsfl.Config{Encoder: e})
		if err != nil {
			t.Fatal(err)
		}
		a, err := Agree(ctx, collection)
		if err != nil {
			t.Fatal(err)
		}
		if said := a.String() + a.Doubt(); (a.Doubt() == "") != c.agrees || !strings.Contains(said, c.shown) || c.agrees && (a.Mean < 0.999 || a.From != c.from) {
			t.Errorf("%s: got %+v (%s), want agreement %t and %q", c.from, a, said, c.agrees, c.shown)
		}
		if err := collection.Close(); err != nil {
			t.Error(err)
		}
	}
}
