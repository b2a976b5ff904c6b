package postgres

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/nsfl-go/nsfl/engine"
)

// Upsert stores documents, in place of those that have their ids, in one
// transaction. Batches wait for each other, those of other processes too. A
// document that is replaced gets a new Ref. Batches of some hundred documents are
// good. To do it twice does no harm, so that a batch whose
// connection is lost is tried again, even where it may have been committed.
func (s *Store) Upsert(ctx context.Context, docs []engine.Document) error {
	const doing = "storing documents"
	rows, err := rowsOf(docs, s.dim)
	switch {
	case err != nil:
		return s.explain(doing, err)
	case s.options.ReadOnly:
		return s.explain(doing, engine.ErrReadOnly)
	case len(docs) == 0:
		return nil
	}
	return s.attempt(ctx, doing, s.options.WriteTimeout, again, func(ctx context.Context) error {
		return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error { return s.store(ctx, tx, rows) })
	})
}

// store removes what has the ids of rows and copies rows in.
func (s *Store) store(ctx context.Context, tx pgx.Tx, rows []row) error {
	ids := make([]string, len(rows))
	vectors, passages, entries := 0, 0, 0
	for i := range rows {
		ids[i] = rows[i].ID
		vectors += rows[i].vectors()
		passages += len(rows[i].Passages)
		entries += len(rows[i].entries)
	}
	documents, gone, err := s.remove(ctx, tx, ids)
	if err != nil {
		return err
	}
	refs, err := s.newRefs(ctx, tx, len(rows))
	if err != nil {
		return err
	}
	c := copier{s, tx, refs, rows}
	if err := c.documents(ctx); err != nil {
		return err
	}
	if err := c.passages(ctx, passages); err != nil {
		return err
	}
	if err := c.entries(ctx, entries); err != nil {
		return err
	}
	return s.count(ctx, tx, len(rows)-documents, vectors-gone)
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

// remove takes the lock, and tells how many documents and how many vectors are
// gone.
func (s *Store) remove(ctx context.Context, tx pgx.Tx, ids []string) (documents, vectors int, err error) {
	const text = `WITH gone AS (DELETE FROM {c}.documents WHERE id = ANY($1) RETURNING vectors)
		SELECT count(*), coalesce(sum(vectors), 0)::bigint FROM gone`
	batch := &pgx.Batch{}
	batch.Queue(`SELECT set_config('statement_timeout', $1, true)`, milliseconds(s.options.WriteTimeout))
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

// count keeps the numbers that Size reads.
func (s *Store) count(ctx context.Context, tx pgx.Tx, documents, vectors int) error {
	const text = `UPDATE {c}.settings SET documents = documents + $1, vectors = vectors + $2 RETURNING documents`
	var n int64
	err := tx.QueryRow(ctx, s.statement(text), documents, vectors).Scan(&n)
	if err == nil {
		s.documents.Store(n)
	}
	return err
}

// copier brings rows into the tables.
type copier struct {
	*Store
	tx   pgx.Tx
	refs []int64
	rows []row
}

func (c *copier) copy(ctx context.Context, table string, columns []string, source pgx.CopyFromSource) error {
	_, err := c.tx.CopyFrom(ctx, pgx.Identifier{c.options.Collection, table}, columns, source)
	return err
}

func (c *copier) documents(ctx context.Context) error {
	columns := []string{"ref", "id", "title", "text", "metadata", "vectors", "vector"}
	return c.copy(ctx, "documents", columns, pgx.CopyFromSlice(len(c.rows), func(i int) ([]any, error) {
		r := &c.rows[i]
		var metadata any // NULL
		if len(r.Metadata) > 0 {
			metadata = string(r.Metadata)
		}
		return []any{c.refs[i], r.ID, r.Title, r.Text, metadata, int32(r.vectors()), r.vector}, nil
	}))
}

func (c *copier) passages(ctx context.Context, n int) error {
	if n == 0 {
		return nil
	}
	values := make([][]any, 0, n)
	for i := range c.rows {
		r := &c.rows[i]
		for j, p := range r.Passages {
			var v vector
			if r.passages != nil {
				v = r.passages[j]
			}
			values = append(values, []any{c.refs[i], int32(j), p.Text, v})
		}
	}
	return c.copy(ctx, "passages", []string{"ref", "at", "text", "vector"}, pgx.CopyFromRows(values))
}

func (c *copier) entries(ctx context.Context, n int) error {
	if n == 0 {
		return nil
	}
	values := make([][]any, 0, n)
	for i := range c.rows {
		for _, v := range c.rows[i].entries {
			var number any // NULL where it is none
			if v.IsNumber {
				number = v.Number
			}
			values = append(values, []any{c.refs[i], v.Field, number, v.Text})
		}
	}
	return c.copy(ctx, "entries", []string{"ref", "field", "number", "text"}, pgx.CopyFromRows(values))
}

// Delete removes the documents that have the given ids, all at once, and tells
// how many there were. Where the connection is lost at the very end it is not
// tried again: nobody could tell then how many there had been.
func (s *Store) Delete(ctx context.Context, ids []string) (int, error) {
	const doing = "deleting documents"
	if s.options.ReadOnly {
		return 0, s.explain(doing, engine.ErrReadOnly)
	}
	var known []string // that the database can have stored
	for _, id := range ids {
		if storable(id) {
			known = append(known, id)
		}
	}
	if len(known) == 0 {
		return 0, nil
	}
	deleted, committing := 0, false
	retriable := func(err error) bool { return !committing && again(err) }
	err := s.attempt(ctx, doing, s.options.WriteTimeout, retriable, func(ctx context.Context) error {
		return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
			documents, vectors, err := s.remove(ctx, tx, known)
			if err == nil {
				err = s.count(ctx, tx, -documents, -vectors)
			}
			deleted, committing = documents, err == nil
			return err
		})
	})
	switch {
	case err != nil && committing:
		return 0, fmt.Errorf("%w; they may be gone all the same, and to delete them again does no harm", err)
	case err != nil:
		return 0, err
	}
	return deleted, nil
}
