package index

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/query"
)

// axes are the unit vectors.
func axes() [][]float32 {
	vs := make([][]float32, testDim)
	for i := range vs {
		vs[i] = make([]float32, testDim)
		vs[i][i] = 1
	}
	return vs
}

// rewritten returns all documents after the n-th batch of a writer that keeps replacing
// everything.
func rewritten(n int) []engine.Document {
	docs := make([]engine.Document, 40)
	for i := range docs {
		v := make([]float32, testDim)
		v[n%testDim] = 1
		docs[i] = engine.Document{ID: fmt.Sprint("doc-", i), Text: fmt.Sprint(n), Vector: v, Metadata: []byte(fmt.Sprintf(`{"batch":%d}`, n))}
	}
	return docs
}

// expectOneBatch reads a collection filled by rewritten in several ways, and returns the
// batch seen last.
func expectOneBatch(t *testing.T, c *Collection) string {
	ctx := context.Background()
	columns, err := c.Scan(ctx, axes(), nil)
	if err != nil {
		t.Error(err)
		return ""
	}
	n := 0
	for j := range testDim {
		for _, x := range columns.Similarities[j] {
			if x == 1 && columns.Similarities[j][0] == 1 {
				n++
			}
		}
	}
	if n != 40 || len(columns.Refs) != 40 {
		t.Errorf("a scan sees %d of %d documents of one batch, want 40", n, len(columns.Refs))
	}
	err = c.withSnapshot(ctx, "looking at words", func(s *snapshot) error {
		for slot, first := 0, []uint16(nil); slot < s.slots; slot++ {
			if s.dead.has(slot) {
				continue
			}
			pieces := s.pieces(slot)
			if first == nil {
				first = pieces
			}
			if len(pieces) == 0 || !slices.Equal(pieces, first) {
				t.Errorf("documents with words %v and %v together", pieces, first)
			}
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	docs, _, err := c.List(ctx, engine.Page{Limit: 100, Parts: engine.AllParts})
	if err != nil || len(docs) != 40 {
		t.Errorf("%d documents listed, %v", len(docs), err)
		return ""
	}
	for _, d := range docs {
		if d.Text != docs[0].Text {
			t.Errorf("documents of batches %s and %s together", d.Text, docs[0].Text)
		}
	}
	hits, err := c.TopK(ctx, axes()[:1], 40, &query.Predicate{Field: "batch", Op: query.GreaterEqual, Value: docs[0].Text})
	if err != nil || len(hits[0]) != 40 {
		t.Errorf("%d documents of batch %s or later, %v", len(hits[0]), docs[0].Text, err)
	}
	// The document may have been replaced, but it exists.
	if _, err := c.Get(ctx, docs[3].ID, engine.AllParts); err != nil {
		t.Error(err)
	}
	return docs[0].Text
}

// TestConcurrent reads through the writing handle and another one while batches are
// committed, files compacted and backups made.
func TestConcurrent(t *testing.T) {
	ctx := t.Context()
	c := create(t, Options{})
	must(t, c.Upsert(ctx, rewritten(0)))
	other, err := Open(ctx, c.dir, Options{ReadOnly: true})
	must(t, err)
	batches := 120
	if testing.Short() {
		batches = 40
	}
	stop := make(chan struct{})
	var readers, writers sync.WaitGroup
	for _, handle := range []*Collection{c, c, other, other} {
		readers.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
					expectOneBatch(t, handle)
				}
			}
		})
	}
	writers.Go(func() {
		for n := range batches {
			if err := c.Upsert(ctx, rewritten(n)); err != nil {
				t.Error(err)
			}
		}
	})
	writers.Go(func() {
		for range batches / 10 {
			if err := c.Compact(ctx); err != nil {
				t.Error(err)
			}
		}
	})
	writers.Go(func() {
		for i := range 4 {
			dir := filepath.Join(t.TempDir(), fmt.Sprint("copy", i))
			if err := c.Backup(ctx, dir); err != nil {
				t.Error(err)
				return
			}
			expectSound(t, dir)
			expectSound(t, c.dir)
			copied, err := Open(ctx, dir, Options{ReadOnly: true})
			if err != nil {
				t.Error(err)
				return
			}
			expectOneBatch(t, copied)
			if err := copied.Close(); err != nil {
				t.Error(err)
			}
		}
	})
	writers.Wait()
	close(stop)
	readers.Wait()
	must(t, other.Close())
	expectSound(t, c.dir)
}

// TestCloseWaits checks that calls in progress succeed and later calls fail.
func TestCloseWaits(t *testing.T) {
	c := create(t, Options{})
	docs := randomDocuments(source(t, 11), 2000, testDim)
	must(t, c.Upsert(t.Context(), docs))
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for {
				if _, err := c.Scan(context.Background(), [][]float32{docs[0].Vector}, nil); err != nil {
					return
				}
			}
		})
	}
	must(t, c.Close())
	wg.Wait()
}
