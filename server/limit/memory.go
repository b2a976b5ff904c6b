package limit

import (
	"sync"
	"time"
)

// Memory limits the memory of all requests together. Each request draws an estimate before it
// allocates and gives it back at the end. Part of the budget is reserved for parties that hold
// less than the reserve, so one party's many or large requests cannot lock out another's
// first.
type Memory struct {
	limit, reserve int64
	wait           time.Duration // for parties below the reserve
	refused        func()

	mu    sync.Mutex
	used  int64
	of    map[string]int64 // bytes drawn, by party
	freed chan struct{}    // closed when memory is given back
}

// NewMemory returns a limit of so many bytes, some of which are reserved. The function refused
// counts refusals.
func NewMemory(bytes, reserve int64, wait time.Duration, refused func()) *Memory {
	return &Memory{limit: bytes, reserve: reserve, wait: wait, refused: refused, of: map[string]int64{}, freed: make(chan struct{})}
}

// InUse returns the drawn bytes.
func (b *Memory) InUse() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return int(b.used)
}

// Share is the memory that one request has drawn.
type Share struct {
	Memory *Memory
	Party  string
	drawn  int64
}

// Drawn returns the bytes that the request holds.
func (s *Share) Drawn() int64 { return s.drawn }

// Draw takes bytes from the budget or returns an error. A party below the reserve waits for
// other requests to give memory back.
func (s *Share) Draw(bytes int64) error {
	b := s.Memory
	var late <-chan time.Time
	b.mu.Lock()
	defer b.mu.Unlock()
	for {
		first := b.of[s.Party]+bytes <= b.reserve
		room := b.limit
		if !first {
			room -= b.reserve
		}
		switch {
		case s.drawn+bytes > b.limit-b.reserve:
			b.refused()
			return tooLarge("the request needs about %d MiB of memory, and one request may take %d (--memory is %d); ask for less at once",
				mebibytes(s.drawn+bytes), mebibytes(b.limit-b.reserve), mebibytes(b.limit))
		case b.used+bytes <= room:
			s.add(bytes)
			return nil
		}
		if late == nil && first {
			timer := time.NewTimer(b.wait)
			defer timer.Stop()
			late = timer.C
		}
		if !first || !b.await(late) {
			b.refused()
			return busy(0, "%d of %d MiB of the memory for requests (--memory) are in use, and this one needs about %d; try again in a moment",
				mebibytes(b.used), mebibytes(b.limit), mebibytes(bytes))
		}
	}
}

// await waits, without the lock, until memory is given back. It returns false if late fires
// first.
func (b *Memory) await(late <-chan time.Time) bool {
	freed := b.freed
	b.mu.Unlock()
	defer b.mu.Lock()
	select {
	case <-freed:
		return true
	case <-late:
		return false
	}
}

// Give gives back part of the drawn memory.
func (s *Share) Give(bytes int64) {
	s.Memory.mu.Lock()
	defer s.Memory.mu.Unlock()
	s.add(-bytes)
	close(s.Memory.freed)
	s.Memory.freed = make(chan struct{})
}

func (s *Share) add(bytes int64) {
	b := s.Memory
	b.used += bytes
	s.drawn += bytes
	if b.of[s.Party] += bytes; b.of[s.Party] == 0 {
		delete(b.of, s.Party)
	}
}

// End gives back all drawn memory.
func (s *Share) End() { s.Give(s.drawn) }

func mebibytes(n int64) int64 { return (n + 1<<20 - 1) >> 20 }
