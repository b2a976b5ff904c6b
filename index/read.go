package index

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/internal/storekit"
	"github.com/nsfl-go/nsfl/passage"
)

// withView runs f on a view.
func (c *Collection) withView(ctx context.Context, doing string, f func(*view) error) error {
	return c.call(doing, func() error {
		v, err := c.view(ctx)
		if err == nil {
			defer v.close()
			err = v.guard(func() error { return f(v) })
		}
		return c.ledger.classify(err)
	})
}

// withSnapshot runs f on the newest snapshot.
func (c *Collection) withSnapshot(ctx context.Context, doing string, f func(*snapshot) error) error {
	return c.call(doing, func() error {
		return c.selecting(ctx, nil, func(s *search) error { return f(s.snapshot) })
	})
}

// Get reads a document. It returns engine.ErrNotFound if there is none.
func (c *Collection) Get(ctx context.Context, id string, parts engine.Parts) (engine.Document, error) {
	var d engine.Document
	err := c.withView(ctx, fmt.Sprintf("reading document %q", id), func(v *view) error {
		o, err := v.ordinalOf(ctx, id)
		if err != nil {
			return err
		}
		slot, ok := v.find(o)
		if !ok {
			return c.missing(id)
		}
		read, err := v.reader(ctx, parts)
		if err != nil {
			return err
		}
		d, err = read(slot)
		return err
	})
	return d, err
}

// ordinalOf returns the ordinal of the document with the given id.
func (v *view) ordinalOf(ctx context.Context, id string) (o Ordinal, err error) {
	err = v.tx.QueryRowContext(ctx, `SELECT ordinal FROM documents WHERE id = ?`, id).Scan(&o)
	if errors.Is(err, sql.ErrNoRows) {
		err = engine.ErrNotFound
	}
	return o, err
}

// missing returns the damage of a document without a record.
func (c *Collection) missing(id string) error {
	return &DamageError{c.dir, Damage{File: ledgerName, Documents: []string{id}, Problem: "the document has no record in the table"}}
}

// inLedger are the parts stored only in the ledger; ids and vectors are in the files.
// PassageVectors needs the ledger for the number of passages.
const inLedger = engine.Titles | engine.Texts | engine.Metadata | engine.PassageVectors

// Documents reads documents from one state of the collection, up to a portion of them.
// The ID of a document that has since been deleted or replaced is empty.
func (c *Collection) Documents(ctx context.Context, refs []engine.Ref, parts engine.Parts) ([]engine.Document, error) {
	docs := make([]engine.Document, 0, len(refs))
	fill := func(s *snapshot, read func(slot int) (engine.Document, error)) (err error) {
		var portion storekit.ReadBudget
		for _, r := range refs {
			var d engine.Document
			if slot, ok := s.find(ordinalOf(r)); ok {
				if d, err = read(slot); err != nil {
					return err
				}
			}
			if docs = append(docs, d); portion.Add(d) {
				break
			}
		}
		return nil
	}
	const doing = "reading documents"
	var err error
	if parts.Has(inLedger) {
		err = c.withView(ctx, doing, func(v *view) error {
			read, err := v.reader(ctx, parts)
			if err != nil {
				return err
			}
			return fill(v.snapshot, read)
		})
	} else {
		err = c.withSnapshot(ctx, doing, func(s *snapshot) error {
			return fill(s, func(slot int) (engine.Document, error) { return s.inFiles(slot, parts), nil })
		})
	}
	if err != nil {
		return nil, err
	}
	return docs, nil
}

// inFiles returns the parts of a document that are in the files.
func (s *snapshot) inFiles(slot int, parts engine.Parts) engine.Document {
	d := engine.Document{ID: s.id(slot)}
	if parts.Has(engine.Vectors) {
		d.Vector = s.row(slot, 0)
	}
	return d
}

// checkVectors compares the vectors of a slot with their checksum. It is used where all
// of them are read anyway; in a search it would double the cost.
func (s *snapshot) checkVectors(slot int) error {
	part := s.spans(s.shape, slot)[fileVectors]
	if checksum(s.fileBytes(fileVectors)[part.offset:][:part.length]) == s.at(slot).sums[fileVectors] {
		return nil
	}
	return &DamageError{s.dir, Damage{File: s.fileName(fileVectors, s.epoch), Offset: part.offset, Length: int64(part.length),
		Documents: []string{s.id(slot)}, Problem: "the checksum of the vectors does not match"}}
}

// row copies the i-th vector of a slot out of the mapped file.
func (s *snapshot) row(slot, i int) []float32 {
	at := (s.first(slot) + i) * s.dim
	return append([]float32(nil), s.vectors()[at:at+s.dim]...)
}

// reader returns a function that reads the document of a slot with one prepared
// statement.
func (v *view) reader(ctx context.Context, parts engine.Parts) (func(slot int) (engine.Document, error), error) {
	var title, text string
	var passages, metadata sql.NullString
	var columns []string
	var targets []any
	for _, column := range []struct {
		parts engine.Parts
		name  string
		to    any
	}{
		{engine.Titles, "title", &title},
		{engine.Texts, "text", &text},
		{engine.Texts | engine.PassageVectors, "passages", &passages},
		{engine.Metadata, "metadata", &metadata},
	} {
		if parts.Has(column.parts) {
			columns, targets = append(columns, column.name), append(targets, column.to)
		}
	}
	if len(columns) == 0 {
		return func(slot int) (engine.Document, error) { return v.inFiles(slot, parts), nil }, nil
	}
	var id string
	var sum uint32
	whole := len(columns) == 4
	if whole { // columns covered by the checksum
		columns, targets = append(columns, "id", "checksum"), append(targets, &id, &sum)
	}
	// The statement is closed with the transaction when the view ends.
	get, err := v.tx.PrepareContext(ctx, `SELECT `+strings.Join(columns, ", ")+` FROM documents WHERE ordinal = ?`)
	if err != nil {
		return nil, err
	}
	return func(slot int) (engine.Document, error) {
		d := v.inFiles(slot, parts)
		err := get.QueryRowContext(ctx, v.ordinal(slot)).Scan(targets...)
		if errors.Is(err, sql.ErrNoRows) {
			return d, fmt.Errorf("document %q is in the files but not in the ledger; run nsfl verify", d.ID)
		}
		if err != nil {
			return d, err
		}
		if whole && (id != d.ID || bodyChecksum(id, title, text, passages, metadata) != sum) {
			return d, &DamageError{v.dir, Damage{File: ledgerName, Documents: []string{d.ID}, Problem: "the checksum of the document does not match"}}
		}
		if whole && parts.Has(engine.Vectors) && parts.Has(engine.PassageVectors) {
			if err := v.checkVectors(slot); err != nil {
				return d, err
			}
		}
		d.Title, d.Text = title, text
		if metadata.Valid {
			d.Metadata = json.RawMessage(metadata.String)
		}
		if d.Passages, err = readPassages(passages); err != nil {
			return d, err
		}
		for i := range d.Passages {
			if parts.Has(engine.PassageVectors) && i+1 < v.rowsOf(slot) {
				d.Passages[i].Vector = v.row(slot, i+1)
			}
			if !parts.Has(engine.Texts) {
				d.Passages[i].Text, d.Passages[i].Place = "", passage.Place{}
			}
		}
		return d, nil
	}, nil
}

// readPassages decodes passages from the ledger.
func readPassages(passages sql.NullString) ([]engine.Passage, error) {
	if !passages.Valid {
		return nil, nil
	}
	var out []engine.Passage
	if err := json.Unmarshal([]byte(passages.String), &out); err != nil {
		return nil, fmt.Errorf("reading the passages: %w", err)
	}
	return out, nil
}

// Find returns the Ref of the document with the given id. It returns engine.ErrNotFound
// if there is none.
func (c *Collection) Find(ctx context.Context, id string) (engine.Ref, error) {
	var o Ordinal
	err := c.withView(ctx, fmt.Sprintf("finding document %q", id), func(v *view) (err error) {
		o, err = v.ordinalOf(ctx, id)
		return err
	})
	return refOf(o), err
}

// List orders documents by ordinal, that is, by when they were last stored.
func (c *Collection) List(ctx context.Context, page engine.Page) (docs []engine.Document, mark string, err error) {
	if page.Limit < 1 {
		return nil, page.After, engine.BadInput("page", "limit %d is less than 1", page.Limit)
	}
	var after uint64
	if page.After != "" {
		if after, err = strconv.ParseUint(page.After, 10, 32); err != nil {
			return nil, page.After, engine.BadInput("page", "%q is not the mark of a previous page", page.After)
		}
	}
	mark = page.After
	err = c.withView(ctx, "listing documents", func(v *view) error {
		passes := func(slot int) bool { return !v.dead.has(slot) }
		if page.Filter != nil {
			pass, err := v.passing(ctx, page.Filter)
			if err != nil {
				return err
			}
			passes = pass.has
		}
		read, err := v.reader(ctx, page.Parts)
		if err != nil {
			return err
		}
		portion := storekit.BudgetOf(&page)
		for slot, full := v.following(Ordinal(after)), false; slot < v.slots && len(docs) < page.Limit && !full; slot++ {
			if !passes(slot) {
				continue
			}
			d, err := read(slot)
			if err != nil {
				return err
			}
			docs, mark = append(docs, d), strconv.FormatUint(uint64(v.ordinal(slot)), 10)
			full = portion.Add(d)
		}
		return nil
	})
	if err != nil {
		return nil, page.After, err
	}
	return docs, mark, nil
}

// Sample returns documents at even intervals, skipping deleted ones. The same state
// yields the same sample.
func (c *Collection) Sample(ctx context.Context, n int) ([]engine.Ref, error) {
	var out []engine.Ref
	err := c.withSnapshot(ctx, "sampling documents", func(s *snapshot) error {
		s.evenly(n, func(slot int) { out = append(out, refOf(s.ordinal(slot))) })
		return nil
	})
	return out, err
}

// evenly calls f for up to n live slots at even intervals.
func (s *snapshot) evenly(n int, f func(slot int)) {
	n = min(n, s.slots)
	for i := range n {
		if slot := int(int64(i) * int64(s.slots) / int64(n)); !s.dead.has(slot) {
			f(slot)
		}
	}
}

// Encoder returns the encoder identity passed to Create.
func (c *Collection) Encoder() string { return c.encoder }

// Size returns the current size of the collection.
func (c *Collection) Size(ctx context.Context) (engine.Size, error) {
	s, err := c.Stats(ctx)
	return engine.Size{Documents: s.Documents, Vectors: s.Vectors, Dimension: s.Dimension}, err
}

// Stats describes a collection.
type Stats struct {
	Dimension  int
	Encoder    string
	Generation int64 // counts commits
	Documents  int
	Vectors    int   // including vectors of deleted documents
	Deleted    int   // documents that Compact would reclaim
	Bytes      int64 // of the flat files
	CodeBytes  int64 // the part of Bytes that searches scan
	Space      int64 // Bytes plus the ledger, which a quota counts; 0 from Files
}

// Stats describes the current state of the collection.
func (c *Collection) Stats(ctx context.Context) (Stats, error) {
	var st Stats
	err := c.withSnapshot(ctx, "describing the collection", func(s *snapshot) error {
		st = s.stats(c.settings)
		err := c.ledger.db.QueryRowContext(ctx, ledgerBytes).Scan(&st.Space)
		st.Space += st.Bytes
		return c.ledger.explain("reading the size of the ledger", err)
	})
	return st, err
}

func (s *snapshot) stats(of settings) Stats {
	lengths := s.lengths(s.state)
	st := Stats{
		Dimension: of.dim, Encoder: of.encoder, Generation: s.generation,
		Documents: s.live(), Vectors: s.rows, Deleted: s.deaths,
		CodeBytes: lengths[fileCodes] + lengths[fileScales],
	}
	for _, n := range lengths {
		st.Bytes += n
	}
	return st
}
