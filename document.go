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

// Document is what a collection is given. Only a title, a text or a passage is
// needed.
type Document struct {
	// ID names the document; adding another with the same ID replaces it. Empty:
	// the beginning of the sha256 of title and text.
	ID    string
	Title string
	Text  string
	// Passages are parts of the text that are compared on their own. Nil: the
	// text is cut into passages of some hundred words, none longer than the encoder
	// reads.
	Passages []string
	// Places are where the passages begin, one for each; nil: that is not known.
	Places []passage.Place
	// Metadata are the fields that predicates such as year:>=2015 read.
	Metadata map[string]any
	// Vector stands for the document in place of what the encoder would make of
	// it, and passages are then not compared on their own.
	Vector []float32
}

// stored is the document as a store has it, but for vectors that the encoder makes.
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

// documentOf is what stored made of a document. Where the title was made a passage,
// it still is one.
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

// addBatch is how many documents Add encodes and stores at a time.
const addBatch = 256

// Add encodes documents and stores them, in place of those that have their ids.
// It does so in batches of 256: after an error, the batches before it are stored.
// What is stored is on the disk when Add returns.
func (c *Collection) Add(ctx context.Context, docs ...Document) error {
	return c.AddSeq(ctx, slices.Values(docs))
}

// AddSeq is Add for documents that come one by one.
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
