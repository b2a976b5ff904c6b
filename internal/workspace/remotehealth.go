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

// remoteHealth is a store elsewhere that holds one collection. It may be down, when the
// server starts or later. It is looked after all the time, and while it is down
// requests for its collection are refused at once, so that they do not wait in the
// places of others.
type remoteHealth struct {
	name, address string
	options       engine.Options
	log           *slog.Logger

	mu   sync.Mutex
	down *Error // nil: it is not known to be

	looking sync.Mutex
	probe   engine.Collection // open for looking; nil: not yet, or not any more
}

const (
	lookEvery = 2 * time.Second
	lookTime  = 5 * time.Second // the longest that a look may take
)

func newRemoteHealth(name, address string, c *Config) *remoteHealth {
	return &remoteHealth{name: name, address: address, log: c.log(), options: engine.Options{Timeout: c.ReadTime, WriteTimeout: c.WriteTime}}
}

// open opens the store.
func (s *remoteHealth) open(ctx context.Context) (engine.Collection, error) {
	if err := s.refusal(); err != nil {
		return nil, err
	}
	c, err := stores.Open(ctx, s.address, s.options)
	if err != nil {
		return nil, s.explainOpen(err)
	}
	return &remote{c, s}, nil
}

// make makes the collection, with an encoder of a word, unless there is one.
func (s *remoteHealth) make(ctx context.Context, e *named.Encoder, word string) error {
	if err := s.refusal(); err != nil {
		return err
	}
	c, err := stores.Open(ctx, s.address, s.options)
	if err == nil {
		return errors.Join(refuse(Exists, "there is a collection %q already", s.name), c.Close())
	}
	if errors.Is(err, engine.ErrNotCollection) {
		if c, err = newStore(ctx, s.address, s.options, e, word); err == nil {
			err = c.Close()
		}
	}
	return s.explainOpen(err)
}

// refusal is why the store is not asked now; nil where it is.
func (s *remoteHealth) refusal() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.down != nil {
		return s.down
	}
	return nil
}

// explain says an error of a call as a problem. What is the client's own doing, or
// what it has waited too long for, stays as it is.
func (s *remoteHealth) explain(ctx context.Context, err error) error {
	var input *engine.InputError
	if err == nil || ctx.Err() != nil || errors.As(err, &input) || errors.Is(err, engine.ErrNotFound) || errors.Is(err, engine.ErrReadOnly) {
		return err
	}
	return s.problem(err)
}

// explainOpen is the same for opening the store.
func (s *remoteHealth) explainOpen(err error) error {
	var mismatch *engine.MismatchError
	var format *engine.FormatError
	switch {
	case err == nil, errors.As(err, &mismatch), errors.As(err, &format):
		return err
	case errors.Is(err, engine.ErrNotCollection):
		return refuse(Unavailable, "collection %q has not been made yet; POST /v1/collections, nsfl index or nsfl copy makes it", s.name).because(err)
	}
	return s.problem(err)
}

// problem says in words that show nothing of where the store is what went wrong.
func (s *remoteHealth) problem(err error) *Error {
	var network net.Error
	what := "has failed"
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		what = "does not answer"
	case errors.As(err, &network), errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		what = "cannot be reached"
	}
	return refuse(Unavailable, "the store of collection %q %s; the server's log says more", s.name, what).because(err)
}

// watch looks after the store until ctx is done.
func (s *remoteHealth) watch(ctx context.Context) {
	ticker := time.NewTicker(lookEvery)
	defer ticker.Stop()
	for ctx.Err() == nil {
		s.look(ctx)
		select {
		case <-ticker.C:
		case <-ctx.Done():
		}
	}
	s.looking.Lock()
	defer s.looking.Unlock()
	if s.probe != nil {
		_ = s.probe.Close() // nothing was written
	}
}

// look finds out whether the store answers.
func (s *remoteHealth) look(ctx context.Context) {
	s.looking.Lock()
	defer s.looking.Unlock()
	short, cancel := context.WithTimeout(ctx, lookTime)
	defer cancel()
	err := s.ping(short)
	if ctx.Err() != nil {
		return
	}
	var now *Error
	if errors.Is(err, engine.ErrNotCollection) || !errors.As(s.explainOpen(err), &now) {
		now = nil // it answers, if only to say that there is nothing of use
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
		o.Fill = true // it leaves the making of an index to those who search
		if s.probe, err = stores.Open(ctx, s.address, o); err != nil {
			s.probe = nil
			return err
		}
	}
	_, err = s.probe.Size(ctx)
	return err
}
