package server

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"time"

	"github.com/nsfl-go/nsfl"
	"github.com/nsfl-go/nsfl/engine"
)

// BulkLine is a line of the answer to a bulk request.
type BulkLine struct {
	Type      string   `json:"type" enum:"stored,failed,done"`
	Line      int      `json:"line" doc:"of the request, from 1; stored: all up to it are on the disk, but for those that failed"`
	Documents int      `json:"documents" doc:"on the disk so far"`
	Failed    int      `json:"failed" doc:"lines that failed so far"`
	Cut       int      `json:"cut" doc:"documents so far with a passage longer than the encoder reads"`
	OK        *bool    `json:"ok,omitempty" doc:"done: the request was read to its end"`
	Error     *Problem `json:"error,omitempty"`
}

const (
	batchDocuments = 256
	batchBytes     = 8 << 20
	maxLine        = engine.MaxDocumentBytes + 1<<20 // a document, and what JSON adds to it
	maxFailed      = 1000                            // a client that does not read its answer must not block it
)

// bulk is one bulk request.
type bulk struct {
	server     *Server
	collection *nsfl.Collection
	out        *lines
	batch      []engine.Document
	at         []int // the lines they stand in
	ids        map[string]bool
	bytes      int
	done       BulkLine
}

func (s *Server) bulkDocuments(x *exchange) error {
	if err := x.wantType(ndjson, "application/json", "application/jsonl", "text/plain"); err != nil {
		return err
	}
	o, release, err := s.collections.Use(x.Context(), x.PathValue("name"), true)
	if err != nil {
		return err
	}
	defer release()
	b := &bulk{server: s, collection: o.Collection, out: newLines(x), ids: map[string]bool{}, done: BulkLine{Type: "done"}}
	err = b.run(x.Context(), bufio.NewReaderSize(x.body, 64<<10))
	ok := err == nil
	b.done.OK = &ok
	if err != nil {
		x.record.err = err
		b.done.Error = problemOf(err)
	}
	b.out.write(&b.done)
	return nil
}

func (b *bulk) run(ctx context.Context, r *bufio.Reader) error {
	for {
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
			// What came before the interruption is whole.
			return errors.Join(err, b.flush(context.WithoutCancel(ctx)))
		case len(bytes.TrimSpace(line)) > 0:
			err = b.add(ctx, line)
		}
		if err != nil {
			return err
		}
	}
}

var errTooLong = errors.New("the line is too long")

// readLine reads a line, the last of which may lack its end. Of a line that is too
// long it keeps nothing.
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

func (b *bulk) add(ctx context.Context, line []byte) error {
	var d Document
	err := decodeJSON(line, &d)
	var doc engine.Document
	if err == nil {
		doc, err = d.prepared()
	}
	if err != nil {
		return b.fail(b.done.Line, problemOf(err))
	}
	// A batch has an id once; the later document replaces the earlier.
	if b.ids[doc.ID] && doc.ID != "" || len(b.batch) == batchDocuments || b.bytes+len(line) > batchBytes && len(b.batch) > 0 {
		if err := b.flush(ctx); err != nil {
			return err
		}
	}
	b.batch, b.at, b.bytes = append(b.batch, doc), append(b.at, b.done.Line), b.bytes+len(line)
	b.ids[doc.ID] = true
	return nil
}

// flush stores the batch and acknowledges it.
func (b *bulk) flush(ctx context.Context) error {
	if len(b.batch) == 0 {
		return nil
	}
	err := b.store(ctx, b.batch)
	var input *engine.InputError
	if errors.As(err, &input) {
		// One of them cannot be stored: find out which, one by one.
		err = nil
		for i := range b.batch {
			err = b.store(ctx, b.batch[i:i+1])
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
	b.batch, b.at, b.bytes = b.batch[:0], b.at[:0], 0
	clear(b.ids)
	return b.tell("stored", last, nil)
}

func (b *bulk) store(ctx context.Context, batch []engine.Document) error {
	stored, err := b.server.storeBatch(ctx, b.collection, batch)
	if err != nil {
		return err
	}
	b.done.Documents += stored.Documents
	b.done.Cut += len(stored.Cut)
	return nil
}

// fail tells of a line that is not stored.
func (b *bulk) fail(line int, p *Problem) error {
	b.done.Failed++
	if err := b.tell("failed", line, p); err != nil {
		return err
	}
	if b.done.Failed >= maxFailed {
		return newProblem("too_large", "%d lines have failed; the rest was not read", b.done.Failed)
	}
	return nil
}

// tell writes a line with what has been done so far.
func (b *bulk) tell(what string, line int, p *Problem) error {
	now := b.done
	now.Type, now.Line, now.Error = what, line, p
	b.out.write(&now)
	return b.out.err
}

// lines writes an answer line by line, each of which is sent at once.
type lines struct {
	x       *exchange
	control *http.ResponseController
	err     error // of the first write that failed
}

func newLines(x *exchange) *lines {
	l := &lines{x: x, control: http.NewResponseController(x.w)}
	// Without it, the answer could only begin when all of the request is read. What
	// is then left unread must not be taken for the next request.
	_ = l.control.EnableFullDuplex()
	if x.ProtoMajor == 1 {
		x.w.Header().Set("Connection", "close")
	}
	x.w.Header().Set("Content-Type", ndjson)
	return l
}

func (l *lines) write(v any) {
	if l.err != nil {
		return
	}
	content, err := json.Marshal(v)
	if err != nil {
		l.err = err
		return
	}
	_ = l.control.SetWriteDeadline(time.Now().Add(l.x.server.limits.StallTime))
	if _, l.err = l.x.w.Write(append(content, '\n')); l.err == nil {
		l.err = l.control.Flush()
	}
}
