package postgres

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/enginetest"
	"github.com/nsfl-go/nsfl/words"
)

// forget makes a collection one of version 2, which keeps no words and no places.
func forget(t *testing.T, dsn, address string) {
	t.Helper()
	run(t, dsn, "DROP TABLE "+schema(address)+".words")
	run(t, dsn, "ALTER TABLE "+schema(address)+".passages DROP COLUMN place")
	run(t, dsn, "ALTER TABLE "+schema(address)+".settings DROP COLUMN words")
	run(t, dsn, "UPDATE "+schema(address)+".settings SET version = 2")
}

// spelled checks that a store has the words of documents.
func spelled(t *testing.T, s *Store, docs []engine.Document) {
	t.Helper()
	ctx := context.Background()
	counted, err := (lexical{s}).Statistics(ctx)
	if err != nil || counted.Documents() != min(len(docs), 1000) {
		t.Fatalf("%v of %d documents", err, len(docs))
	}
	q := words.NewQuery([]string{"title", "a"}, counted)
	found, err := (lexical{s}).Said(ctx, q, nil, nil)
	if err != nil || len(found.Refs) != len(docs) {
		t.Fatalf("%d documents have words, %v, want %d", len(found.Refs), err, len(docs))
	}
	for i := range found.Refs {
		if found.Atoms[0][i] != 1 || found.Atoms[1][i] != 1 {
			t.Errorf("%g and %g, want all", found.Atoms[0][i], found.Atoms[1][i])
		}
	}
}

// A collection from before words were kept is read without them, and has them once it was
// opened for writing, also where that was cut off.
func TestWordless(t *testing.T) {
	ctx, dsn := context.Background(), sharedDSN(t)
	address := collection(t, dsn)
	s := opened(t, address, engine.Options{Dimension: dim, Fill: true})
	docs := enginetest.Documents(1100)
	if err := s.Upsert(ctx, docs); err != nil {
		t.Fatal(err)
	}
	spelled(t, s, docs)
	s.Close()

	refused := func() {
		t.Helper()
		s := opened(t, address, engine.Options{ReadOnly: true})
		defer s.Close()
		if _, err := (lexical{s}).Statistics(ctx); !errors.Is(err, engine.ErrNoWords) {
			t.Errorf("%v", err)
		}
		if d, err := s.Get(ctx, "id-7", engine.AllParts); err != nil || len(d.Passages) != 2 {
			t.Errorf("%+v, %v", d, err)
		}
	}
	forget(t, dsn, address)
	refused()
	s = opened(t, address, engine.Options{ReadOnly: true})
	q := words.NewQuery([]string{"title"}, words.NewStatistics())
	if _, err := (lexical{s}).SaidBy(ctx, q, []engine.Ref{{Number: 1}}); !errors.Is(err, engine.ErrNoWords) {
		t.Errorf("%v", err)
	}
	if _, err := (lexical{s}).Said(ctx, q, nil, nil); !errors.Is(err, engine.ErrNoWords) {
		t.Errorf("%v", err)
	}
	s.Close()

	s = opened(t, address, engine.Options{Fill: true})
	spelled(t, s, docs)
	s.Close()

	run(t, dsn, fmt.Sprintf("DELETE FROM %s.words WHERE ref %% 3 = 0 OR ref > 600", schema(address)))
	run(t, dsn, fmt.Sprintf("UPDATE %s.settings SET words = false", schema(address)))
	refused()
	s = opened(t, address, engine.Options{Fill: true})
	spelled(t, s, docs)
}
