package indexing

import (
	"context"
	"errors"
	"time"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/internal/ingest"
)

// An interruption loses only what is not stored yet: at most this many documents and
// bytes, and the passages encoded within commitTime.
const (
	batchDocuments = 256
	batchBytes     = 8 << 20
	commitTime     = 2 * time.Second
	firstPassages  = 64 // until the encoding speed is known
	minPassages    = 16
	maxPassages    = 2048
)

// noteTime is how long an interruption waits to record a batch.
const noteTime = 10 * time.Second

// passagesOf returns the number of passages of a document; an unsplit document counts as
// one.
func passagesOf(d *engine.Document) int { return max(len(d.Passages), 1) }

// flush stores the batch, then records the finished files.
func (c *applier) flush(ctx context.Context) error {
	defer c.commit.Reset(commitTime)
	if len(c.batch) > 0 {
		if err := c.store(ctx); err != nil {
			return err
		}
		c.batch, c.passages, c.bytes = c.batch[:0], 0, 0
	}
	return c.finish(ctx)
}

// store stores the changed documents of the batch.
func (c *applier) store(ctx context.Context) error {
	changed, err := c.settle(ctx)
	if err != nil {
		return err
	}
	if len(changed) == 0 {
		return nil
	}
	places := map[string]string{}
	for _, next := range changed {
		places[next.source.Name] = next.source.Place
	}
	if err := c.begin(ctx, places); err != nil {
		return err
	}
	if changed, err = c.reuse(ctx, changed); err != nil || len(changed) == 0 {
		return err
	}
	began, before := time.Now(), c.Passages
	var input *engine.InputError
	if err = c.put(ctx, changed); errors.As(err, &input) {
		// One of them cannot be stored; store the others.
		for i := range changed {
			if err = c.put(ctx, changed[i:i+1]); err != nil {
				return err
			}
		}
	}
	if err != nil {
		return err
	}
	if n := c.Passages - before; n > 0 {
		perSecond := float64(n) / time.Since(began).Seconds()
		c.limit = min(max(int(perSecond*commitTime.Seconds()), minPassages), maxPassages)
	}
	return nil
}

// begin marks files whose documents are about to change as incomplete: unless this pass
// finishes them, the next one reads them again or removes their documents.
func (c *applier) begin(ctx context.Context, places map[string]string) error {
	notes := map[string]*ingest.Fingerprint{}
	for name, place := range places {
		if !c.begun[name] {
			notes[name], c.begun[name] = &ingest.Fingerprint{Place: place}, true
		}
	}
	if len(notes) == 0 {
		return nil
	}
	return c.to.NoteFiles(ctx, notes)
}

// put stores and counts documents. A single document that cannot be stored is skipped.
func (c *applier) put(ctx context.Context, some []piece) error {
	docs := make([]engine.Document, len(some))
	bytes, passages := int64(0), 0
	for i, next := range some {
		docs[i] = next.doc
		bytes, passages = bytes+next.bytes, passages+passagesOf(&next.doc)
	}
	cut, err := c.to.Put(ctx, docs)
	var input *engine.InputError
	if errors.As(err, &input) && len(some) == 1 {
		c.skip(ingest.Skip{Path: some[0].source.Path, Kind: ingest.Malformed, Reason: input.Error()})
		c.skipBytes(some[0])
		return nil
	}
	if err != nil {
		return err
	}
	c.Documents, c.Passages, c.Cut = c.Documents+len(docs), c.Passages+passages, c.Cut+cut
	for _, next := range some {
		c.pace.count(next.source, next.bytes, encodedBytes(&next.doc))
	}
	c.bar.Add(bytes)
	return nil
}
