package indexing

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/internal/ingest"
	"github.com/nsfl-go/nsfl/internal/progress"
)

// applier is a pass being applied.
type applier struct {
	*Pass
	to    Collection
	bar   *progress.Bar
	pace  *pace
	given map[string]string // the file of each id in this pass
	begun map[string]bool   // files whose documents have changed
	ended map[string]bool   // files read to the end

	twins     map[string]string // indexed files by the SHA256 of their content
	recalled  string            // the file of documents
	documents []engine.Document

	batch    []piece
	passages int   // in the batch
	bytes    int64 // size of its documents
	limit    int   // passages per batch
	ends     []piece
	commit   *time.Timer
}

// Apply indexes new and changed files in the collection that the pass was compared with,
// and removes the documents of deleted files.
func (p *Pass) Apply(ctx context.Context, to Collection) error {
	began := time.Now()
	defer func() { p.Seconds = time.Since(began).Seconds() }()
	c := &applier{Pass: p, to: to, given: map[string]string{}, begun: map[string]bool{}, ended: map[string]bool{}, limit: firstPassages, commit: time.NewTimer(commitTime)}
	defer c.commit.Stop()
	c.twins = map[string]string{}
	for name, f := range p.files {
		if was, has := c.twins[f.SHA256]; f.SHA256 != "" && (!has || name < was) {
			c.twins[f.SHA256] = name
		}
	}
	bar := p.options.Bar
	if bar == nil {
		bar = func(int64) *progress.Bar { return progress.New(nil, progress.Options{Quiet: true}) }
	}
	c.bar = bar(p.total())
	c.pace = newPace(p.todo)
	c.bar.Estimate(c.pace.estimate)
	c.bar.Tell(func() string { return fmt.Sprintf("%d documents, %d passages", c.Documents, c.Passages) })
	defer c.bar.Done("")
	if len(p.seen) > 0 {
		if err := to.NoteFiles(ctx, p.seen); err != nil {
			return err
		}
	}
	if err := c.read(ctx); err != nil {
		return err
	}
	for some := range slices.Chunk(p.gone, batchDocuments) {
		if err := c.forget(ctx, some); err != nil {
			return err
		}
	}
	return nil
}

// read stores documents as they are read, to the end.
func (c *applier) read(ctx context.Context) error {
	reading, stop := context.WithCancel(ctx)
	r := c.prefetch(reading)
	defer r.drain()
	defer stop()
	for {
		select {
		case <-c.commit.C:
			if err := c.flush(ctx); err != nil {
				return err
			}
		case next, more := <-r.pieces:
			if !more {
				return c.flush(ctx)
			}
			r.room.Release(next.weight)
			if err := c.add(ctx, next); err != nil {
				return err
			}
		}
	}
}

// add appends a piece to the batch, flushing the batch first if it is full.
func (c *applier) add(ctx context.Context, next piece) error {
	if next.err != nil {
		return next.err
	}
	if next.end != nil {
		c.skipBytes(next)
		if !next.unread { // otherwise it was reported as a skip
			c.ends = append(c.ends, next)
			c.ended[next.source.Name] = true
		}
		return nil
	}
	if err := describe(&next.doc, next.source); err != nil {
		return err
	}
	n, size := passagesOf(&next.doc), weightOf(&next.doc)
	if len(c.batch) == batchDocuments || len(c.batch) > 0 && (c.passages+n > c.limit || c.bytes+size > batchBytes) {
		if err := c.flush(ctx); err != nil {
			return err
		}
	}
	c.batch, c.passages, c.bytes = append(c.batch, next), c.passages+n, c.bytes+size
	return nil
}

// skipBytes reports progress for a piece that was not encoded.
func (c *applier) skipBytes(next piece) {
	c.bar.Skip(next.bytes)
	c.pace.count(next.source, next.bytes, 0)
}

// finish removes documents that are no longer in the files stored completely, and records
// these files.
func (c *applier) finish(ctx context.Context) error {
	notes, known := map[string]*ingest.Fingerprint{}, map[string]string{}
	for _, e := range c.ends {
		name := e.source.Name
		if _, was := c.files[name]; was {
			known[name] = e.source.Place
		}
		notes[name] = e.end
	}
	if err := c.remove(ctx, known); err != nil {
		return err
	}
	c.Files += len(c.ends)
	c.ends = c.ends[:0]
	if len(notes) == 0 || len(c.files)+len(c.begun) == 0 { // do not create a collection just for notes
		return nil
	}
	// Record what is stored even if interrupted.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), noteTime)
	defer cancel()
	return c.to.NoteFiles(ctx, notes)
}

func (c *applier) forget(ctx context.Context, names []string) error {
	places, notes := map[string]string{}, map[string]*ingest.Fingerprint{}
	for _, name := range names {
		places[name], notes[name] = c.files[name].Place, nil
	}
	if err := c.remove(ctx, places); err != nil {
		return err
	}
	c.Gone += len(names)
	return c.to.NoteFiles(ctx, notes)
}

// remove deletes the documents of files, given by name and place, except those read in
// this pass.
func (c *applier) remove(ctx context.Context, places map[string]string) error {
	var gone []string
	changed := map[string]string{}
	for file, place := range places {
		ids, err := c.to.DocumentsOf(ctx, file)
		if err != nil {
			return err
		}
		for _, id := range ids {
			if c.given[id] != file {
				gone, changed[file] = append(gone, id), place
			}
		}
	}
	if len(gone) == 0 {
		return nil
	}
	if err := c.begin(ctx, changed); err != nil {
		return err
	}
	n, err := c.to.Delete(ctx, gone...)
	c.Removed += n
	return err
}
