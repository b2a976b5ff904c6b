package store

import (
	"context"
	"strconv"
	"testing"

	"github.com/nsfl-go/nsfl"
	"github.com/nsfl-go/nsfl/encoder"
	"github.com/nsfl-go/nsfl/encoder/builtin"
	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/enginetest"
)

func TestList(t *testing.T) {
	enginetest.Run(t, enginetest.Maker{Mixed: true, Unsearched: true, Fill: func(_ testing.TB, docs []engine.Document) func(engine.Options) (enginetest.Store, error) {
		return func(o engine.Options) (enginetest.Store, error) { return Open(docs, o) }
	}})
}

// A search is answered from the list, and its results are proven.
func TestSearch(t *testing.T) {
	ctx := context.Background()
	e, err := builtin.New()
	if err != nil {
		t.Fatal(err)
	}
	var docs []engine.Document
	for i, text := range []string{"a dog on a leash", "a dog runs along the beach", "two dogs play with a ball", "a cat sleeps on the sofa", "a boat in the harbour"} {
		v, err := e.Encode(ctx, encoder.Document, []string{text})
		if err != nil {
			t.Fatal(err)
		}
		docs = append(docs, engine.Document{ID: strconv.Itoa(i), Text: text, Vector: v.Vectors[0]})
	}
	store, err := Open(docs, engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	c, err := nsfl.New(ctx, store, &nsfl.Config{Encoder: e})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	r, err := c.Search(ctx, "dog AND NOT leash", nsfl.Options{K: 2})
	if err != nil {
		t.Fatal(err)
	}
	if r.Hits[0].ID == "0" || r.Hits[1].ID == "0" || r.Proof == nil || r.Proof.Exact != 2 {
		t.Errorf("got hits %+v, proof %+v, want 2 proven hits without document 0", r.Hits, r.Proof)
	}
}
