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

// establish creates the collection if necessary and allowed, and returns the OID of the
// vector type.
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
		err = found.Agrees(s.calls.Place, format, o)
	}
	if err == nil && found.Format < format {
		err = fmt.Errorf("the collection has format %d of a version before the first release, this one reads %d: index it again, or copy it with that version (nsfl copy)", found.Format, format)
	}
	if err != nil {
		return 0, err
	}
	s.dim, s.encoder = found.Dimension, found.Encoder
	return oid, conn.QueryRow(ctx, `SELECT 'vector'::regtype::oid`).Scan(&oid)
}

// identity reads the description of the collection. It fails with engine.ErrNotCollection if
// there is none.
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

// create creates an empty collection. A second caller finds it created.
func (s *Store) create(ctx context.Context, conn *pgx.Conn) error {
	if err := extend(ctx, conn); err != nil {
		return err
	}
	return s.locked(ctx, conn, func(tx pgx.Tx) error {
		var others []string
		const list = `SELECT coalesce(array_agg(relname::text ORDER BY relname), '{}') FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = $1`
		if err := tx.QueryRow(ctx, list, s.collection).Scan(&others); err != nil {
			return err
		}
		if slices.Contains(others, "settings") {
			return nil
		}
		if len(others) > 0 {
			return fmt.Errorf("the schema %s has other tables in it, such as %s; name another collection", s.collection, others[0])
		}
		o := &s.calls.Options
		if _, err := tx.Exec(ctx, statement(tables, s.collection, o.Dimension), pgx.QueryExecModeSimpleProtocol); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, s.statement(`INSERT INTO {c}.settings (version, dimension, encoder) VALUES ($1, $2, $3)`), format, o.Dimension, o.Encoder)
		return err
	})
}

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
