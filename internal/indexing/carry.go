package indexing

import (
	"context"
	"fmt"
	"time"

	"github.com/nsfl-go/nsfl/ingest"
	"github.com/nsfl-go/nsfl/internal/progress"
	"github.com/nsfl-go/nsfl/internal/workspace"
)

// carrier is a pass that is being carried out.
type carrier struct {
	*Pass
	to    Collection
	bar   *progress.Bar
	given map[string]string // the file of each id of this pass

	batch    []piece
	passages int   // of the batch
	bytes    int64 // of its documents
	limit    int   // of passages
	ends     []piece
	commit   *time.Timer

	stored, encoded *progress.Meter // documents and passages
}

// Carry reads what there is to read into the collection that the pass was compared with,
// and removes what is not there any more.
func (p *Pass) Carry(ctx context.Context, to Collection) error {
	began := time.Now()
	defer func() { p.Seconds = time.Since(began).Seconds() }()
	c := &carrier{Pass: p, to: to, given: map[string]string{}, limit: firstPassages, commit: time.NewTimer(commitTime), stored: progress.NewMeter(nil), encoded: progress.NewMeter(nil)}
	defer c.commit.Stop()
	bar := p.options.Bar
	if bar == nil {
		bar = func(int64) *progress.Bar { return progress.New(nil, progress.Options{Quiet: true}) }
	}
	c.bar = bar(p.total())
	c.bar.Tell(c.rates)
	defer c.bar.Done("")
	if len(p.seen) > 0 {
		if err := to.NoteFiles(ctx, p.seen); err != nil {
			return err
		}
	}
	if err := c.read(ctx); err != nil {
		return err
	}
	for _, name := range p.gone {
		if err := c.remove(ctx, name); err != nil {
			return err
		}
		if err := to.NoteFiles(ctx, map[string]*ingest.Fingerprint{name: nil}); err != nil {
			return err
		}
		p.Gone++
	}
	return nil
}

// read stores what is read, until there is no more.
func (c *carrier) read(ctx context.Context) error {
	reading, stop := context.WithCancel(ctx)
	r := c.ahead(reading)
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
			r.take(next)
			if err := c.add(ctx, next); err != nil {
				return err
			}
		}
	}
}

// add puts a piece to the batch, which is stored first where it is full.
func (c *carrier) add(ctx context.Context, next piece) error {
	if next.err != nil {
		return next.err
	}
	if next.end != nil {
		c.bar.Skip(next.bytes)
		c.ends = append(c.ends, next)
		return nil
	}
	var err error
	if next.doc.Metadata, err = workspace.WithFile(next.doc.Metadata, next.source.Name); err != nil {
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

// finish removes what is not in the files any more of which all is stored, and notes
// them.
func (c *carrier) finish(ctx context.Context) error {
	notes := map[string]*ingest.Fingerprint{}
	for _, e := range c.ends {
		if *e.end == (ingest.Fingerprint{}) {
			continue // it has been told as a skip
		}
		name := e.source.Name
		// The one document of a new file has nothing before it. Of several, an
		// interruption may have left some that are not there any more.
		if _, known := c.files[name]; known || e.docs > 1 {
			if err := c.remove(ctx, name); err != nil {
				return err
			}
		}
		notes[name] = e.end
		c.Files++
	}
	c.ends = c.ends[:0]
	if len(notes) == 0 {
		return nil
	}
	// What is stored is noted, also where it is interrupted in between.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), noteTime)
	defer cancel()
	return c.to.NoteFiles(ctx, notes)
}

// remove deletes the documents of a file, but for those that this pass has read.
func (c *carrier) remove(ctx context.Context, file string) error {
	ids, err := c.to.DocumentsOf(ctx, file)
	if err != nil {
		return err
	}
	var gone []string
	for _, id := range ids {
		if c.given[id] != file {
			gone = append(gone, id)
		}
	}
	if len(gone) == 0 {
		return nil
	}
	n, err := c.to.Delete(ctx, gone)
	c.Removed += n
	return err
}

// rates are what is stored so far, and how fast.
func (c *carrier) rates() string {
	return fmt.Sprintf("%s, %s", c.stored.Show("documents"), c.encoded.Show("passages"))
}
