package index

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
)

// reading runs f on a view.
func (c *Collection) reading(ctx context.Context, doing string, f func(*view) error) error {
	leave, err := c.enter()
	if err != nil {
		return fmt.Errorf("%s: %w", doing, err)
	}
	defer leave()
	v, err := c.view(ctx)
	if err == nil {
		err = f(v)
		v.close()
	}
	return c.ledger.explain(doing, err)
}

// Get reads a document, with its vectors. It fails with ErrNotFound where there
// is none.
func (c *Collection) Get(ctx context.Context, id string) (Document, error) {
	var d Document
	err := c.reading(ctx, fmt.Sprintf("reading document %q", id), func(v *view) error {
		row := v.tx.QueryRowContext(ctx, `SELECT ordinal, id, title, text, passages, metadata FROM documents WHERE id = ?`, id)
		ordinal, err := d.scan(row.Scan)
		if errors.Is(err, sql.ErrNoRows) {
			return ErrNotFound
		}
		if err != nil {
			return err
		}
		slot, ok := v.find(ordinal)
		if !ok {
			return c.missing(id)
		}
		v.fillVectors(&d, slot)
		return nil
	})
	return d, err
}

// missing is the damage of a document without vectors.
func (c *Collection) missing(id string) error {
	return &DamageError{c.dir, Damage{File: ledgerName, Documents: []string{id}, Problem: "a document is not in the table"}}
}

// Documents reads documents by ordinal, with their vectors, all from one state of
// the collection. Where one has been deleted or replaced since, its ID is empty.
func (c *Collection) Documents(ctx context.Context, ordinals []Ordinal) ([]Document, error) {
	docs := make([]Document, len(ordinals))
	err := c.reading(ctx, "reading documents", func(v *view) error {
		get, err := v.tx.PrepareContext(ctx, `SELECT ordinal, id, title, text, passages, metadata FROM documents WHERE ordinal = ?`)
		if err != nil {
			return err
		}
		defer get.Close() //nolint:errcheck // the transaction ends with the view
		for i, o := range ordinals {
			slot, ok := v.find(o)
			if !ok {
				continue
			}
			if _, err := docs[i].scan(get.QueryRowContext(ctx, o).Scan); err != nil {
				return err
			}
			v.fillVectors(&docs[i], slot)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return docs, nil
}

// scan reads a row of documents.
func (d *Document) scan(scan func(...any) error) (Ordinal, error) {
	var ordinal Ordinal
	var passages, metadata sql.NullString
	if err := scan(&ordinal, &d.ID, &d.Title, &d.Text, &passages, &metadata); err != nil {
		return 0, err
	}
	if metadata.Valid {
		d.Metadata = json.RawMessage(metadata.String)
	}
	return ordinal, d.setPassages(passages)
}

// setPassages reads passages as the ledger has them.
func (d *Document) setPassages(passages sql.NullString) error {
	if !passages.Valid {
		return nil
	}
	var texts []string
	if err := json.Unmarshal([]byte(passages.String), &texts); err != nil {
		return fmt.Errorf("reading the passages: %w", err)
	}
	d.Passages = make([]Passage, len(texts))
	for i, t := range texts {
		d.Passages[i].Text = t
	}
	return nil
}

// fillVectors copies the vectors of a slot out of the mapped file.
func (s *snapshot) fillVectors(d *Document, slot int) {
	rows := s.vectors()[s.first(slot)*s.dim : s.end(slot)*s.dim]
	row := func(i int) []float32 { return append([]float32(nil), rows[i*s.dim:(i+1)*s.dim]...) }
	d.Vector = row(0)
	for i := range min(len(d.Passages), s.rowsOf(slot)-1) {
		d.Passages[i].Vector = row(1 + i)
	}
}

// Ordinal is that of the document that has an id. It fails with ErrNotFound where
// there is none.
func (c *Collection) Ordinal(ctx context.Context, id string) (Ordinal, error) {
	var o Ordinal
	err := c.reading(ctx, fmt.Sprintf("finding document %q", id), func(v *view) error {
		err := v.tx.QueryRowContext(ctx, `SELECT ordinal FROM documents WHERE id = ?`, id).Scan(&o)
		if errors.Is(err, sql.ErrNoRows) {
			return ErrNotFound
		}
		return err
	})
	return o, err
}

// List reads up to limit documents, with their vectors, in the order of ordinals, that is, in the order in which they were last stored. The first
// page is after 0, the next one after last, until a page is empty.
func (c *Collection) List(ctx context.Context, after Ordinal, limit int) (docs []Document, last Ordinal, err error) {
	if limit < 1 {
		return nil, after, &InputError{"page", fmt.Sprintf("%d documents long", limit)}
	}
	last = after
	err = c.reading(ctx, "listing documents", func(v *view) error {
		rows, err := v.tx.QueryContext(ctx,
			`SELECT ordinal, id, title, text, passages, metadata FROM documents WHERE ordinal > ? ORDER BY ordinal LIMIT ?`, after, limit)
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			var d Document
			if last, err = d.scan(rows.Scan); err != nil {
				return err
			}
			slot, ok := v.find(last)
			if !ok {
				return c.missing(d.ID)
			}
			v.fillVectors(&d, slot)
			docs = append(docs, d)
		}
		return rows.Err()
	})
	if err != nil {
		return nil, after, err
	}
	return docs, last, nil
}

// IDs names documents by ordinal. Where a document has been deleted or replaced
// since, its place is empty.
func (c *Collection) IDs(ctx context.Context, ordinals []Ordinal) ([]string, error) {
	ids := make([]string, len(ordinals))
	err := c.looking(ctx, "naming documents", func(s *snapshot) {
		for i, o := range ordinals {
			if slot, ok := s.find(o); ok {
				ids[i] = s.id(slot)
			}
		}
	})
	return ids, err
}

// Encoder is what Create was told that the vectors come from.
func (c *Collection) Encoder() string { return c.encoder }

// Count is the number of documents.
func (c *Collection) Count(ctx context.Context) (int, error) {
	var n int
	err := c.looking(ctx, "counting documents", func(s *snapshot) { n = s.live() })
	return n, err
}

// Stats describe a collection.
type Stats struct {
	Dimension  int
	Encoder    string
	Codes      Codes
	Generation int64 // counts commits
	Documents  int
	Vectors    int   // with those of deleted documents
	Deleted    int   // documents that Compact would reclaim
	Bytes      int64 // of the flat files
	CodeBytes  int64 // of which TopK reads these
}

// Stats describes the collection as it is now.
func (c *Collection) Stats(ctx context.Context) (Stats, error) {
	var st Stats
	err := c.looking(ctx, "describing the collection", func(s *snapshot) {
		lengths := s.lengths(s.state)
		st = Stats{
			Dimension: c.dim, Encoder: c.encoder, Codes: c.codes, Generation: s.generation,
			Documents: s.live(), Vectors: s.rows, Deleted: s.deaths,
			CodeBytes: lengths[fileCodes] + lengths[fileScales],
		}
		for _, n := range lengths {
			st.Bytes += n
		}
	})
	return st, err
}

// looking runs f on the newest snapshot.
func (c *Collection) looking(ctx context.Context, doing string, f func(*snapshot)) error {
	leave, err := c.enter()
	if err != nil {
		return fmt.Errorf("%s: %w", doing, err)
	}
	defer leave()
	s, err := c.acquire(ctx)
	if err != nil {
		return fmt.Errorf("%s: %w", doing, err)
	}
	defer c.release(s)
	f(s)
	return nil
}
