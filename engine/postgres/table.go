package postgres

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/attached"
	"github.com/nsfl-go/nsfl/engine/pooling"
	"github.com/nsfl-go/nsfl/query"
)

// Table is a table, a view or a foreign table that something else has filled: a row is a
// document. It is only read, by statements in transactions that can do nothing else.
type Table struct {
	attached.ReadOnly
	attached.Words
	calls  pooling.Calls
	pool   *pgxpool.Pool
	rel    *relation
	roles  attached.Roles
	fields fields
	id     key
	dim    int
	vector string // the expression of the vector, of the row t
	there  string // true of the rows that are documents, for all calls
	given  arguments
	only   query.Node // the condition on them that the address has
	access *access    // nil: vectors are compared one by one
	unit   bool       // they are of length 1, as far as a sample shows
	path   string     // where the server looks for types and operators
	scans  bool       // indexes are read until there are enough that pass
	reach  pooling.Reach
}

var (
	_ engine.Collection = (*Table)(nil)
	_ engine.Worded     = (*Table)(nil)
)

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
// The errors that a caller may decide on are *engine.InputError, where there is no such
// table or it is not clear what is meant, and *engine.MismatchError for another dimension.
func Attach(ctx context.Context, address string, o engine.Options) (*Table, error) {
	c, settings, err := parse(address)
	if err == nil {
		err = pooling.Defaults(&o, maxDimension)
	}
	if err != nil {
		return nil, err
	}
	name := settings.Get("table")
	t := &Table{calls: pooling.Calls{Options: o, Place: server(c) + "?table=" + attached.Escape(name), Reword: reword}, roles: attached.ReadRoles(settings)}
	t.Words = attached.Words{Store: t}
	only, err := readOnly(settings.Get("only"))
	t.only = only
	if err == nil && settings.Has("collection") {
		err = engine.BadInput("the address", "it names a table and a collection; leave one of them out")
	}
	if err != nil {
		return nil, t.calls.Explain("attaching", err)
	}
	var oid uint32
	err = t.calls.Run(ctx, "attaching", o.Timeout, repeated(again, func(ctx context.Context) error {
		conn, err := pgx.ConnectConfig(ctx, c.ConnConfig.Copy())
		if err != nil {
			return err
		}
		defer conn.Close(context.WithoutCancel(ctx)) //nolint:errcheck // all is read, or it has failed before
		return pgx.BeginTxFunc(ctx, conn, pgx.TxOptions{AccessMode: pgx.ReadOnly}, func(tx pgx.Tx) error {
			if _, err := tx.Exec(ctx, `SELECT set_config('statement_timeout', $1, true)`, milliseconds(o.Timeout)); err != nil {
				return err
			}
			oid, err = t.look(ctx, tx, name, only)
			return err
		})
	}))
	if err != nil {
		return nil, err
	}
	c.AfterConnect = func(_ context.Context, conn *pgx.Conn) error {
		conn.TypeMap().RegisterType(&pgtype.Type{Name: "vector", OID: oid, Codec: codec{}})
		return nil
	}
	if t.pool, err = pgxpool.NewWithConfig(ctx, c); err != nil {
		return nil, t.calls.Explain("attaching", err)
	}
	return t, nil
}

// readOnly reads what rows are left at all.
func readOnly(text string) (query.Node, error) {
	if text == "" {
		return nil, nil
	}
	f, err := query.ParseFormula(text)
	if err == nil && (f.Root != nil || f.Filter == nil) {
		err = fmt.Errorf("it is not about columns alone")
	}
	if err == nil {
		err = pooling.CheckFilter(f.Filter)
	}
	if err != nil {
		return nil, engine.BadInput("only="+text, "%v; it is a condition such as only=language:en", err)
	}
	return f.Filter, nil
}

// look finds out what a table has and how it is searched.
func (t *Table) look(ctx context.Context, tx pgx.Tx, name string, only query.Node) (oid uint32, err error) {
	if t.rel, err = describe(ctx, tx, name); err != nil {
		return 0, err
	}
	if t.roles, err = t.roles.Fill(t.calls.Place, t.rel.described()); err != nil {
		return 0, err
	}
	t.id = keyOf(t.rel.column(t.roles.ID))
	for _, c := range t.rel.columns {
		switch c.Name {
		case t.roles.ID, t.roles.Vector, t.roles.Text, t.roles.Title:
		case t.roles.Metadata:
			t.fields.beside = &c
		default:
			if c.Kind != attached.Other && c.Kind != attached.Vector {
				t.fields.columns = append(t.fields.columns, c)
			}
		}
	}
	var version string
	err = tx.QueryRow(ctx, `SELECT e.extversion, quote_ident(n.nspname), t.oid FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace
		JOIN pg_type t ON t.typnamespace = n.oid AND t.typname = 'vector' WHERE e.extname = 'vector'`).Scan(&version, &t.path, &oid)
	if err != nil {
		return 0, fmt.Errorf("looking for pgvector in the database: %w", err)
	}
	t.path = "pg_catalog, " + t.path
	var major, minor int
	_, _ = fmt.Sscanf(version, "%d.%d", &major, &minor) // of what cannot be read, little is expected
	t.scans = major > 0 || minor >= 8
	if _, err := tx.Exec(ctx, `SELECT set_config('search_path', $1, true)`, t.path); err != nil {
		return 0, err
	}
	if err := t.measure(ctx, tx, only); err != nil {
		return 0, err
	}
	said, err := t.spoken(ctx, tx)
	if said != nil {
		t.Search = t.say(said)
	}
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
	if t.dim = c.modifier; t.dim < 1 || c.element != "" {
		var dim *int
		err := tx.QueryRow(ctx, fmt.Sprintf("SELECT (SELECT vector_dims(%s) FROM %s t WHERE %s LIMIT 1)", t.vector, t.rel.name, t.there), t.given...).Scan(&dim)
		if err != nil {
			return err
		}
		if dim == nil {
			return fmt.Errorf("no row has a vector, and the type of the column does not say of which dimension they are")
		}
		t.dim = *dim
		t.there += fmt.Sprintf(" AND vector_dims(%s) = %d", t.vector, t.dim)
	}
	if o := t.calls.Options.Dimension; o != 0 && o != t.dim {
		return &engine.MismatchError{Dir: t.calls.Place, What: "dimension", Stored: strconv.Itoa(t.dim), Given: strconv.Itoa(o)}
	}
	found, err := t.rel.accesses(ctx, tx, c, t.dim)
	if err == nil && t.rel.kind == "v" && c.element == "" {
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
			return []access{{operator: o.operator, vectors: column, typ: typ}}, nil
		}
	}
	return nil, nil
}

// query runs a statement whose first arguments are those of there.
func (t *Table) query(ctx context.Context, text string, args []any, settings map[string]string) (*reading, error) {
	all := map[string]string{"search_path": t.path, "timezone": "UTC", "jit": "off"}
	for name, value := range settings {
		all[name] = value
	}
	return ask(ctx, t.pool, t.calls.Options.Timeout, text, args, all)
}

// read runs f, which may be run again.
func (t *Table) read(ctx context.Context, doing string, f func(context.Context) error) error {
	return t.calls.Read(ctx, doing, repeated(again, f))
}

// Close waits for the calls in progress and closes the connections.
func (t *Table) Close() error {
	return t.calls.Close(func() error {
		t.pool.Close()
		return nil
	})
}
