package postgres

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/nsfl-go/nsfl/engine"
)

// Batches that want the same ids at the same time come one after the other.
func TestConcurrentWriters(t *testing.T) {
	ctx, dsn := context.Background(), sharedDSN(t)
	s := opened(t, dsn, Options{Collection: collection(t, dsn), Dimension: dim})
	docs := documents(30)
	var all sync.WaitGroup
	for w := range 4 {
		all.Go(func() {
			mine := append([]engine.Document(nil), docs...)
			for i := range mine {
				j := (i * (7 + 2*w)) % len(mine) // another order for each
				mine[i], mine[j] = mine[j], mine[i]
			}
			for range 5 {
				if err := s.Upsert(ctx, mine); err != nil {
					t.Error(err)
				}
				if _, err := s.Delete(ctx, []string{fmt.Sprint("id-", w)}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	if err := s.Upsert(ctx, docs); err != nil {
		t.Fatal(err)
	}
	if size, err := s.Size(ctx); err != nil || size.Documents != 30 || size.Vectors != 90 {
		t.Errorf("%+v, %v", size, err)
	}
	counted(t, s)
}

// A zero byte is the one thing that the database cannot hold.
func TestZeroBytes(t *testing.T) {
	ctx, dsn := context.Background(), sharedDSN(t)
	s := opened(t, dsn, Options{Collection: collection(t, dsn), Dimension: dim})
	for name, change := range map[string]func(*engine.Document){
		"id":       func(d *engine.Document) { d.ID = "a\x00" },
		"title":    func(d *engine.Document) { d.Title = "a\x00" },
		"text":     func(d *engine.Document) { d.Text = "\x00" },
		"passage":  func(d *engine.Document) { d.Passages[1].Text = "\x00" },
		"metadata": func(d *engine.Document) { d.Metadata = []byte(`{"a": "b\u0000"}`) },
		"field":    func(d *engine.Document) { d.Metadata = []byte(`{"a\u0000": [1]}`) },
	} {
		docs := documents(1)
		change(&docs[0])
		if err := s.Upsert(ctx, docs); err == nil || !strings.Contains(err.Error(), "zero byte") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Vectors that something else has changed are not taken for similarities.
func TestForeignVectors(t *testing.T) {
	ctx, dsn := context.Background(), sharedDSN(t)
	name := collection(t, dsn)
	s := opened(t, dsn, Options{Collection: name, Dimension: dim})
	if err := s.Upsert(ctx, documents(3)); err != nil {
		t.Fatal(err)
	}
	run(t, dsn, "UPDATE "+name+".documents SET vector = '[9,9,9,9,9,9,9,9]' WHERE id = 'id-1'")
	v := [][]float32{leaning(0.5, 1, dim)}
	if _, err := s.Pool(ctx, v, 3, nil, v); err == nil || !strings.Contains(err.Error(), "length 1") {
		t.Errorf("%v", err)
	}
}
