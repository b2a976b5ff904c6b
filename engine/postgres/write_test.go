package postgres

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/enginetest"
)

// However batches are cut and get into each other's way, the numbers that are kept
// are those of the tables.
func TestCounted(t *testing.T) {
	ctx, dsn := context.Background(), sharedDSN(t)
	s := opened(t, collection(t, dsn), engine.Options{Dimension: dim})
	docs := enginetest.Documents(30)
	var all sync.WaitGroup
	for w := range 4 {
		all.Go(func() {
			ctx, cancel := context.WithTimeout(ctx, time.Duration(10+20*w)*time.Millisecond)
			defer cancel()
			for ctx.Err() == nil {
				_ = s.Upsert(ctx, docs[w:]) // it may be cut off
				_, _ = s.Delete(ctx, []string{fmt.Sprint("id-", w), "id-20"})
			}
		})
	}
	all.Wait()
	const text = `SELECT (SELECT count(*) FROM {c}.documents) = documents AND vectors = documents +
		(SELECT count(*) FROM {c}.passages WHERE vector IS NOT NULL) FROM {c}.settings`
	var right bool
	if err := s.pool.QueryRow(ctx, s.statement(text)).Scan(&right); err != nil || !right {
		t.Errorf("the numbers of documents and vectors are right: %t, %v", right, err)
	}
}

// A zero byte is the one thing that the database cannot hold.
func TestZeroBytes(t *testing.T) {
	ctx, dsn := context.Background(), sharedDSN(t)
	s := opened(t, collection(t, dsn), engine.Options{Dimension: dim})
	for name, change := range map[string]func(*engine.Document){
		"id":       func(d *engine.Document) { d.ID = "a\x00" },
		"title":    func(d *engine.Document) { d.Title = "a\x00" },
		"text":     func(d *engine.Document) { d.Text = "\x00" },
		"passage":  func(d *engine.Document) { d.Passages[1].Text = "\x00" },
		"metadata": func(d *engine.Document) { d.Metadata = []byte(`{"a": "b\u0000"}`) },
		"field":    func(d *engine.Document) { d.Metadata = []byte(`{"a\u0000": [1]}`) },
	} {
		docs := enginetest.Documents(1)
		change(&docs[0])
		if err := s.Upsert(ctx, docs); err == nil || !strings.Contains(err.Error(), "zero byte") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Vectors that something else has changed are not taken for similarities.
func TestForeignVectors(t *testing.T) {
	ctx, dsn := context.Background(), sharedDSN(t)
	address := collection(t, dsn)
	s := opened(t, address, engine.Options{Dimension: dim})
	if err := s.Upsert(ctx, enginetest.Documents(3)); err != nil {
		t.Fatal(err)
	}
	run(t, dsn, "UPDATE "+schema(address)+".documents SET vector = '["+strings.Repeat("9,", dim-1)+"9]' WHERE id = 'id-1'")
	v := [][]float32{enginetest.Leaning(0.5, 1, dim)}
	if _, err := s.Pool(ctx, v, 3, nil, v); err == nil || !strings.Contains(err.Error(), "length 1") {
		t.Errorf("got error %v, want one about vectors of length 1", err)
	}
}
