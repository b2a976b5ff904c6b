package postgres

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/remote"
	"github.com/nsfl-go/nsfl/internal/storekit"
	"github.com/nsfl-go/nsfl/query"
)

// many is how many rows are counted at most.
const many = 100_000

// Size counts rows. Of a large table it uses the statistics of the server, and of a condition
// that many rows meet, the estimate of the planner.
func (t tableDriver) Size(ctx context.Context) (engine.Size, error) {
	text, args := fmt.Sprintf("SELECT count(*)::float8 FROM (SELECT FROM %s t WHERE %s LIMIT %d) s", t.rel.name, t.there, many+1), t.given
	if t.rel.rows >= many && len(t.given) == 0 {
		text, args = "SELECT reltuples FROM pg_class WHERE oid = $1", arguments{t.rel.oid}
	}
	var n float64
	err := t.each(ctx, text, args, nil, []any{&n}, func() error { return nil })
	if err == nil && n == many+1 {
		var plan []struct {
			Plan struct {
				Rows float64 `json:"Plan Rows"`
			}
		}
		explain := fmt.Sprintf("EXPLAIN (FORMAT JSON) SELECT FROM %s t WHERE %s", t.rel.name, t.there)
		if err = t.each(ctx, explain, t.given, nil, []any{&plan}, func() error { return nil }); err == nil && len(plan) > 0 {
			n = max(n, plan[0].Plan.Rows)
		}
	}
	return engine.Size{Documents: int(n), Vectors: int(n), Dimension: t.dim}, err
}

func (t *Table) selection(parts engine.Parts, rest string) string {
	text := func(part engine.Parts, column string) string {
		if column == "" || !parts.Has(part) {
			return "NULL"
		}
		return "t." + quoted(column) + "::text"
	}
	columns, beside, vector := "NULL", "NULL", "NULL::vector"
	if parts.Has(engine.Metadata) {
		if len(t.fields.columns) > 0 {
			names := make([]string, len(t.fields.columns))
			for i, c := range t.fields.columns {
				names[i] = "t." + quoted(c.Name)
				if c.typ == "json" {
					names[i] += "::jsonb AS " + quoted(c.Name)
				}
			}
			columns = fmt.Sprintf("json_strip_nulls((SELECT row_to_json(m) FROM (SELECT %s) m))::text", strings.Join(names, ", "))
		}
		if t.fields.beside != nil {
			beside = "t." + quoted(t.fields.beside.Name) + "::jsonb::text"
		}
	}
	if parts.Has(engine.Vectors) {
		vector = t.vector
	}
	return fmt.Sprintf("SELECT t.%s::text, %s, %s, %s, %s, %s, %s FROM %s t WHERE %s AND %s", quoted(t.roles.ID), t.version(),
		text(engine.Titles, t.roles.Title), text(engine.Texts, t.roles.Text), columns, beside, vector, t.rel.name, t.there, rest)
}

// version is the expression of the version of a row: the transaction that has written it.
func (t *Table) version() string {
	if t.versioned {
		return "t.xmin::text"
	}
	return "''"
}

// State returns the transactions whose writes are visible. It is empty for views, foreign
// tables and users who may not read the versions of rows.
func (t tableDriver) State(ctx context.Context) (state string, err error) {
	if t.versioned {
		err = t.pool.QueryRow(ctx, "SELECT pg_current_snapshot()::text").Scan(&state)
	}
	return state, err
}

func (t tableDriver) Versions(ctx context.Context, where remote.Where, limit int) (hits []remote.Hit, err error) {
	filter, _ := where.Native.(query.Node)
	args := slices.Clone(t.given)
	text := fmt.Sprintf("SELECT t.%s::text, %s FROM %s t WHERE %s AND %s", quoted(t.roles.ID), t.version(), t.rel.name, t.there, t.fields.where(filter, &args))
	text += " LIMIT " + args.add(limit)
	var h remote.Hit
	err = t.each(ctx, text, args, nil, []any{&h.Ref.Key, &h.Version}, func() error {
		if h.Ref.Key != "" {
			hits = append(hits, h)
		}
		return nil
	})
	return hits, err
}

// load reads the wanted parts of rows and their versions, until the portion is full, if there
// is one.
func (t *Table) load(ctx context.Context, portion *storekit.ReadBudget, parts engine.Parts, rest string, args arguments) (docs []engine.Document, versions []string, err error) {
	rows, err := t.ask(ctx, t.selection(parts, rest), args, nil)
	if err != nil {
		return nil, nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var d engine.Document
		var version string
		var title, text, columns, beside *string
		var v vector
		if err := rows.Scan(&d.ID, &version, &title, &text, &columns, &beside, &v); err != nil {
			return nil, nil, err
		}
		if title != nil {
			d.Title = *title
		}
		if text != nil {
			d.Text = *text
		}
		if d.Metadata, err = merged(columns, beside); err != nil {
			return nil, nil, fmt.Errorf("the metadata of %.64q: %w", d.ID, err)
		}
		if v != nil && storekit.Unit(v) == nil { // a vector without direction is none
			d.Vector = v
		}
		docs, versions = append(docs, d), append(versions, version)
		if portion != nil && portion.Add(d) {
			break
		}
	}
	return docs, versions, rows.Err()
}

// merged returns the fields of a row: its columns and the fields of a JSON column.
func merged(columns, beside *string) (json.RawMessage, error) {
	if beside == nil || !strings.HasPrefix(*beside, "{") {
		beside = nil
	}
	if columns == nil || *columns == "{}" {
		if beside == nil {
			return nil, nil
		}
		return json.RawMessage(*beside), nil
	}
	if beside == nil {
		return json.RawMessage(*columns), nil
	}
	all := map[string]json.RawMessage{}
	for _, text := range []string{*beside, *columns} {
		if err := json.Unmarshal([]byte(text), &all); err != nil {
			return nil, err
		}
	}
	return remote.Marshal(all)
}

func (t tableDriver) Read(ctx context.Context, refs []engine.Ref, want remote.Want, visit func(*remote.Entry) error) error {
	ids := t.id.those(refs)
	if len(ids) == 0 {
		return ctx.Err()
	}
	args := slices.Clone(t.given)
	docs, versions, err := t.load(ctx, nil, want.Parts, t.anyOf(ids, &args), args)
	for i, d := range docs {
		if err == nil {
			err = visit(&remote.Entry{Ref: engine.Ref{Key: d.ID}, Document: d, Version: versions[i]})
		}
	}
	return err
}

func (t *Table) anyOf(ids []string, args *arguments) string {
	return fmt.Sprintf("%s = ANY(%s::text[]::%s[])", t.id.column, args.add(ids), t.id.typ)
}

// List goes by ids, in the order that the server has them in.
func (t tableDriver) List(ctx context.Context, page engine.Page) ([]engine.Document, string, error) {
	if _, err := t.Compile(ctx, page.Filter); err != nil {
		return nil, "", err
	}
	args := slices.Clone(t.given)
	which := t.fields.where(page.Filter, &args)
	if page.After != "" && !t.id.is(page.After) {
		return nil, "", remote.BadMark(page.After)
	}
	if page.After != "" {
		which += fmt.Sprintf(" AND %s > %s::text::%s", t.id.column, args.add(page.After), t.id.typ)
	}
	which += fmt.Sprintf(" ORDER BY %s LIMIT %s", t.id.column, args.add(page.Limit))
	docs, _, err := t.load(ctx, storekit.BudgetOf(&page), page.Parts, which, args)
	if err != nil || len(docs) == 0 {
		return nil, page.After, err
	}
	return docs, docs[len(docs)-1].ID, nil
}

// Sample is the rows whose hashes are least; in a table of many, of those in some blocks.
// The same state gives the same sample.
func (t tableDriver) Sample(ctx context.Context, n int) (refs []engine.Ref, err error) {
	size, err := t.calls.Size.Get(ctx, t.Size)
	if err != nil {
		return nil, err
	}
	if size.Documents >= many && strings.Contains("rpm", t.rel.kind) {
		part := min(100, 100*3*float64(n)/float64(size.Documents))
		for range 3 { // a condition may leave few of them, or deleted rows
			refs, err = t.least(ctx, n, fmt.Sprintf("TABLESAMPLE SYSTEM (%g) REPEATABLE (1)", part))
			if err != nil || len(refs) >= n || part == 100 {
				return refs, err
			}
			part = min(100, 10*part)
		}
	}
	return t.least(ctx, n, "")
}

func (t *Table) least(ctx context.Context, n int, sampled string) ([]engine.Ref, error) {
	args := slices.Clone(t.given)
	text := fmt.Sprintf("SELECT id FROM (SELECT DISTINCT id FROM (SELECT t.%s::text AS id FROM %s t %s WHERE %s LIMIT %d) r) s WHERE id <> '' ORDER BY md5(id) LIMIT %s",
		quoted(t.roles.ID), t.rel.name, sampled, t.there, many, args.add(n))
	return t.refs(ctx, text, args)
}
