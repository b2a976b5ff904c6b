package indexing

import (
	"context"
	"errors"
	"time"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/ingest"
)

// What an interruption loses is what is not stored yet: at most so many documents and
// bytes, and as many passages as are encoded within commitTime.
const (
	batchDocuments = 256
	batchBytes     = 8 << 20
	commitTime     = 2 * time.Second
	firstPassages  = 64 // before it is known how fast they are encoded
	minPassages    = 16
	maxPassages    = 2048
)

// noteTime is how long an interruption waits for the notes of a batch.
const noteTime = 10 * time.Second

// passagesOf is how many passages a document has; one that is not cut is one.
func passagesOf(d *engine.Document) int { return max(len(d.Passages), 1) }

// flush stores the batch, then notes the files that are done.
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

// store stores what has changed of the batch.
func (c *applier) store(ctx context.Context) error {
	changed, err := c.settle(ctx)
	if err != nil {
		return err
	}
	same, places := int64(0), map[string]string{}
	for _, next := range c.batch {
		same += next.bytes
	}
	for _, next := range changed {
		same -= next.bytes
		places[next.source.Name] = next.source.Place
	}
	c.bar.Skip(same)
	if len(changed) == 0 {
		return nil
	}
	if err := c.begin(ctx, places); err != nil {
		return err
	}
	began, before := time.Now(), c.Passages
	var input *engine.InputError
	if err = c.put(ctx, changed); errors.As(err, &input) {
		// One of them cannot be stored; the others can.
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

// begin notes of files, whose documents are about to change, that these may not be those
// of any content: the next pass reads them again, or removes what is stored of them,
// unless this one comes to an end with them.
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

// put stores documents, and counts them. The only one that cannot be stored is skipped.
func (c *applier) put(ctx context.Context, some []piece) error {
	docs := make([]engine.Document, len(some))
	bytes, passages := int64(0), 0
	for i, next := range some {
		docs[i] = next.doc
		bytes, passages = bytes+next.bytes, passages+passagesOf(&next.doc)
	}
	cut, err := c.to.Store(ctx, docs)
	var input *engine.InputError
	if errors.As(err, &input) && len(some) == 1 {
		c.skip(ingest.Skip{Path: some[0].source.Path, Kind: ingest.Malformed, Reason: input.Error()})
		c.bar.Skip(bytes)
		return nil
	}
	if err != nil {
		return err
	}
	c.Documents, c.Passages, c.Cut = c.Documents+len(docs), c.Passages+passages, c.Cut+cut
	c.stored.Add(int64(len(docs)))
	c.encoded.Add(int64(passages))
	c.bar.Add(bytes)
	return nil
}
