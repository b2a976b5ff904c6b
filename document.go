package nsfl

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"slices"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/passage"
)

// Document is a document to add. Only a title, a text or a passage is required.
type Document struct {
	// ID identifies the document; adding another with the same ID replaces it. If empty,
	// it is a prefix of the SHA-256 of title and text.
	ID    string
	Title string
	Text  string
	// Passages are parts of the text that are compared separately. If nil, the text is
	// split into passages of some hundred words, within the limit of the encoder.
	Passages []string
	// Places are the locations of the passages, one for each; nil if unknown.
	Places []passage.Place
	// Metadata holds the fields for predicates such as year:>=2015.
	Metadata map[string]any
	// Vector replaces the encoding of the document. Passages are then not compared
	// separately.
	Vector []float32
}

// stored converts the document to the store's form, without the vectors that the encoder
// computes.
func (d *Document) stored() (engine.Document, error) {
	out := engine.Document{ID: d.ID, Title: d.Title, Text: d.Text, Passages: engine.NewPassages(d.Passages), Vector: d.Vector}
	if d.Places != nil && len(d.Places) != len(d.Passages) {
		return out, engine.BadInput(fmt.Sprintf("document %q", d.ID), "it has %d passages and %d places; give one for each, or none", len(d.Passages), len(d.Places))
	}
	for i, p := range d.Places {
		out.Passages[i].Place = p
	}
	if d.Metadata != nil {
		var err error
		if out.Metadata, err = json.Marshal(d.Metadata); err != nil {
			return out, engine.BadInput(fmt.Sprintf("document %q", d.ID), "its metadata cannot be written as JSON: %v", err)
		}
	}
	return out, nil
}

// documentOf reverses stored. A title that was made a passage remains one.
func documentOf(d *engine.Document) (Document, error) {
	out := Document{ID: d.ID, Title: d.Title, Text: d.Text, Places: engine.Places(d.Passages), Vector: d.Vector}
	for _, p := range d.Passages {
		out.Passages = append(out.Passages, p.Text)
	}
	if len(d.Metadata) > 0 {
		if err := json.Unmarshal(d.Metadata, &out.Metadata); err != nil {
			return out, fmt.Errorf("reading the metadata of %q: %w", d.ID, err)
		}
	}
	return out, nil
}

// addBatch is the number of documents that Add encodes and stores at a time.
const addBatch = 256

// Add encodes and stores documents, replacing those with the same ids. It works in
// batches of 256: after an error, earlier batches are stored. Stored documents are on
// disk when Add returns.
func (c *Collection) Add(ctx context.Context, docs ...Document) error {
	return c.AddSeq(ctx, slices.Values(docs))
}

// AddSeq is Add for a sequence of documents.
func (c *Collection) AddSeq(ctx context.Context, docs iter.Seq[Document]) error {
	var batch []engine.Document
	store := func() error {
		if _, err := c.Encode(ctx, batch); err != nil {
			return err
		}
		err := c.store.Upsert(ctx, batch)
		batch = batch[:0]
		return err
	}
	for d := range docs {
		next, err := d.stored()
		if err != nil {
			return err
		}
		if batch = append(batch, next); len(batch) == addBatch {
			if err := store(); err != nil {
				return err
			}
		}
	}
	if len(batch) == 0 {
		return nil
	}
	return store()
}
