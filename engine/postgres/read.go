package postgres

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/nsfl-go/nsfl/engine"
)

// Size goes by numbers that every batch keeps, so that it costs one row.
func (s *Store) Size(ctx context.Context) (engine.Size, error) {
	size := engine.Size{Dimension: s.dim}
	err := s.attempt(ctx, "counting documents", s.options.Timeout, again, func(ctx context.Context) error {
		return s.pool.QueryRow(ctx, s.statement(`SELECT documents, vectors FROM {c}.settings`)).Scan(&size.Documents, &size.Vectors)
	})
	if err == nil {
		s.documents.Store(int64(size.Documents))
	}
	return size, err
}

// whole reads documents, each followed by its passages. It is one statement, so
// that both are of one state.
const whole = `
	WITH wanted AS (SELECT ref FROM {c}.documents WHERE %s)
	SELECT ref, -1 AS at, id, title, text, metadata::text, vector FROM {c}.documents JOIN wanted USING (ref)
	UNION ALL
	SELECT ref, at, '', '', text, NULL, vector FROM {c}.passages JOIN wanted USING (ref)
	ORDER BY 1, 2`

// read reads the documents that a condition selects.
func (s *Store) read(ctx context.Context, condition string, arguments ...any) (map[engine.Ref]engine.Document, error) {
	rows, err := s.query(ctx, fmt.Sprintf(whole, condition), arguments, nil)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	docs := map[engine.Ref]engine.Document{}
	for rows.Next() {
		var ref int64
		var at int
		var d engine.Document
		var metadata *string
		var v vector
		if err := rows.Scan(&ref, &at, &d.ID, &d.Title, &d.Text, &metadata, &v); err != nil {
			return nil, err
		}
		if v != nil && len(v) != s.dim {
			return nil, fmt.Errorf("a stored vector has dimension %d, the collection has %d", len(v), s.dim)
		}
		if at < 0 {
			if metadata != nil {
				d.Metadata = json.RawMessage(*metadata)
			}
			d.Vector = v
		} else {
			passage := engine.Passage{Text: d.Text, Vector: v}
			d = docs[engine.Ref(ref)]
			d.Passages = append(d.Passages, passage)
		}
		docs[engine.Ref(ref)] = d
	}
	return docs, rows.Err()
}

// Documents reads documents. Those of refs that were deleted or replaced since
// are empty.
func (s *Store) Documents(ctx context.Context, refs []engine.Ref) ([]engine.Document, error) {
	keys := make([]int64, len(refs))
	for i, r := range refs {
		keys[i] = int64(r)
	}
	docs := make([]engine.Document, len(refs))
	err := s.attempt(ctx, "reading documents", s.options.Timeout, again, func(ctx context.Context) error {
		found, err := s.read(ctx, "ref = ANY($1)", keys)
		for i, r := range refs {
			docs[i] = found[r]
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return docs, nil
}

// Get reads a document by its id. It fails with engine.ErrNotFound where there is
// none.
func (s *Store) Get(ctx context.Context, id string) (engine.Document, error) {
	var d engine.Document
	err := s.attempt(ctx, fmt.Sprintf("reading document %q", id), s.options.Timeout, again, func(ctx context.Context) error {
		if !storable(id) {
			return engine.ErrNotFound
		}
		found, err := s.read(ctx, "id = $1", id)
		if err == nil && len(found) == 0 {
			err = engine.ErrNotFound
		}
		for _, d = range found {
		}
		return err
	})
	return d, err
}

// Find is the Ref of the document that has an id.
func (s *Store) Find(ctx context.Context, id string) (engine.Ref, error) {
	var ref int64
	err := s.attempt(ctx, fmt.Sprintf("finding document %q", id), s.options.Timeout, again, func(ctx context.Context) error {
		if !storable(id) {
			return engine.ErrNotFound
		}
		err := s.pool.QueryRow(ctx, s.statement(`SELECT ref FROM {c}.documents WHERE id = $1`), id).Scan(&ref)
		if errors.Is(err, pgx.ErrNoRows) {
			err = engine.ErrNotFound
		}
		return err
	})
	return engine.Ref(ref), err
}

// List goes by refs, that is, in the order in which documents were last stored:
// batches take turns, so that no ref appears below one that was there before.
func (s *Store) List(ctx context.Context, after string, limit int) (docs []engine.Document, mark string, err error) {
	const doing = "listing documents"
	var last uint64
	if after != "" {
		if last, err = strconv.ParseUint(after, 10, 63); err != nil {
			return nil, after, s.explain(doing, engine.BadInput("page", "%q is not the mark of another one", after))
		}
	}
	if limit < 1 {
		return nil, after, s.explain(doing, engine.BadInput("page", "%d documents long", limit))
	}
	var found map[engine.Ref]engine.Document
	err = s.attempt(ctx, doing, s.options.Timeout, again, func(ctx context.Context) (err error) {
		found, err = s.read(ctx, "ref > $1 ORDER BY ref LIMIT $2", int64(last), int64(limit))
		return err
	})
	if err != nil || len(found) == 0 {
		return nil, after, err
	}
	refs := slices.Sorted(maps.Keys(found))
	for _, r := range refs {
		docs = append(docs, found[r])
	}
	return docs, strconv.FormatUint(uint64(refs[len(refs)-1]), 10), nil
}

// query runs one statement that reads, in one round trip and under settings of
// its own. The rows hold a connection until they are closed.
func (s *Store) query(ctx context.Context, text string, args []any, settings map[string]string) (*reading, error) {
	batch := &pgx.Batch{}
	set, values := `SELECT set_config('statement_timeout', $1, true)`, arguments{milliseconds(s.options.Timeout)}
	for name, value := range settings {
		set += fmt.Sprintf(", set_config('%s', %s, true)", name, values.add(value))
	}
	batch.Queue(set, values...)
	batch.Queue(s.statement(text), args...)
	results := s.pool.SendBatch(ctx, batch)
	if _, err := results.Exec(); err != nil {
		return nil, cmp.Or(err, results.Close())
	}
	rows, err := results.Query()
	if err != nil {
		return nil, cmp.Or(err, results.Close())
	}
	return &reading{rows, results}, nil
}

// reading are the rows of a statement in a batch.
type reading struct {
	pgx.Rows
	batch pgx.BatchResults
}

// Close gives the connection back.
func (r *reading) Close() {
	r.Rows.Close()
	r.batch.Close() //nolint:errcheck // an error of the rows is in their Err
}

// milliseconds is a duration as the server's settings have it.
func milliseconds(d time.Duration) string { return strconv.FormatInt(max(1, d.Milliseconds()), 10) }
