package postgres

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/remote"
)

// establish brings the collection to what this version needs, or says why it
// cannot, and finds out how the server numbers the type of vectors.
func (s *Store) establish(ctx context.Context, conn *pgx.Conn) (oid uint32, err error) {
	if e := conn.PgConn().ParameterStatus("server_encoding"); e != "" && e != "UTF8" {
		return 0, fmt.Errorf("the database has the encoding %s: make one with UTF8", e)
	}
	found, err := s.identity(ctx, conn)
	o := &s.calls.Options
	if errors.Is(err, engine.ErrNotCollection) && !o.ReadOnly && o.Dimension > 0 {
		if err := s.create(ctx, conn); err != nil {
			return 0, err
		}
		found, err = s.identity(ctx, conn)
	}
	if err == nil {
		err = found.Agrees(s.calls.Place, len(migrations), o)
	}
	if err != nil {
		return 0, err
	}
	if found.Format < len(migrations) {
		switch {
		case o.ReadOnly && found.Format < readable:
			return 0, fmt.Errorf("the collection has the older format %d: open it once for writing, which brings it to %d", found.Format, len(migrations))
		case !o.ReadOnly:
			if err := s.migrate(ctx, conn, found.Dimension, migrations); err != nil {
				return 0, err
			}
		}
	}
	s.dim, s.encoder, s.placed = found.Dimension, found.Encoder, found.Format >= placed || !o.ReadOnly
	return oid, conn.QueryRow(ctx, `SELECT 'vector'::regtype::oid`).Scan(&oid)
}

// identity is what a collection says about itself. It fails with
// engine.ErrNotCollection where there is none.
func (s *Store) identity(ctx context.Context, conn *pgx.Conn) (found remote.Identity, err error) {
	const text = `SELECT version, dimension, encoder FROM {c}.settings`
	err = conn.QueryRow(ctx, s.statement(text)).Scan(&found.Format, &found.Dimension, &found.Encoder)
	const noSchema, noTable = "3F000", "42P01"
	if code := sqlState(err); code == noSchema || code == noTable || errors.Is(err, pgx.ErrNoRows) {
		err = engine.ErrNotCollection
	}
	return found, err
}

func (s *Store) statement(text string) string {
	return statement(text, s.collection, s.dim)
}

// create makes an empty collection of version 0, and then brings it up to date.
// Whoever comes second finds it made.
func (s *Store) create(ctx context.Context, conn *pgx.Conn) error {
	if err := extend(ctx, conn); err != nil {
		return err
	}
	err := s.locked(ctx, conn, func(tx pgx.Tx) error {
		var others []string
		const list = `SELECT coalesce(array_agg(relname::text ORDER BY relname), '{}') FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = $1`
		if err := tx.QueryRow(ctx, list, s.collection).Scan(&others); err != nil {
			return err
		}
		if slices.Contains(others, "settings") {
			return nil
		}
		if len(others) > 0 {
			return fmt.Errorf("the schema %s has tables of something else in it, such as %s; name another collection", s.collection, others[0])
		}
		_, err := tx.Exec(ctx, s.statement(`
			CREATE SCHEMA IF NOT EXISTS {c};
			CREATE TABLE {c}.settings (
				one       boolean PRIMARY KEY DEFAULT true CHECK (one),
				version   integer NOT NULL,
				dimension integer NOT NULL,
				encoder   text NOT NULL,
				documents bigint NOT NULL DEFAULT 0,
				vectors   bigint NOT NULL DEFAULT 0
			)`), pgx.QueryExecModeSimpleProtocol)
		if err != nil {
			return err
		}
		_, err = tx.Exec(ctx, s.statement(`INSERT INTO {c}.settings (version, dimension, encoder) VALUES (0, $1, $2)`), s.calls.Options.Dimension, s.calls.Options.Encoder)
		return err
	})
	if err != nil {
		return err
	}
	return s.migrate(ctx, conn, s.calls.Options.Dimension, migrations)
}

// migrate takes the steps that are missing.
func (s *Store) migrate(ctx context.Context, conn *pgx.Conn, dim int, steps []string) error {
	return s.locked(ctx, conn, func(tx pgx.Tx) error {
		var version int
		if err := tx.QueryRow(ctx, s.statement(`SELECT version FROM {c}.settings`)).Scan(&version); err != nil {
			return err
		}
		for ; version < len(steps); version++ {
			if _, err := tx.Exec(ctx, statement(steps[version], s.collection, dim), pgx.QueryExecModeSimpleProtocol); err != nil {
				return fmt.Errorf("bringing the collection from format %d to %d: %w", version, version+1, err)
			}
		}
		_, err := tx.Exec(ctx, s.statement(`UPDATE {c}.settings SET version = greatest(version, $1)`), len(steps))
		return err
	})
}

// unindexed reports whether there are indexes to be made.
func (s *Store) unindexed(ctx context.Context, conn *pgx.Conn) (missing bool, err error) {
	if s.calls.Options.ReadOnly || s.calls.Options.Fill || s.dim > maxIndexedHalf {
		return false, nil
	}
	const text = `SELECT count(*) < 2 FROM pg_indexes WHERE schemaname = $1 AND indexname IN ($2, $3)`
	err = conn.QueryRow(ctx, text, s.collection, hnswName("documents"), hnswName("passages")).Scan(&missing)
	return missing, err
}

// index makes them. Writers wait for it.
func (s *Store) index(ctx context.Context, conn *pgx.Conn) error {
	return s.locked(ctx, conn, func(tx pgx.Tx) error {
		for _, table := range []string{"documents", "passages"} {
			if _, err := tx.Exec(ctx, s.statement(hnsw(table, s.dim))); err != nil {
				return err
			}
		}
		return nil
	})
}

// lock makes whatever changes a collection wait for its turn, until the end of the
// transaction.
const lock = `SELECT pg_advisory_xact_lock(hashtext($1))`

func (s *Store) lockName() string { return "nsfl " + s.collection }

// locked runs f in a transaction that has the lock.
func (s *Store) locked(ctx context.Context, conn *pgx.Conn, f func(pgx.Tx) error) error {
	return pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, lock, s.lockName()); err != nil {
			return err
		}
		return f(tx)
	})
}

// extend has pgvector in the database, in a version that goes on scanning where a
// filter leaves too little.
func extend(ctx context.Context, conn *pgx.Conn) error {
	const version = `SELECT extversion FROM pg_extension WHERE extname = 'vector'`
	var found string
	err := conn.QueryRow(ctx, version).Scan(&found)
	if errors.Is(err, pgx.ErrNoRows) {
		_, err = conn.Exec(ctx, `CREATE EXTENSION IF NOT EXISTS vector`)
		switch code := sqlState(err); {
		case code == "42501":
			return fmt.Errorf("pgvector is not in the database, and the user may not add it: have an administrator run CREATE EXTENSION vector (%w)", err)
		case code != "" && !again(err): // another may be adding it right now
			return fmt.Errorf("pgvector is not on the server: install it there (%w)", err)
		case err != nil:
			return err
		}
		err = conn.QueryRow(ctx, version).Scan(&found)
	}
	if err != nil {
		return err
	}
	var major, minor int
	if _, err := fmt.Sscanf(found, "%d.%d", &major, &minor); err != nil || major == 0 && minor < 8 {
		return fmt.Errorf("the database has pgvector %s, 0.8 or later is needed: install it and run ALTER EXTENSION vector UPDATE", found)
	}
	return nil
}
