package indexing

import (
	"context"
	"errors"
	"time"

	"golang.org/x/sync/semaphore"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/internal/ingest"
)

// Limits on how many documents and bytes are read ahead of encoding.
const (
	aheadDocuments = 256
	aheadBytes     = 32 << 20
)

// Limits on how many bytes, and how long, documents from one chunk of a file are held.
const (
	heldBytes = 1 << 20
	heldTime  = 200 * time.Millisecond
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
	room   *semaphore.Weighted
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

// take must be called for each received piece.
func (r *reader) take(next piece) { r.room.Release(next.weight) }

// drain waits for the reader to end after its context is done.
func (r *reader) drain() {
	for next := range r.pieces {
		r.take(next)
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
		next := piece{source: s, sum: now.SHA256, doc: doc, weight: min(weightOf(&doc), aheadBytes)}
		if err := r.room.Acquire(ctx, next.weight); err != nil {
			return err
		}
		h.add(next, p.position)
	}
	r.pieces <- piece{source: s, bytes: h.send(s.Size), end: &now, unread: unread}
	return nil
}

// held holds documents from one chunk of a file. Files are read many kilobytes at a time,
// and the documents of a chunk share its bytes evenly.
type held struct {
	*reader
	pieces   []piece
	weight   int64
	since    time.Time
	position int64 // in the file when they were read
	sent     int64 // bytes of the file accounted for
}

// add holds a document read at a position, and sends documents of earlier positions.
func (h *held) add(next piece, position int64) {
	if position != h.position || h.weight+next.weight > heldBytes || time.Since(h.since) > heldTime {
		h.send(h.position)
		h.since = time.Now()
	}
	h.pieces, h.weight, h.position = append(h.pieces, next), h.weight+next.weight, position
}

// send sends the held documents with the bytes of the file up to a position. It returns
// the remaining bytes if there are no documents.
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

// weightOf returns the size of a document in bytes.
func weightOf(d *engine.Document) int64 {
	n := len(d.Title) + len(d.Text) + len(d.Metadata) + 4*len(d.Vector)
	for _, p := range d.Passages {
		n += len(p.Text)
	}
	return int64(n)
}
