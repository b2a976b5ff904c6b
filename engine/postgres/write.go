package postgres

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/remote"
	"github.com/nsfl-go/nsfl/internal/predicate"
	"github.com/nsfl-go/nsfl/internal/storekit"
	"github.com/nsfl-go/nsfl/passage"
)

// Upsert stores documents and replaces those with the same ids, in one transaction. Batches
// wait for each other, also across processes. A replaced document gets a new Ref. Batches of a
// few hundred documents work well. Repeating a batch is safe, so Upsert retries after a lost
// connection, even if the batch may have been committed.
func (s *Store) Upsert(ctx context.Context, docs []engine.Document) error {
	const doing = "storing documents"
	rows, err := rowsOf(docs, s.dim)
	if err != nil {
		return s.calls.Explain(doing, err)
	}
	pieces, err := remote.Spell(ctx, docs)
	if err != nil {
		return s.calls.Explain(doing, err)
	}
	for i := range rows {
		rows[i].pieces = pieces[i]
	}
	return s.calls.Write(ctx, doing, func(ctx context.Context) error {
		if len(docs) == 0 {
			return nil
		}
		return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error { return s.store(ctx, tx, rows) })
	})
}

// store replaces documents with the ids of rows.
func (s *Store) store(ctx context.Context, tx pgx.Tx, rows []row) error {
	ids := make([]string, len(rows))
	vectors := 0
	for i := range rows {
		ids[i] = rows[i].ID
		vectors += len(rows[i].vectors)
	}
	documents, gone, err := s.remove(ctx, tx, ids)
	if err != nil {
		return err
	}
	refs, err := s.newRefs(ctx, tx, len(rows))
	if err != nil {
		return err
	}
	if err := s.insert(ctx, tx, refs, rows); err != nil {
		return err
	}
	return s.note(ctx, tx, len(rows)-documents, vectors-gone)
}

// newRefs are the next n, which ascend.
func (s *Store) newRefs(ctx context.Context, tx pgx.Tx, n int) ([]int64, error) {
	rows, err := tx.Query(ctx, s.statement(`SELECT nextval('{c}.refs') FROM generate_series(1, $1)`), n)
	if err != nil {
		return nil, err
	}
	refs, err := pgx.CollectRows(rows, pgx.RowTo[int64])
	if err == nil && len(refs) != n {
		err = errors.New("the server gave another number of refs than were asked for")
	}
	return refs, err
}

// remove takes the lock, and returns the numbers of documents and vectors removed.
func (s *Store) remove(ctx context.Context, tx pgx.Tx, ids []string) (documents, vectors int, err error) {
	const text = `WITH gone AS (DELETE FROM {c}.documents WHERE id = ANY($1) RETURNING vectors)
		SELECT count(*), coalesce(sum(vectors), 0)::bigint FROM gone`
	batch := &pgx.Batch{}
	batch.Queue(`SELECT set_config('statement_timeout', $1, true)`, milliseconds(s.calls.Options.WriteTimeout))
	batch.Queue(lock, s.lockName())
	batch.Queue(s.statement(text), ids)
	results := tx.SendBatch(ctx, batch)
	for range 2 {
		if err == nil {
			_, err = results.Exec()
		}
	}
	if err == nil {
		err = results.QueryRow().Scan(&documents, &vectors)
	}
	return documents, vectors, cmp.Or(err, results.Close())
}

// note keeps the numbers that Size reads.
func (s *Store) note(ctx context.Context, tx pgx.Tx, documents, vectors int) error {
	_, err := tx.Exec(ctx, s.statement(`UPDATE {c}.settings SET documents = documents + $1, vectors = vectors + $2`), documents, vectors)
	return err
}

// insert brings rows into the tables.
func (s *Store) insert(ctx context.Context, tx pgx.Tx, refs []int64, rows []row) error {
	var documents, passages, entries, words [][]any
	for i := range rows {
		r, ref := &rows[i], refs[i]
		var metadata any // NULL
		if len(r.Metadata) > 0 {
			metadata = string(r.Metadata)
		}
		documents = append(documents, []any{ref, r.ID, r.Title, r.Text, metadata, int32(len(r.vectors)), vector(r.vectors[0])})
		for j, p := range r.Passages {
			var v vector
			if len(r.vectors) > 1 {
				v = r.vectors[1+j]
			}
			place, err := placeOf(p)
			if err != nil {
				return err
			}
			passages = append(passages, []any{ref, int32(j), p.Text, v, place})
		}
		for _, v := range r.entries {
			var number any // NULL if it is none
			if v.IsNumber {
				number = v.Number
			}
			entries = append(entries, []any{ref, v.Field, number, v.Text})
		}
		words = append(words, []any{ref, remote.PackPieces(r.pieces), distinct(r.pieces)})
	}
	for _, t := range []struct {
		name    string
		columns []string
		rows    [][]any
	}{
		{"documents", []string{"ref", "id", "title", "text", "metadata", "vectors", "vector"}, documents},
		{"passages", []string{"ref", "at", "text", "vector", "place"}, passages},
		{"entries", []string{"ref", "field", "number", "text"}, entries},
		{"words", []string{"ref", "pieces", "has"}, words},
	} {
		if _, err := tx.CopyFrom(ctx, pgx.Identifier{s.collection, t.name}, t.columns, pgx.CopyFromRows(t.rows)); err != nil {
			return err
		}
	}
	return nil
}

// placeOf is the place of a passage as it is stored; NULL: nothing is known of it.
func placeOf(p engine.Passage) (any, error) {
	if p.Place == (passage.Place{}) {
		return nil, nil
	}
	place, err := json.Marshal(p.Place)
	return string(place), err
}

// Delete removes the documents with the given ids in one transaction and returns the number of
// documents removed. It does not retry if the connection is lost at the very end, because the
// number would then be unknown.
func (s *Store) Delete(ctx context.Context, ids []string) (int, error) {
	known := slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return !storable(id) })
	deleted := 0
	err := s.calls.Write(ctx, "deleting documents", func(ctx context.Context) error {
		if len(known) == 0 {
			return nil
		}
		committing := false
		err := pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
			documents, vectors, err := s.remove(ctx, tx, known)
			if err == nil {
				err = s.note(ctx, tx, -documents, -vectors)
			}
			deleted, committing = documents, err == nil
			return err
		})
		if err != nil && committing {
			err = undecided{err}
		}
		return err
	})
	if err != nil {
		return 0, err
	}
	return deleted, nil
}

// undecided is the error of a commit that may have succeeded.
type undecided struct{ error }

func (e undecided) Error() string {
	return e.error.Error() + "; they may be gone all the same, and to delete them again does no harm"
}

func (e undecided) Unwrap() error { return e.error }

type row struct {
	*engine.Document
	vectors [][]float32 // of the whole, then of passages if they are kept
	entries []predicate.Value
	pieces  []uint16 // of its words
}

func rowsOf(docs []engine.Document, dim int) ([]row, error) {
	rows := make([]row, len(docs))
	return rows, storekit.Check(docs, dim, func(i int) (problem string) {
		r := &rows[i]
		r.Document = &docs[i]
		if name := unstorable(r.Document); name != "" {
			return name + " has a zero byte, which PostgreSQL cannot store"
		}
		var err error
		if r.entries, err = valuesOf(r.Metadata); err != nil {
			return err.Error()
		}
		r.vectors, problem = remote.Units(r.Document, dim)
		return problem
	})
}

// unstorable names what of a document the database cannot hold, if anything.
func unstorable(d *engine.Document) string {
	switch {
	case !storable(d.ID):
		return "the id"
	case !storable(d.Title):
		return "the title"
	case !storable(d.Text):
		return "the text"
	case !storable(string(d.Metadata)):
		return "the metadata"
	}
	for i, p := range d.Passages {
		if !storable(p.Text) {
			return fmt.Sprintf("passage %d", i)
		}
	}
	return ""
}

// valuesOf reads metadata, and refuses what PostgreSQL cannot store.
func valuesOf(metadata []byte) ([]predicate.Value, error) {
	values, err := predicate.Values(metadata)
	for _, v := range values {
		if !storable(v.Field) || !storable(v.Text) {
			return nil, fmt.Errorf("the field %q has a zero byte, which PostgreSQL cannot store", v.Field)
		}
	}
	return values, err
}

func (s *Store) SetNotes(ctx context.Context, notes map[string]string) error {
	const doing = "keeping notes"
	if err := storekit.CheckNotes(notes); err != nil {
		return s.calls.Explain(doing, err)
	}
	var gone, names, values [][]byte
	for _, name := range slices.Sorted(maps.Keys(notes)) { // an order in which nobody waits for each other
		if notes[name] == "" {
			gone = append(gone, []byte(name))
		} else {
			names, values = append(names, []byte(name)), append(values, []byte(notes[name]))
		}
	}
	return s.calls.Write(ctx, doing, func(ctx context.Context) error {
		return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
			batch := &pgx.Batch{}
			batch.Queue(`SELECT set_config('statement_timeout', $1, true)`, milliseconds(s.calls.Options.WriteTimeout))
			batch.Queue(s.statement(`DELETE FROM {c}.notes WHERE sha256(name) IN (SELECT sha256(n) FROM unnest($1::bytea[]) n)`), gone)
			batch.Queue(s.statement(`INSERT INTO {c}.notes SELECT * FROM unnest($1::bytea[], $2::bytea[])
				ON CONFLICT (sha256(name)) DO UPDATE SET value = excluded.value`), names, values)
			return tx.SendBatch(ctx, batch).Close()
		})
	})
}

func (s *Store) Notes(ctx context.Context, prefix string) (map[string]string, error) {
	var notes map[string]string
	err := s.calls.Read(ctx, "reading notes", func(ctx context.Context) error {
		const text = `SELECT name, value FROM {c}.notes WHERE substring(name FROM 1 FOR length($1::bytea)) = $1::bytea`
		notes = map[string]string{}
		var name, value []byte
		return s.each(ctx, s.statement(text), []any{[]byte(prefix)}, nil, []any{&name, &value}, func() error {
			notes[string(name)] = string(value)
			return nil
		})
	})
	return notes, err
}
