package transfer_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/internal/stores"
	"github.com/nsfl-go/nsfl/internal/testserver/postgrestest"
	"github.com/nsfl-go/nsfl/internal/transfer"
)

// From a directory through an engine and back to a directory, nothing changes.
func TestEngines(t *testing.T) {
	if testing.Short() {
		t.Skip("starts servers")
	}
	ctx := context.Background()
	const dim = 96
	random := rand.New(rand.NewPCG(3, 4))
	vector := func() []float32 {
		v := make([]float32, dim)
		for i := range v {
			v[i] = float32(random.NormFloat64())
		}
		return v
	}
	docs := make([]engine.Document, 300)
	for i := range docs {
		docs[i] = engine.Document{
			ID: fmt.Sprintf("größe/%d 😀", i), Title: "a \"title\"", Text: fmt.Sprint("line\nanother\t", i), Vector: vector(),
			Metadata: fmt.Appendf(nil, `{"n": %d, "x": 1.50, "big": 12345678901234567890, "list": [1, null, {"b": "\u00e9"}], "null": null}`, i),
		}
		switch i % 4 {
		case 0:
			docs[i].Passages = []engine.Passage{{Text: "one", Vector: vector()}, {Text: "", Vector: vector()}}
		case 1:
			docs[i].Passages, docs[i].Metadata = []engine.Passage{{Text: "only"}}, nil
		case 2:
			docs[i].Title, docs[i].Text, docs[i].Metadata = "", "", []byte(`{}`)
		}
	}
	places := []string{t.TempDir(), postgrestest.New(t).DSN() + "&collection=copied", t.TempDir()}
	o := engine.Options{Dimension: dim, Encoder: "e"}
	var from engine.Collection
	var want transfer.Sum
	for i, place := range places {
		to, err := stores.Open(ctx, place, o)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { to.Close() })
		if i == 0 {
			if err := to.Upsert(ctx, docs); err != nil {
				t.Fatal(err)
			}
			if want, err = transfer.Checksum(ctx, to, func() {}); err != nil {
				t.Fatal(err)
			}
		} else {
			if err := transfer.Copy(ctx, from, to, stores.Canonical(places[i-1]), func(int) {}); err != nil {
				t.Fatal(err)
			}
			if got, err := transfer.Compare(ctx, from, to, func() {}); err != nil || got != want {
				t.Errorf("to %s: %v, %v, want %v", stores.Shown(place), got, err, want)
			}
		}
		from = to
	}
}
