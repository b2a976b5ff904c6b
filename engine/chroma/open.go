package chroma

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nsfl-go/nsfl/engine"
)

// Store is an open collection. It is safe for concurrent use.
type Store struct {
	*client
	options  Options
	place    string
	dim      int
	encoder  string
	maxBatch int // records in a request

	documents, passages, notes string // the addresses of Chroma's collections

	writing chan struct{} // holds one while something is written
	count   atomic.Int64  // of documents, as it was known last
	reach   atomic.Int64  // how many times k are fetched: see Pool
	few     int           // so many that pass a filter are compared without the index, or 4k

	open   sync.RWMutex // held for reading by every call
	closed bool
}

var _ engine.Collection = (*Store)(nil)

// Open opens a collection on the server at an address such as
//
//	chroma://HOST:PORT/?tenant=NAME&database=NAME&collection=NAME&ssl=true
//
// of which only the host is needed, and makes it where there is none and a
// dimension is given. What the server asks for as proof comes from the environment:
// CHROMA_TOKEN for the header X-Chroma-Token, or CHROMA_AUTHORIZATION for the whole
// of the header Authorization. The errors that a caller may decide on are those of
// index.Open: engine.ErrNotCollection, *engine.MismatchError for another encoder or
// dimension, and *engine.FormatError.
func Open(ctx context.Context, address string, o Options) (*Store, error) {
	at, err := configure(address, &o)
	if err != nil {
		return nil, err
	}
	credentials, err := environment()
	if err != nil {
		return nil, err
	}
	s := &Store{client: newClient(at, credentials), options: o, place: at.place(o.Collection), writing: make(chan struct{}, 1), few: 500}
	s.reach.Store(1)
	if err := s.run(ctx, "opening the collection", o.Timeout, s.establish); err != nil {
		s.http.CloseIdleConnections()
		return nil, err
	}
	return s, nil
}

// Encoder is what the collection was made with.
func (s *Store) Encoder() string { return s.encoder }

// Close waits for the calls in progress and closes the connections.
func (s *Store) Close() error {
	s.open.Lock()
	defer s.open.Unlock()
	s.closed = true
	s.http.CloseIdleConnections()
	return nil
}

// errSlow is why a call ended that took too long.
var errSlow = errors.New("no answer in time")

// run runs f, for so long at most, and explains how it failed.
func (s *Store) run(ctx context.Context, doing string, limit time.Duration, f func(context.Context) error) error {
	s.open.RLock()
	defer s.open.RUnlock()
	if s.closed {
		return s.explain(doing, engine.ErrClosed)
	}
	inner, cancel := context.WithTimeoutCause(ctx, limit, errSlow)
	defer cancel()
	err := f(inner)
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return fmt.Errorf("%s: %w", doing, ctx.Err())
	case errors.Is(context.Cause(inner), errSlow):
		err = fmt.Errorf("there was no answer within %s: the server is overloaded or stuck, or the time-out too short (%w)", limit, context.DeadlineExceeded)
	}
	return s.explain(doing, err)
}

// explain says what was being done, and where.
func (s *Store) explain(doing string, err error) error {
	var mismatch *engine.MismatchError
	var format *engine.FormatError
	if errors.As(err, &mismatch) || errors.As(err, &format) {
		return err // which say all of it
	}
	return fmt.Errorf("%s in %s: %w", doing, s.place, err)
}

// write runs f while nothing else of this store writes.
func (s *Store) write(ctx context.Context, doing string, f func(context.Context) error) error {
	if s.options.ReadOnly {
		return s.explain(doing, engine.ErrReadOnly)
	}
	return s.run(ctx, doing, s.options.WriteTimeout, func(ctx context.Context) error {
		select {
		case s.writing <- struct{}{}:
		case <-ctx.Done():
			return ctx.Err()
		}
		defer func() { <-s.writing }()
		return f(ctx)
	})
}
