package postgres

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/remote"
	"github.com/nsfl-go/nsfl/query"
)

// introspect reads the columns and the indexes of a table.
func (t *Table) introspect(ctx context.Context, tx pgx.Tx, name string, only query.Node) (oid uint32, err error) {
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
	if t.dim = c.modifier; t.dim < 1 || c.element != "" {
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
