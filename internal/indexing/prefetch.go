package indexing

import (
	"context"
	"errors"

	"golang.org/x/sync/semaphore"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/internal/ingest"
)

// Limits on how many documents and bytes are read ahead of encoding.
const (
	aheadDocuments = 256
	aheadBytes     = 32 << 20
)

// piece is the unit of reading: a document, or the end of a source.
type piece struct {
	source *ingest.Source
	bytes  int64  // bytes of the source read with it
	sum    string // SHA256 of the source
	doc    engine.Document
	weight int64
	// end is the fingerprint to record once all documents of the source are stored; nil
	// if this is not the end.
	end    *ingest.Fingerprint
	unread bool  // at the end: the source could not be read
	err    error // aborts the pass
}

// reader reads sources ahead of encoding.
type reader struct {
	pieces chan piece
	room   *semaphore.Weighted // for bytes; who receives a piece releases its weight
}

// prefetch starts reading the changed sources, until ctx is done.
func (p *Pass) prefetch(ctx context.Context) *reader {
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

// drain waits for the reader to end after its context is done.
func (r *reader) drain() {
	for next := range r.pieces {
		r.room.Release(next.weight)
	}
}

func (p *Pass) readInto(ctx context.Context, r *reader, s *ingest.Source) error {
	// Take the fingerprint before reading: a change in between is then noticed in the
	// next pass.
	now, _, err := s.Compare(ctx, ingest.Fingerprint{})
	if ctx.Err() != nil {
		return ctx.Err()
	}
	unread := err != nil // reading it reports the error
	read := p.run.Documents(ctx, *s)
	if p.options.Read != nil {
		read = p.options.Read(ctx, *s, p.skip)
	}
	p.position = 0
	counted := int64(0) // bytes of the file in the pieces so far
	for doc, err := range read {
		if errors.Is(err, ErrUnread) {
			unread = true
			break
		}
		if err != nil {
			return err
		}
		// A file is read in chunks; the first document of a chunk has all its bytes.
		next := piece{source: s, sum: now.SHA256, doc: doc, bytes: p.position - counted, weight: min(weightOf(&doc), aheadBytes)}
		counted = p.position
		if err := r.room.Acquire(ctx, next.weight); err != nil {
			return err
		}
		r.pieces <- next
	}
	r.pieces <- piece{source: s, bytes: max(s.Size-counted, 0), end: &now, unread: unread}
	return nil
}

// weightOf returns the size of a document in bytes.
func weightOf(d *engine.Document) int64 {
	n := len(d.Title) + len(d.Text) + len(d.Metadata) + 4*len(d.Vector)
	for _, p := range d.Passages {
		n += len(p.Text)
	}
	return int64(n)
}
