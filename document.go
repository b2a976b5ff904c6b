package nsfl

import (
	"context"
	"iter"
	"slices"

	"github.com/nsfl-go/nsfl/engine"
)

// Document is a document, and Passage a part of it that is compared separately; see package
// engine. Only a title, a text or a passage is required. If the ID is empty, it is a prefix of
// the SHA-256 of title and text. If Passages is nil, the text is split into passages of some
// hundred words, within the limit of the encoder. A Vector replaces the encoding of the
// document, whose passages are then not compared separately.
type (
	Document = engine.Document
	Passage  = engine.Passage
)

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
	var batch []Document
	store := func() error {
		if _, err := c.Encode(ctx, batch); err != nil {
			return err
		}
		err := c.store.Upsert(ctx, batch)
		batch = batch[:0]
		return err
	}
	for d := range docs {
		d.Passages = slices.Clone(d.Passages) // Encode changes them
		if batch = append(batch, d); len(batch) == addBatch {
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
