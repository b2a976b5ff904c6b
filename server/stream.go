package server

import (
	"context"
	"encoding/json"
	"net/http"
	"time"

	"github.com/nsfl-go/nsfl/engine"
)

const (
	batchDocuments = 256
	batchBytes     = 2 << 20
	restingStreams = 8 // open streams per stream slot; each keeps its collection open
)

// StreamLine has the common fields of the response lines of a stream.
type StreamLine struct {
	Documents int      `json:"documents" doc:"documents on disk so far"`
	Cut       int      `json:"cut" doc:"documents so far with a passage longer than the encoder's limit"`
	OK        *bool    `json:"ok,omitempty" doc:"done: the request was read completely"`
	Error     *Problem `json:"error,omitempty"`
}

// stream is a request that stores documents in batches as they arrive and reports progress
// line by line.
type stream struct {
	x       *exchange
	control *http.ResponseController
	broken  error // first write error
	batch   []engine.Document
	bytes   int
	late    time.Time // when an incomplete batch is stored
}

func newStream(x *exchange) *stream {
	s := &stream{x: x, control: http.NewResponseController(x.w)}
	// Without full duplex, the response could begin only after the whole request was read.
	// Unread data must not be parsed as the next request, so the connection is closed.
	_ = s.control.EnableFullDuplex()
	if x.ProtoMajor == 1 {
		x.w.Header().Set("Connection", "close")
	}
	x.w.Header().Set("Content-Type", ndjson)
	return s
}

// begin acquires a slot for the next batch, unless the stream holds one, and sets the batch's
// deadline. Between batches a stream holds no slot.
func (s *stream) begin(ctx context.Context) (err error) {
	if s.x.place != nil {
		return nil
	}
	if s.x.place, err = s.x.server.streams.Wait(ctx); err != nil {
		return err
	}
	now, period := time.Now(), s.x.server.limits.WriteTime
	s.late, s.x.record.body.Until = now.Add(period/2), now.Add(period)
	return nil
}

// rest releases the slot after a batch.
func (s *stream) rest() {
	s.x.record.body.Until = time.Time{}
	s.x.rest()
}

// tell writes a line and flushes it.
func (s *stream) tell(line any) error {
	if s.broken != nil {
		return s.broken
	}
	content, err := json.Marshal(line)
	if err != nil {
		s.broken = err
		return err
	}
	_ = s.control.SetWriteDeadline(time.Now().Add(s.x.server.limits.StallTime))
	if _, s.broken = s.x.w.Write(append(content, '\n')); s.broken == nil {
		s.broken = s.control.Flush()
	}
	return s.broken
}

// isFull reports whether the batch must be stored before a document of more bytes is added.
func (s *stream) isFull(more int) bool {
	return len(s.batch) == batchDocuments || len(s.batch) > 0 && (s.bytes+more > batchBytes || time.Now().After(s.late))
}

func (s *stream) add(d engine.Document, bytes int) {
	s.batch, s.bytes = append(s.batch, d), s.bytes+bytes
}

// store stores documents within the time limit of a batch and counts them.
func (s *stream) store(ctx context.Context, docs []engine.Document, line *StreamLine) error {
	ctx, cancel := context.WithTimeout(ctx, s.x.server.limits.BatchTime)
	defer cancel()
	stored, err := s.x.server.storeBatch(ctx, s.x.collection, docs)
	if err == nil {
		line.Documents, line.Cut = line.Documents+stored.Documents, line.Cut+len(stored.Cut)
	}
	return err
}

func (s *stream) empty() { s.batch, s.bytes = s.batch[:0], 0 }

// end sets the outcome in the last line.
func (s *stream) end(line *StreamLine, err error) {
	line.OK = new(err == nil)
	if err = s.x.explain(err); err != nil {
		s.x.record.err = err
		line.Error = problemOf(err)
	}
}
