package nsfl_test

import (
	"compress/gzip"
	"context"
	"encoding/json"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl"
	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/index"
)

// BenchmarkLongDocuments searches 2,500 long documents, manual pages of the development data
// with random vectors, in the embedded collection.
func BenchmarkLongDocuments(b *testing.B) {
	file, err := os.Open("../shared/data/manuals/corpus.jsonl.gz")
	if err != nil {
		b.Skip("needs the development data")
	}
	defer file.Close()
	texts, err := gzip.NewReader(file)
	if err != nil {
		b.Fatal(err)
	}
	random := rand.New(rand.NewPCG(1, 1))
	vector := func() []float32 {
		v := make([]float32, 384)
		for i := range v {
			v[i] = float32(random.NormFloat64())
		}
		return v
	}
	var docs []engine.Document
	for lines := json.NewDecoder(texts); lines.More(); {
		var page struct {
			ID    string `json:"_id"`
			Title string
			Text  string
		}
		if err := lines.Decode(&page); err != nil {
			b.Fatal(err)
		}
		d := engine.Document{ID: page.ID, Title: page.Title, Text: page.Text, Vector: vector()}
		for rest := page.Text; rest != ""; {
			end := len(rest)
			if at := strings.Index(rest[min(800, end):], "\n\n"); at >= 0 {
				end = min(800, end) + at + 2
			}
			d.Passages = append(d.Passages, engine.Passage{Text: rest[:end], Vector: vector()})
			rest = rest[end:]
		}
		docs = append(docs, d)
	}
	for i := 0; len(docs) < 2500; i++ {
		d := docs[i]
		d.ID, d.Vector = d.ID+" again", vector()
		docs = append(docs, d)
	}
	ctx := context.Background()
	store, err := index.OpenOrCreate(ctx, b.TempDir(), index.Options{Dimension: 384, Encoder: nsfl.EncoderName(encoderOf(b).Identity())})
	if err != nil {
		b.Fatal(err)
	}
	c := collectionOf(b, store)
	for some := range slices.Chunk(docs, 100) {
		if err := store.Upsert(ctx, some); err != nil {
			b.Fatal(err)
		}
	}
	for _, query := range []string{"2 OF (epoll, inotify, signalfd)", "mount AND NOT nfs", "signal handler AND thread", "socket OR pipe"} {
		b.Run(query, func(b *testing.B) {
			for b.Loop() {
				if _, err := c.Search(ctx, query, nsfl.Options{K: 10}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
