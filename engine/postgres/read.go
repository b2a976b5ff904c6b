package postgres

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strconv"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/remote"
	"github.com/nsfl-go/nsfl/internal/storekit"
)

// refOf is the Ref of a document. A document that is replaced gets another.
func refOf(number int64) engine.Ref { return engine.Ref{Number: uint64(number)} }

func numbers(refs []engine.Ref) []int64 {
	out := make([]int64, len(refs))
	for i, r := range refs {
		out[i] = int64(r.Number)
	}
	return out
}

func (d managedDriver) Size(ctx context.Context) (engine.Size, error) {
	size := engine.Size{Dimension: d.dim}
	err := d.pool.QueryRow(ctx, d.statement(`SELECT documents, vectors FROM {c}.settings`)).Scan(&size.Documents, &size.Vectors)
	return size, err
}

// selection is the statement that reads the wanted parts of the documents that a
// condition on d selects, each followed by its passages. It is one statement:
// both are of one state.
func (s *Store) selection(parts engine.Parts, condition string) string {
	column := func(some engine.Parts, name, otherwise string) string {
		if parts.Has(some) {
			return name
		}
		return otherwise
	}
	text := fmt.Sprintf(`WITH wanted AS (SELECT d.ref FROM {c}.documents d WHERE %s)
		SELECT ref, -1 AS at, id, %s, %s, %s, %s FROM {c}.documents JOIN wanted USING (ref)`, condition,
		column(engine.Titles, "title", "''"), column(engine.Texts, "text", "''"),
		column(engine.Metadata, "metadata::text", "NULL"), column(engine.Vectors, "vector", "NULL::vector"))
	if parts.Has(engine.Texts | engine.PassageVectors) {
		text += fmt.Sprintf(` UNION ALL SELECT ref, at, '', '', %s, %s, %s FROM {c}.passages JOIN wanted USING (ref)`,
			column(engine.Texts, "text", "''"), column(engine.Texts, "place::text", "NULL"), column(engine.PassageVectors, "vector", "NULL::vector"))
	}
	return text + ` ORDER BY 1, 2`
}

// load reads the wanted parts of the documents that a condition selects, in the order
// of their refs, until the portion is full, if there is one.
func (s *Store) load(ctx context.Context, portion *storekit.ReadBudget, parts engine.Parts, condition string, args ...any) (docs []engine.Document, refs []engine.Ref, err error) {
	rows, err := s.query(ctx, s.selection(parts, condition), args, nil)
	if err != nil {
		return nil, nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var ref int64
		var at int
		var d engine.Document
		var metadata *string // of a passage: its place
		var v vector
		if err := rows.Scan(&ref, &at, &d.ID, &d.Title, &d.Text, &metadata, &v); err != nil {
			return nil, nil, err
		}
		if v != nil && len(v) != s.dim {
			return nil, nil, fmt.Errorf("a stored vector has dimension %d, the collection has %d", len(v), s.dim)
		}
		if at >= 0 { // of the document before
			last := &docs[len(docs)-1]
			p := engine.Passage{Text: d.Text, Vector: v}
			if metadata != nil {
				if err := json.Unmarshal([]byte(*metadata), &p.Place); err != nil {
					return nil, nil, fmt.Errorf("the place of a passage of %.64q: %w", last.ID, err)
				}
			}
			last.Passages = append(last.Passages, p)
			continue
		}
		if metadata != nil {
			d.Metadata = json.RawMessage(*metadata)
		}
		d.Vector = v
		if portion != nil && len(docs) > 0 && portion.Add(docs[len(docs)-1]) {
			return docs, refs, nil
		}
		docs, refs = append(docs, d), append(refs, refOf(ref))
	}
	return docs, refs, rows.Err()
}

// Read reads documents. Those of refs that were deleted or replaced since are not there.
func (d managedDriver) Read(ctx context.Context, refs []engine.Ref, want remote.Want, visit func(*remote.Entry) error) error {
	return d.visit(ctx, want, visit, "d.ref = ANY($1)", numbers(refs))
}

func (d managedDriver) visit(ctx context.Context, want remote.Want, visit func(*remote.Entry) error, condition string, arg any) error {
	docs, found, err := d.load(ctx, nil, want.Parts, condition, arg)
	for i, r := range found {
		if err == nil {
			err = visit(&remote.Entry{Ref: r, Document: docs[i]})
		}
	}
	return err
}

func (d managedDriver) Get(ctx context.Context, id string, want remote.Want, visit func(*remote.Entry) error) error {
	if !storable(id) {
		return nil
	}
	return d.visit(ctx, want, visit, "d.id = $1", id)
}

// List goes by refs, the order in which documents were last stored: batches are serialized, so
// no ref appears below an existing one.
func (d managedDriver) List(ctx context.Context, page engine.Page) ([]engine.Document, string, error) {
	if err := comparable(page.Filter); err != nil {
		return nil, "", err
	}
	last, err := strconv.ParseUint(cmp.Or(page.After, "0"), 10, 63)
	if err != nil {
		return nil, "", remote.BadMark(page.After)
	}
	args := arguments{int64(last), int64(page.Limit)}
	which := "d.ref > $1 AND " + condition(page.Filter, "d.ref", &args) + " ORDER BY d.ref LIMIT $2"
	docs, refs, err := d.load(ctx, storekit.BudgetOf(&page), page.Parts, which, args...)
	if err != nil || len(docs) == 0 {
		return nil, page.After, err
	}
	return docs, strconv.FormatUint(refs[len(refs)-1].Number, 10), nil
}

// Sample draws numbers between the least and the greatest ref and takes those that
// are refs: it costs as much for ten million documents as for ten thousand.
// Where few numbers are, all refs are put in the order of their hashed. The same
// state gives the same sample.
func (d managedDriver) Sample(ctx context.Context, n int) ([]engine.Ref, error) {
	var documents, first, last int64
	const bounds = `SELECT documents, coalesce((SELECT min(ref) FROM {c}.documents), 0), coalesce((SELECT max(ref) FROM {c}.documents), 0) FROM {c}.settings`
	if err := d.pool.QueryRow(ctx, d.statement(bounds)).Scan(&documents, &first, &last); err != nil {
		return nil, err
	}
	span := last - first + 1
	if 4*int64(n) >= documents || span > 20*documents {
		return d.refs(ctx, d.statement(`SELECT ref FROM {c}.documents ORDER BY hashint8(ref), ref LIMIT $1`), []any{n})
	}
	// Twice as many as should do: fewer than n refs are rare, and a sample too.
	r := rand.New(rand.NewPCG(1, 1))
	drawn := make([]int64, (2*int64(n)+20)*span/documents)
	for i := range drawn {
		drawn[i] = first + r.Int64N(span)
	}
	const text = `SELECT ref FROM (SELECT ref, min(at) AS at FROM unnest($1::bigint[]) WITH ORDINALITY AS drawn (ref, at) GROUP BY ref) first
			JOIN {c}.documents USING (ref) ORDER BY at LIMIT $2`
	return d.refs(ctx, d.statement(text), []any{drawn, n})
}

func (s *Store) query(ctx context.Context, text string, args []any, settings map[string]string) (*reading, error) {
	return s.ask(ctx, s.statement(text), args, settings)
}
