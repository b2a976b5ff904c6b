package postgres

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/remote"
)

// Size counts rows, or goes by the server's statistics where they are many.
func (t *Table) Size(ctx context.Context) (size engine.Size, err error) {
	err = t.read(ctx, "counting rows", func(ctx context.Context) (err error) {
		size, err = t.calls.Size.Get(ctx, t.count)
		return err
	})
	return size, err
}

// many is how many rows a table has that are not counted.
const many = 100_000

func (t *Table) count(ctx context.Context) (engine.Size, error) {
	text, args := fmt.Sprintf("SELECT count(*)::float8 FROM %s t WHERE %s", t.rel.name, t.there), t.given
	if t.rel.rows >= many && len(t.given) == 0 {
		text, args = "SELECT reltuples FROM pg_class WHERE oid = $1", arguments{t.rel.oid}
	}
	rows, err := t.query(ctx, text, args, nil)
	if err != nil {
		return engine.Size{}, err
	}
	defer rows.Close()
	n, err := pgx.CollectExactlyOneRow(rows, pgx.RowTo[float64])
	return engine.Size{Documents: int(n), Vectors: int(n), Dimension: t.dim}, err
}

// selection is the statement that reads the wanted parts of rows, for load.
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
	return fmt.Sprintf("SELECT t.%s::text, %s, %s, %s, %s, %s FROM %s t WHERE %s AND %s", quoted(t.roles.ID),
		text(engine.Titles, t.roles.Title), text(engine.Texts, t.roles.Text), columns, beside, vector, t.rel.name, t.there, rest)
}

// load reads the wanted parts of rows, until the portion is full where there is one.
func (t *Table) load(ctx context.Context, portion *engine.Portion, parts engine.Parts, rest string, args arguments) (docs []engine.Document, err error) {
	rows, err := t.query(ctx, t.selection(parts, rest), args, nil)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var d engine.Document
		var title, text, columns, beside *string
		var v vector
		if err := rows.Scan(&d.ID, &title, &text, &columns, &beside, &v); err != nil {
			return nil, err
		}
		if title != nil {
			d.Title = *title
		}
		if text != nil {
			d.Text = *text
		}
		if d.Metadata, err = merged(columns, beside); err != nil {
			return nil, fmt.Errorf("the metadata of %.64q: %w", d.ID, err)
		}
		if v != nil && engine.Unit(v) == nil { // a vector without direction is none
			d.Vector = v
		}
		docs = append(docs, d)
		if portion != nil && portion.Add(d) {
			break
		}
	}
	return docs, rows.Err()
}

// merged are the fields of a row: its columns, and beside them those of a column of JSON.
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
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(all)
	return bytes.TrimSpace(b.Bytes()), err
}

// Documents reads the wanted parts of rows, a portion of them. Those that are gone are
// empty.
func (t *Table) Documents(ctx context.Context, refs []engine.Ref, parts engine.Parts) (docs []engine.Document, err error) {
	err = t.read(ctx, "reading rows", func(ctx context.Context) (err error) {
		docs, err = remote.Portion(new(engine.Portion), refs, parts, func(refs []engine.Ref) ([]engine.Document, error) {
			found, err := t.named(ctx, t.id.those(refs), parts)
			at := make(map[string]engine.Document, len(found))
			for _, d := range found {
				at[d.ID] = d
			}
			docs := make([]engine.Document, len(refs))
			for i, r := range refs {
				docs[i] = at[r.Key]
			}
			return docs, err
		})
		return err
	})
	if err != nil {
		return nil, err
	}
	return docs, nil
}

// named reads the rows of ids.
func (t *Table) named(ctx context.Context, ids []string, parts engine.Parts) ([]engine.Document, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	args := slices.Clone(t.given)
	return t.load(ctx, nil, parts, t.anyOf(ids, &args), args)
}

// anyOf is true of the rows that have one of some ids.
func (t *Table) anyOf(ids []string, args *arguments) string {
	return fmt.Sprintf("%s = ANY(%s::text[]::%s[])", t.id.column, args.add(ids), t.id.typ)
}

// Get reads the wanted parts of a row by its id.
func (t *Table) Get(ctx context.Context, id string, parts engine.Parts) (d engine.Document, err error) {
	err = t.read(ctx, fmt.Sprintf("reading row %.80q", id), func(ctx context.Context) error {
		docs, err := t.named(ctx, t.id.those([]engine.Ref{{Key: id}}), parts)
		if err == nil && (len(docs) == 0 || id == "") {
			err = engine.ErrNotFound
		}
		if err == nil {
			d = docs[0]
		}
		return err
	})
	return d, err
}

// Find is the Ref of the row that has an id.
func (t *Table) Find(ctx context.Context, id string) (engine.Ref, error) {
	_, err := t.Get(ctx, id, engine.NoParts)
	if err != nil {
		return engine.Ref{}, err
	}
	return engine.Ref{Key: id}, nil
}

// List goes by ids, in the order that the server has them in.
func (t *Table) List(ctx context.Context, page engine.Page) (docs []engine.Document, mark string, err error) {
	const doing = "listing rows"
	err = remote.CheckPage(&page, t.id.is)
	if err == nil {
		err = errors.Join(comparable(page.Filter), checkDots(page.Filter))
	}
	if err != nil {
		return nil, page.After, t.calls.Explain(doing, err)
	}
	args := slices.Clone(t.given)
	which := t.fields.where(page.Filter, &args)
	if page.After != "" {
		which += fmt.Sprintf(" AND %s > %s::text::%s", t.id.column, args.add(page.After), t.id.typ)
	}
	which += fmt.Sprintf(" ORDER BY %s LIMIT %s", t.id.column, args.add(page.Limit))
	err = t.read(ctx, doing, func(ctx context.Context) (err error) {
		docs, err = t.load(ctx, page.Portion(), page.Parts, which, args)
		return err
	})
	if err != nil || len(docs) == 0 {
		return nil, page.After, err
	}
	return docs, docs[len(docs)-1].ID, nil
}
