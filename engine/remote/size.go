package remote

import (
	"context"
	"sync"
	"time"

	"github.com/nsfl-go/nsfl/engine"
)

// fresh is how long a count is valid at least. A count that took long is valid for longer.
const fresh, freshTimes = 3 * time.Second, 50

// Size caches the size of a collection.
type Size struct {
	mu     sync.Mutex
	size   engine.Size
	at     time.Time // zero: not counted
	took   time.Duration
	writes int // a count during a write is not kept
}

// Get returns the size, and counts if it is not known or too old.
func (s *Size) Get(ctx context.Context, count func(context.Context) (engine.Size, error)) (engine.Size, error) {
	s.mu.Lock()
	size, writes, good := s.size, s.writes, time.Since(s.at) < max(fresh, freshTimes*s.took)
	s.mu.Unlock()
	if good {
		return size, nil
	}
	begun := time.Now()
	size, err := count(ctx)
	if err != nil {
		return size, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.writes == writes {
		s.size, s.at, s.took = size, time.Now(), time.Since(begun)
	}
	return size, nil
}

// Forget drops the count; call it after every change.
func (s *Size) Forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.at = time.Time{}
	s.writes++
}
