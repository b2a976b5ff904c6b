package workspace

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"sync"
	"time"

	"github.com/nsfl-go/nsfl/encoder/named"
	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/internal/stores"
)

// remoteHealth monitors a remote store that holds one collection. The store may be down
// at startup or later. While it is down, requests for its collection fail immediately
// instead of occupying slots that others need.
type remoteHealth struct {
	name, address string
	options       engine.Options
	log           *slog.Logger

	mu   sync.Mutex
	down *Error // nil if the store is not known to be down

	checking sync.Mutex
	probe    engine.Collection // connection for health checks; nil if not open
}

const (
	checkEvery   = 2 * time.Second
	checkTimeout = 5 * time.Second // timeout of a health check
)

func newRemoteHealth(name, address string, c *Config) *remoteHealth {
	return &remoteHealth{name: name, address: address, log: c.log(), options: engine.Options{Timeout: c.ReadTime, WriteTimeout: c.WriteTime}}
}

func (s *remoteHealth) open(ctx context.Context) (engine.Collection, error) {
	if err := s.refusal(); err != nil {
		return nil, err
	}
	c, err := stores.Open(ctx, s.address, s.options)
	if err != nil {
		return nil, s.explainOpen(err)
	}
	return c, nil
}

// make creates the collection with an encoder, unless it exists.
func (s *remoteHealth) make(ctx context.Context, e *named.Encoder, word string) error {
	if err := s.refusal(); err != nil {
		return err
	}
	c, err := stores.Open(ctx, s.address, s.options)
	if err == nil {
		return errors.Join(reject(Exists, "collection %q already exists", s.name), c.Close())
	}
	if errors.Is(err, engine.ErrNotCollection) {
		if c, err = newStore(ctx, s.address, s.options, e, word); err == nil {
			err = c.Close()
		}
	}
	return s.explainOpen(err)
}

// refusal returns the reason for rejecting requests now, or nil.
func (s *remoteHealth) refusal() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.down != nil {
		return s.down
	}
	return nil
}

// explain converts an error of a call to an Error. Client errors, timeouts and
// cancellation of the request are returned unchanged.
func (s *remoteHealth) explain(ctx context.Context, err error) error {
	var input *engine.InputError
	var explained Explained
	if err == nil || ctx.Err() != nil || errors.As(err, &input) || errors.As(err, &explained) || errors.Is(err, engine.ErrNotFound) || errors.Is(err, engine.ErrReadOnly) {
		return err
	}
	return s.problem(err)
}

// explainOpen does the same for errors of opening the store.
func (s *remoteHealth) explainOpen(err error) error {
	var mismatch *engine.MismatchError
	var format *engine.FormatError
	switch {
	case err == nil, errors.As(err, &mismatch), errors.As(err, &format):
		return err
	case errors.Is(err, engine.ErrNotCollection):
		return reject(Unavailable, "collection %q has not been created yet; create it with POST /v1/collections, nsfl index or nsfl copy", s.name).because(err)
	}
	return s.problem(err)
}

// problem describes an error without revealing where the store is.
func (s *remoteHealth) problem(err error) *Error {
	var network net.Error
	what := "has failed"
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		what = "does not answer"
	case errors.As(err, &network), errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		what = "cannot be reached"
	}
	return reject(Unavailable, "the store of collection %q %s; see the server's log", s.name, what).because(err)
}

// watch monitors the store until ctx is done.
func (s *remoteHealth) watch(ctx context.Context) {
	ticker := time.NewTicker(checkEvery)
	defer ticker.Stop()
	for ctx.Err() == nil {
		s.check(ctx)
		select {
		case <-ticker.C:
		case <-ctx.Done():
		}
	}
	s.checking.Lock()
	defer s.checking.Unlock()
	if s.probe != nil {
		_ = s.probe.Close() // nothing was written
	}
}

func (s *remoteHealth) check(ctx context.Context) {
	s.checking.Lock()
	defer s.checking.Unlock()
	short, cancel := context.WithTimeout(ctx, checkTimeout)
	defer cancel()
	err := s.ping(short)
	if ctx.Err() != nil {
		return
	}
	var now *Error
	if errors.Is(err, engine.ErrNotCollection) || !errors.As(s.explainOpen(err), &now) {
		now = nil // it answers, even if only with an error
	}
	s.mu.Lock()
	before := s.down
	s.down = now
	s.mu.Unlock()
	switch {
	case before == nil && now != nil:
		s.log.Error("a store is down", "collection", s.name, "error", err)
	case before != nil && now == nil:
		s.log.Info("a store is back", "collection", s.name)
	}
}

func (s *remoteHealth) ping(ctx context.Context) (err error) {
	if s.probe == nil {
		o := s.options
		o.Fill = true // leave building an index to searches
		if s.probe, err = stores.Open(ctx, s.address, o); err != nil {
			s.probe = nil
			return err
		}
	}
	_, err = s.probe.Size(ctx)
	return err
}
