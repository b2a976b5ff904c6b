package index

import (
	"context"
	"errors"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/nsfl-go/nsfl/engine"
)

// flippedVector returns a collection with one damaged vector.
func flippedVector(t *testing.T, seed uint64) (dir, id string, want map[string]engine.Document) {
	t.Helper()
	dir, want = soundCopy(t, source(t, seed))
	c, err := Open(t.Context(), dir, Options{ReadOnly: true})
	must(t, err)
	slot := c.current.slots - 1
	id = c.current.id(slot)
	at := c.current.spans(c.shape, slot)[fileVectors].offset + 3
	must(t, c.Close())
	flip(t, filepath.Join(dir, c.fileName(fileVectors, c.current.epoch)), at, 1)
	return dir, id, want
}

// TestScrub expects the findings of Verify at a limited rate.
func TestScrub(t *testing.T) {
	dir, _, _ := flippedVector(t, 50)
	want, err := Verify(t.Context(), dir)
	must(t, err)
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		got, err := Scrub(t.Context(), dir, want.Bytes/100)
		must(t, err)
		if len(want.Damage) != 1 || len(got.Damage) != 1 || got.Damage[0].String() != want.Damage[0].String() {
			t.Errorf("damage %v, want %v", got.Damage, want.Damage)
		}
		if took := time.Since(began); took < 90*time.Second || took > 110*time.Second {
			t.Errorf("a hundredth a second took %v", took)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		if _, err := Scrub(ctx, dir, 1); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("cancelled: %v", err)
		}
	})
}

// TestVectorsOnRead: reading all parts of a document reports damaged vectors.
func TestVectorsOnRead(t *testing.T) {
	dir, id, want := flippedVector(t, 51)
	c, err := Open(t.Context(), dir, Options{ReadOnly: true})
	must(t, err)
	for other := range want {
		var damage *DamageError
		_, err := c.Get(t.Context(), other, engine.AllParts)
		if other != id {
			must(t, err)
		} else if !errors.As(err, &damage) || damage.File != c.fileName(fileVectors, c.current.epoch) {
			t.Errorf("reading a damaged document: %v", err)
		}
	}
	must(t, c.Close())
}
