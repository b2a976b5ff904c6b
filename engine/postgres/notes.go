package postgres

import (
	"context"
	"maps"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/nsfl-go/nsfl/engine"
)

// SetNotes keeps texts by name, all of them or none.
func (s *Store) SetNotes(ctx context.Context, notes map[string]string) error {
	const doing = "keeping notes"
	if err := engine.CheckNotes(notes); err != nil {
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
	return s.calls.Write(ctx, doing, repeated(again, func(ctx context.Context) error {
		return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
			batch := &pgx.Batch{}
			batch.Queue(`SELECT set_config('statement_timeout', $1, true)`, milliseconds(s.calls.Options.WriteTimeout))
			batch.Queue(s.statement(`DELETE FROM {c}.notes WHERE sha256(name) IN (SELECT sha256(n) FROM unnest($1::bytea[]) n)`), gone)
			batch.Queue(s.statement(`INSERT INTO {c}.notes SELECT * FROM unnest($1::bytea[], $2::bytea[])
				ON CONFLICT (sha256(name)) DO UPDATE SET value = excluded.value`), names, values)
			return tx.SendBatch(ctx, batch).Close()
		})
	}))
}

// Notes are those whose names begin with a prefix, by name.
func (s *Store) Notes(ctx context.Context, prefix string) (map[string]string, error) {
	var notes map[string]string
	err := s.read(ctx, "reading notes", func(ctx context.Context) error {
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
