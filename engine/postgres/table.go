package postgres

import (
	"context"
	"errors"
	"math"

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
}

// tableDriver asks the server about a table.
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
	t := &Table{database: database{calls: &remote.Calls{Options: o, Place: server(c) + "?table=" + remote.Escape(name), Reword: reword}}, roles: remote.ReadRoles(settings)}
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
		Limits: remote.Limits{Cheap: compared, Whole: math.MaxInt},
	})
	return t, nil
}

// readOnly reads what rows are left at all.
func readOnly(text string) (query.Node, error) {
	if text == "" {
		return nil, nil
	}
	f, err := query.ParseFormula(text)
	if err == nil && (f.Root != nil || f.Filter == nil) {
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

// Close closes the connections.
func (t tableDriver) Close() error { return t.close() }
