package indexing

import (
	"context"
	"errors"

	"golang.org/x/sync/semaphore"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/ingest"
)

// Reading runs ahead of encoding by so many documents, and by so many bytes of them.
const (
	aheadDocuments = 256
	aheadBytes     = 32 << 20
)

// piece is what is read at a time: a document, or the end of a source.
type piece struct {
	source *ingest.Source
	bytes  int64 // of the source that were read with it
	doc    engine.Document
	weight int64
	// end is what to note of the source when all of its documents are stored; nil: it
	// is not the end, and zero: it could not be read.
	end *ingest.Fingerprint
	err error // ends everything
}

// reader reads sources ahead.
type reader struct {
	pieces chan piece
	room   *semaphore.Weighted
}

// ahead begins to read what there is to do, until ctx is done.
func (p *Pass) ahead(ctx context.Context) *reader {
	r := &reader{make(chan piece, aheadDocuments), semaphore.NewWeighted(aheadBytes)}
	go func() {
		defer close(r.pieces)
		for i := range p.todo {
			if err := p.readInto(ctx, r, &p.todo[i]); err != nil {
				r.pieces <- piece{err: err}
				return
			}
		}
	}()
	return r
}

// take is what comes after a piece has been received.
func (r *reader) take(next piece) { r.room.Release(next.weight) }

// drain lets the reader end, whose context is done.
func (r *reader) drain() {
	for next := range r.pieces {
		r.take(next)
	}
}

// readInto reads one source.
func (p *Pass) readInto(ctx context.Context, r *reader, s *ingest.Source) error {
	// It is compared before it is read: a change that comes in between is then seen the
	// next time.
	now, _, err := s.Compare(ctx, ingest.Fingerprint{})
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		now = ingest.Fingerprint{} // reading it says why
	}
	read := p.run.Documents(ctx, *s)
	if p.options.Read != nil {
		read = p.options.Read(ctx, *s, p.skip)
	}
	p.position = 0
	before := int64(0)
	for doc, err := range read {
		if errors.Is(err, ErrUnread) {
			now = ingest.Fingerprint{}
			break
		}
		if err != nil {
			return err
		}
		next := piece{source: s, bytes: p.position - before, doc: doc, weight: min(weightOf(&doc), aheadBytes)}
		before = p.position
		if err := r.room.Acquire(ctx, next.weight); err != nil {
			return err
		}
		r.pieces <- next
	}
	r.pieces <- piece{source: s, bytes: max(s.Size-before, 0), end: &now}
	return nil
}

// weightOf is how many bytes a document takes.
func weightOf(d *engine.Document) int64 {
	n := len(d.Title) + len(d.Text) + len(d.Metadata) + 4*len(d.Vector)
	for _, p := range d.Passages {
		n += len(p.Text)
	}
	return int64(n)
}
