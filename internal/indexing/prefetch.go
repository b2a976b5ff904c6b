package indexing

import (
	"context"
	"errors"
	"time"

	"golang.org/x/sync/semaphore"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/ingest"
)

// Reading runs ahead of encoding by so many documents, and by so many bytes of them.
const (
	aheadDocuments = 256
	aheadBytes     = 32 << 20
)

// Documents that came of one piece of a file are held for so many bytes, and so long.
const (
	heldBytes = 1 << 20
	heldTime  = 200 * time.Millisecond
)

// piece is what is read at a time: a document, or the end of a source.
type piece struct {
	source *ingest.Source
	bytes  int64 // of the source that were read with it
	doc    engine.Document
	weight int64
	// end is what to note of the source when all of its documents are stored; nil: it
	// is not the end.
	end    *ingest.Fingerprint
	unread bool  // at the end: it could not be read
	err    error // ends everything
}

// reader reads sources ahead.
type reader struct {
	pieces chan piece
	room   *semaphore.Weighted
}

// prefetch begins to read what there is to do, until ctx is done.
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
	unread := err != nil // reading it says why
	read := p.run.Documents(ctx, *s)
	if p.options.Read != nil {
		read = p.options.Read(ctx, *s, p.skip)
	}
	h := &held{reader: r}
	p.position = 0
	for doc, err := range read {
		if errors.Is(err, ErrUnread) {
			unread = true
			break
		}
		if err != nil {
			return err
		}
		next := piece{source: s, doc: doc, weight: min(weightOf(&doc), aheadBytes)}
		if err := r.room.Acquire(ctx, next.weight); err != nil {
			return err
		}
		h.add(next, p.position)
	}
	r.pieces <- piece{source: s, bytes: h.send(s.Size), end: &now, unread: unread}
	return nil
}

// held are documents that came of the same piece of a file, which is read by many
// kilobytes: each has as much of it as the others.
type held struct {
	*reader
	pieces   []piece
	weight   int64
	since    time.Time
	position int64 // of the file, when they came
	sent     int64 // bytes of the file
}

// add holds a document that came at a position. Those that came before are sent.
func (h *held) add(next piece, position int64) {
	if position != h.position || h.weight+next.weight > heldBytes || time.Since(h.since) > heldTime {
		h.send(h.position)
		h.since = time.Now()
	}
	h.pieces, h.weight, h.position = append(h.pieces, next), h.weight+next.weight, position
}

// send sends what is held with the bytes of the file up to a position, and tells how many
// are left where nothing is.
func (h *held) send(position int64) (left int64) {
	left = max(position-h.sent, 0)
	for i, next := range h.pieces {
		next.bytes = left / int64(len(h.pieces)-i)
		left -= next.bytes
		h.sent += next.bytes
		h.reader.pieces <- next
	}
	h.pieces, h.weight = h.pieces[:0], 0
	return left
}

// weightOf is how many bytes a document takes.
func weightOf(d *engine.Document) int64 {
	n := len(d.Title) + len(d.Text) + len(d.Metadata) + 4*len(d.Vector)
	for _, p := range d.Passages {
		n += len(p.Text)
	}
	return int64(n)
}
