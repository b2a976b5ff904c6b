package enginetest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"testing"

	"github.com/nsfl-go/nsfl/engine"
)

// Whatever would change something is refused, and changes nothing.
func testReadOnly(t *testing.T, m Maker) {
	docs := m.corpus(20)
	ctx, s := context.Background(), m.stored(t, docs)
	if s.Encoder() != "" {
		t.Errorf("the encoder is %q, which nobody can know", s.Encoder())
	}
	changed := slices.Clone(docs[:3])
	for i := range changed {
		changed[i].Text = "another text"
	}
	for name, err := range map[string]error{
		"Upsert": s.Upsert(ctx, changed),
		"Delete": func() error { _, err := s.Delete(ctx, []string{docs[0].ID}); return err }(),
		"notes":  s.SetNotes(ctx, map[string]string{"a": "b"}),
	} {
		if !errors.Is(err, engine.ErrReadOnly) {
			t.Errorf("%s: %v", name, err)
		}
	}
	checkNotes(t, s, "", nil)
	s = m.reopened(t, s)
	counts(t, s, docs)
	holds(t, s, docs...)
}

// A store is not opened for vectors of another dimension; the error names both.
func testDimension(t *testing.T, m Maker) {
	attach := m.attached.Fill(t, m.corpus(5))
	if s, err := attach(engine.Options{Dimension: dim, ReadOnly: true}); err != nil {
		t.Error(err)
	} else if err := s.Close(); err != nil {
		t.Error(err)
	}
	s, err := attach(engine.Options{Dimension: dim + 1})
	var mismatch *engine.MismatchError
	if !errors.As(err, &mismatch) || mismatch.Stored != strconv.Itoa(dim) || mismatch.Given != strconv.Itoa(dim+1) {
		t.Errorf("%v, %v", s, err)
	}
}

// Many read at the same time.
func testReadTogether(t *testing.T, m Maker) {
	docs := m.corpus(50)
	s := m.stored(t, docs)
	calls := Calls(t, s, docs)
	var all sync.WaitGroup
	for reader := range 4 {
		all.Go(func() {
			for name, call := range calls {
				if err := call(context.Background()); err != nil {
					t.Errorf("reader %d, %s: %v", reader, name, err)
				}
			}
			v := [][]float32{vectorOf(fmt.Sprint(reader))}
			c, err := s.Pool(context.Background(), v, len(docs), nil, v)
			if err != nil || len(c.Refs) != len(docs) {
				t.Errorf("reader %d: %d documents, %v", reader, len(c.Refs), err)
			}
		})
	}
	all.Wait()
}
