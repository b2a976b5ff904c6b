package server

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/internal/screening"
	"github.com/nsfl-go/nsfl/internal/workspace"
	"github.com/nsfl-go/nsfl/retrieve"
	"github.com/nsfl-go/nsfl/server/limit"
)

// openScreenings keeps screenings in memory, with their records, between requests.
type openScreenings struct {
	mu   sync.Mutex
	open map[[2]string]*openScreening // by collection and name
}

// openScreening is a screening in memory. It has to be loaded again when documents have
// changed or the collection was closed.
type openScreening struct {
	turn       chan struct{} // has an item while somebody loads or looks whether to load
	screening  *screening.Screening
	collection *workspace.Handle
	size       engine.Size // changes with every change of documents
	share      limit.Share // of the memory budget
	used       time.Time
}

// screeningCost estimates the memory of a record: its terms, its vector and its scores.
const screeningCost = 8 << 10

// screening returns the screening of the path. If it takes longer to load than a request may,
// the next request finds it loaded.
func (s *Server) screening(x *exchange) (*screening.Screening, error) {
	o := s.screenings.entry(x.collection.Name, x.PathValue("screening"), s.limits.IdleTime)
	select {
	case o.turn <- struct{}{}:
	case <-x.Context().Done():
		return nil, x.Context().Err()
	}
	size, err := x.collection.Store().Size(x.Context())
	if err != nil || o.screening != nil && o.collection == x.collection && o.size == size {
		defer func() { <-o.turn }()
		return o.screening, err
	}
	done := make(chan error, 1)
	go func() {
		defer func() { <-o.turn }()
		done <- s.load(context.WithoutCancel(x.Context()), o, x.collection.Name, x.PathValue("screening"))
	}()
	select {
	case err = <-done:
	case <-x.Context().Done():
		return nil, x.Context().Err()
	}
	if errors.Is(err, screening.ErrNotFound) {
		err = newProblem("not_found", "there is no screening %q; POST …/screenings creates one", x.PathValue("screening"))
	}
	if err != nil {
		return nil, err
	}
	return o.screening, nil
}

// entry returns the entry of a screening, and drops screenings that were not used for a while.
func (s *openScreenings) entry(collection, name string, idle time.Duration) *openScreening {
	s.mu.Lock()
	defer s.mu.Unlock()
	for key, o := range s.open {
		if time.Since(o.used) > idle && len(o.turn) == 0 {
			o.forget()
			delete(s.open, key)
		}
	}
	key := [2]string{collection, name}
	o := s.open[key]
	if o == nil {
		o = &openScreening{turn: make(chan struct{}, 1)}
		if s.open == nil {
			s.open = map[[2]string]*openScreening{}
		}
		s.open[key] = o
	}
	o.used = time.Now()
	return o
}

// load reads a screening. The caller has the turn.
func (s *Server) load(ctx context.Context, o *openScreening, collection, name string) error {
	h, release, err := s.collections.Use(ctx, collection, false)
	if err != nil {
		return err
	}
	defer release()
	size, err := h.Store().Size(ctx)
	if err != nil {
		return err
	}
	loaded := o.screening
	o.forget()
	o.share = limit.Share{Memory: s.memory, Party: "screenings"}
	if err := o.share.Draw(screeningCost * int64(size.Documents)); err != nil {
		return err
	}
	ctx = retrieve.WithMemory(ctx, func(int64) error { return nil }) // the estimate includes the search
	if loaded == nil {
		loaded, err = screening.Open(ctx, h.Searcher(), h.Store(), name)
	} else { // others may be deciding
		err = loaded.Load(ctx, h.Searcher(), h.Store(), name)
	}
	if err != nil {
		o.forget()
		return err
	}
	o.screening, o.collection, o.size = loaded, h, size
	return nil
}

// forget gives the memory of a screening back.
func (o *openScreening) forget() {
	if o.share.Memory != nil {
		o.share.End()
	}
	o.screening, o.share = nil, limit.Share{}
}
