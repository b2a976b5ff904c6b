package postgres

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/remote"
	"github.com/nsfl-go/nsfl/query"
)

// Table is a table, a view or a foreign table that something else has filled: a row is a
// document. It is only read, by statements in transactions that can do nothing else.
type Table struct {
	*remote.Store
	database
	rel    *relation
	roles  remote.Roles
	fields fields
	id     key
	dim    int
	vector string // the expression of the vector, of the row t
	there  string // true of the rows that are documents, for all calls
	given  arguments
	only   query.Node // the condition on them that the address has
	access *access    // nil: vectors are compared one by one
	unit   bool       // they are of length 1, as far as a sample shows
	scans  bool       // indexes are read until there are enough that pass
	words  *fullText  // nil: rows are not found by words

	versioned bool // rows have versions that the user may read
}

type tableDriver struct{ *Table }

var _ engine.Collection = (*Table)(nil)

// Attached reports whether an address names a table of something else's.
func Attached(address string) bool {
	_, settings, err := parse(address)
	return err == nil && settings.Has("table")
}

// Attach opens a table, or a view, in the database at an address such as
//
//	postgres://USER:PASSWORD@HOST:PORT/DATABASE?table=[SCHEMA.]NAME&id=COLUMN&vector=COLUMN&text=COLUMN
//
// for reading. Which columns are meant is found out where only one can be; title=COLUMN
// and metadata=COLUMN, of JSON, are further ones, and only=FIELD:VALUE leaves out rows. A
// role that may SELECT from the table suffices.
//
// It returns *engine.InputError if there is no such table or if a role is not clear, and
// *engine.MismatchError for another dimension.
func Attach(ctx context.Context, address string, o engine.Options) (*Table, error) {
	c, settings, err := parse(address)
	if err == nil {
		err = remote.Defaults(&o, maxDimension)
	}
	if err != nil {
		return nil, err
	}
	name := settings.Get("table")
	t := &Table{database: database{calls: &remote.Calls{Options: o, Place: server(c) + "?table=" + remote.Escape(name), Reword: reword, Again: again}}, roles: remote.ReadRoles(settings)}
	only, err := readOnly(settings.Get("only"))
	t.only = only
	if err == nil && settings.Has("collection") {
		err = engine.BadInput("the address", "it names a table and a collection; leave one of them out")
	}
	if err != nil {
		return nil, t.calls.Explain("attaching", err)
	}
	var oid uint32
	err = t.alone(ctx, c.ConnConfig, "attaching", o.Timeout, func(ctx context.Context, conn *pgx.Conn) error {
		return pgx.BeginTxFunc(ctx, conn, pgx.TxOptions{AccessMode: pgx.ReadOnly}, func(tx pgx.Tx) error {
			if _, err := tx.Exec(ctx, `SELECT set_config('statement_timeout', $1, true)`, milliseconds(o.Timeout)); err != nil {
				return err
			}
			oid, err = t.introspect(ctx, tx, name, only)
			return err
		})
	})
	if err != nil {
		return nil, err
	}
	if err = t.connect(ctx, c, oid); err != nil {
		return nil, t.calls.Explain("attaching", err)
	}
	t.Store = remote.New(tableDriver{t}, t.calls, remote.Config{
		Dimension: t.dim, Text: true, Roles: t.roles, Columns: t.rel.described(),
		Index:  remote.Index{None: t.access == nil, Other: t.access != nil && !t.byCosine()},
		Limits: remote.Limits{Cheap: compared, Whole: math.MaxInt, Copied: copiedRows},
	})
	return t, nil
}

// copiedRows is the number of rows up to which searches use a copy of the table in memory.
const copiedRows = 50_000

// readOnly reads what rows are left at all.
func readOnly(text string) (query.Node, error) {
	if text == "" {
		return nil, nil
	}
	f, err := query.ParseFormula(text)
	if err == nil && (f.Root != nil || f.Filter == nil || query.HasPatterns(f.Filter)) {
		err = errors.New("it is not about columns alone")
	}
	if err == nil {
		err = remote.CheckFilter(f.Filter)
	}
	if err != nil {
		return nil, engine.BadInput("only="+text, "%v; it is a condition such as only=language:en", err)
	}
	return f.Filter, nil
}

// Compile refuses what PostgreSQL cannot compare; it decides everything else.
func (t tableDriver) Compile(_ context.Context, filter query.Node) (remote.Where, error) {
	return remote.Where{Native: filter}, errors.Join(comparable(filter), checkDots(filter))
}

func (t tableDriver) Close() error { return t.close() }

func (t *Table) introspect(ctx context.Context, tx pgx.Tx, name string, only query.Node) (oid uint32, err error) {
	if t.rel, err = describe(ctx, tx, name); err != nil {
		return 0, err
	}
	if t.roles, err = t.roles.Fill(t.calls.Place, t.rel.described()); err != nil {
		return 0, err
	}
	t.id = keyOf(t.rel.column(t.roles.ID))
	var texts []string
	for _, name := range []string{t.roles.Title, t.roles.Text} {
		if name != "" {
			texts = append(texts, fmt.Sprintf("coalesce(t.%s::text, '')", quoted(name)))
		}
	}
	t.fields.id, t.fields.texts = t.id, strings.Join(texts, " || ' ' || ")
	for _, c := range t.rel.columns {
		switch c.Name {
		case t.roles.ID, t.roles.Vector, t.roles.Text, t.roles.Title:
		case t.roles.Metadata:
			t.fields.beside = &c
		default:
			if c.Kind != remote.Other && c.Kind != remote.Vector {
				t.fields.columns = append(t.fields.columns, c)
			}
		}
	}
	var version, path string
	err = tx.QueryRow(ctx, `SELECT e.extversion, 'pg_catalog, ' || quote_ident(n.nspname) || ', ' || current_setting('search_path'), t.oid FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace
		JOIN pg_type t ON t.typnamespace = n.oid AND t.typname = 'vector' WHERE e.extname = 'vector'`).Scan(&version, &path, &oid)
	if err != nil {
		return 0, fmt.Errorf("looking for pgvector in the database: %w", err)
	}
	t.settings = map[string]string{"search_path": path, "timezone": "UTC", "jit": "off"}
	var major, minor int
	_, _ = fmt.Sscanf(version, "%d.%d", &major, &minor) // an unreadable version counts as old
	t.scans = major > 0 || minor >= 8
	if _, err := tx.Exec(ctx, `SELECT set_config('search_path', $1, true)`, path); err != nil {
		return 0, err
	}
	if strings.Contains("rpm", t.rel.kind) {
		if err := tx.QueryRow(ctx, `SELECT has_column_privilege($1::oid, 'xmin', 'SELECT')`, t.rel.oid).Scan(&t.versioned); err != nil {
			return 0, err
		}
	}
	if err := t.measure(ctx, tx, only); err != nil {
		return 0, err
	}
	t.words, err = t.findFullText(ctx, tx)
	return oid, err
}

// measure finds out the dimension, which rows are documents, and the index.
func (t *Table) measure(ctx context.Context, tx pgx.Tx, only query.Node) error {
	c := t.rel.column(t.roles.Vector)
	column := "t." + quoted(c.Name)
	t.vector = column
	if c.typ != "vector" {
		t.vector += "::vector"
	}
	all := fields{columns: t.rel.columns, beside: t.fields.beside}
	t.there = fmt.Sprintf("%s IS NOT NULL AND t.%s IS NOT NULL AND %s", column, quoted(t.roles.ID), all.where(only, &t.given))
	if t.dim = c.modifier; t.dim < 1 {
		var dim *int
		err := tx.QueryRow(ctx, fmt.Sprintf("SELECT (SELECT vector_dims(%s) FROM %s t WHERE %s LIMIT 1)", t.vector, t.rel.name, t.there), t.given...).Scan(&dim)
		if err != nil {
			return err
		}
		if dim == nil {
			return errors.New("no row has a vector, and the type of the column has no dimension")
		}
		t.dim = *dim
		t.there += fmt.Sprintf(" AND vector_dims(%s) = %d", t.vector, t.dim)
	}
	if err := t.calls.CheckDimension(t.dim); err != nil {
		return err
	}
	found, err := t.rel.accesses(ctx, tx, c, t.dim)
	if err == nil && t.rel.kind == "v" {
		found, err = t.behind(ctx, tx, column, c.typ)
	}
	if err != nil || len(found) == 0 {
		return err
	}
	t.access = &found[0]
	if t.access.operator != "<=>" {
		const some = 200
		var off *float64
		err = tx.QueryRow(ctx, fmt.Sprintf("SELECT max(abs(vector_norm(v) - 1)) FROM (SELECT %s AS v FROM %s t WHERE %s LIMIT %d) s", t.vector, t.rel.name, t.there, some), t.given...).Scan(&off)
		t.unit = err == nil && off != nil && *off < unitSlack
	}
	return err
}

// unitSlack is how far lengths may be from 1 that are called so.
const unitSlack = 1e-3

// behind asks the planner whether an index leads to the vectors of a view.
func (t *Table) behind(ctx context.Context, tx pgx.Tx, column, typ string) ([]access, error) {
	if _, err := tx.Exec(ctx, `SELECT set_config('enable_seqscan', 'off', true)`); err != nil {
		return nil, err
	}
	zero := fmt.Sprintf("(SELECT %s FROM %s t WHERE %s LIMIT 1)", column, t.rel.name, t.there)
	for _, o := range operators {
		rows, err := tx.Query(ctx, fmt.Sprintf("EXPLAIN SELECT FROM %s t WHERE %s ORDER BY %s %s %s LIMIT 10", t.rel.name, t.there, column, o.operator, zero), t.given...)
		if err != nil {
			return nil, err
		}
		plan, err := pgx.CollectRows(rows, pgx.RowTo[string])
		if err != nil {
			return nil, err
		}
		if strings.Contains(strings.Join(plan, "\n"), "Order By: ") {
			return []access{{class: o.class, operator: o.operator, vectors: column, typ: typ}}, nil
		}
	}
	return nil, nil
}
