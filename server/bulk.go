package server

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"

	"github.com/nsfl-go/nsfl/engine"
)

// BulkLine is a line of the response to a bulk request.
type BulkLine struct {
	Type   string `json:"type" enum:"stored,failed,done"`
	Line   int    `json:"line" doc:"of the request, from 1; stored: all up to it are on the disk, but for those that failed"`
	Failed int    `json:"failed" doc:"lines that failed so far"`
	StreamLine
}

const (
	maxLine   = engine.MaxDocumentBytes + 1<<20 // a document with JSON overhead
	maxFailed = 1000                            // so that a client that does not read the response cannot block the stream
)

// bulk is one bulk request.
type bulk struct {
	*stream
	at   []int // line numbers of the documents in the batch
	ids  map[string]bool
	done BulkLine
}

func (s *Server) bulkDocuments(x *exchange) error {
	if err := x.wantType(ndjson, "application/json", "application/jsonl", "text/plain"); err != nil {
		return err
	}
	b := &bulk{stream: newStream(x), ids: map[string]bool{}, done: BulkLine{Type: "done"}}
	b.rest()
	err := b.run(x.Context(), bufio.NewReaderSize(x.body, 64<<10))
	b.end(&b.done.StreamLine, err)
	_ = b.tell(&b.done) // the client may have gone
	return nil
}

func (b *bulk) run(ctx context.Context, r *bufio.Reader) error {
	for {
		if _, err := r.Peek(1); err == nil {
			if err := b.begin(ctx); err != nil {
				return err
			}
		}
		line, err := readLine(r)
		if err == nil || errors.Is(err, errTooLong) {
			b.done.Line++
		}
		switch {
		case errors.Is(err, io.EOF):
			return b.flush(ctx)
		case errors.Is(err, errTooLong):
			err = b.fail(b.done.Line, invalid("the line has more than %d bytes", maxLine))
		case err != nil:
			// Complete lines before the interruption are stored.
			return errors.Join(err, b.flush(context.WithoutCancel(ctx)))
		case len(bytes.TrimSpace(line)) > 0:
			err = b.read(ctx, line)
		}
		if err != nil {
			return err
		}
	}
}

var errTooLong = errors.New("the line is too long")

// readLine reads a line. The last line may lack its newline. It discards a line that is too
// long.
func readLine(r *bufio.Reader) ([]byte, error) {
	var line []byte
	tooLong := false
	for {
		piece, err := r.ReadSlice('\n')
		if tooLong = tooLong || len(line)+len(piece) > maxLine; tooLong {
			line = nil
		} else {
			line = append(line, piece...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err != nil && !errors.Is(err, io.EOF):
			return nil, bodyProblem(err)
		case tooLong:
			return nil, errTooLong
		case errors.Is(err, io.EOF) && len(line) > 0:
			return line, nil
		}
		return line, err
	}
}

func (b *bulk) read(ctx context.Context, line []byte) error {
	var d Document
	before := b.x.share.Drawn()
	err := b.x.decodeText(line, &d)
	var doc engine.Document
	if err == nil {
		doc, err = d.prepared()
	}
	if err != nil {
		p := problemOf(err)
		if p.Code == "busy" { // a retry can succeed
			return p
		}
		b.x.share.Give(b.x.share.Drawn() - before)
		return b.fail(b.done.Line, p)
	}
	// An id occurs once per batch; a later document replaces an earlier one.
	if b.ids[doc.ID] && doc.ID != "" || b.isFull(len(line)) {
		if err := b.flush(ctx); err != nil {
			return err
		}
		if err := b.begin(ctx); err != nil {
			return err
		}
	}
	b.add(doc, len(line))
	b.at = append(b.at, b.done.Line)
	b.ids[doc.ID] = true
	return nil
}

func (b *bulk) flush(ctx context.Context) error {
	if len(b.batch) == 0 {
		return nil
	}
	err := b.store(ctx, b.batch, &b.done.StreamLine)
	var input *engine.InputError
	if errors.As(err, &input) {
		// One document cannot be stored. Store them one by one to find it.
		err = nil
		for i := range b.batch {
			err = b.store(ctx, b.batch[i:i+1], &b.done.StreamLine)
			if errors.As(err, &input) {
				err = b.fail(b.at[i], problemOf(err))
			}
			if err != nil {
				break
			}
		}
	}
	if err != nil {
		return err
	}
	last := b.at[len(b.at)-1]
	b.empty()
	b.x.share.Give(b.x.share.Drawn() - streamCost) // the documents are stored
	b.rest()
	b.at = b.at[:0]
	clear(b.ids)
	return b.report("stored", last, nil)
}

// fail reports a line that was not stored.
func (b *bulk) fail(line int, p *Problem) error {
	b.done.Failed++
	if err := b.report("failed", line, p); err != nil {
		return err
	}
	if b.done.Failed >= maxFailed {
		return newProblem("too_large", "%d lines have failed; the rest was not read", b.done.Failed)
	}
	return nil
}

// report writes a line with the current counts.
func (b *bulk) report(what string, line int, p *Problem) error {
	now := b.done
	now.Type, now.Line, now.Error = what, line, p
	return b.tell(&now)
}
