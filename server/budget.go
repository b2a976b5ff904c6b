package server

import (
	"io"
	"sync"
	"time"

	"github.com/nsfl-go/nsfl/engine"
)

// budget limits the memory of all requests together. Each request draws an estimate before it
// allocates and gives it back at the end. Part of the budget is reserved for parties that hold
// less than the reserve, so one party's many or large requests cannot lock out another's
// first.
type budget struct {
	limit, reserve int64
	wait           time.Duration // for parties below the reserve
	refused        func()

	mu    sync.Mutex
	used  int64
	of    map[string]int64 // bytes drawn, by party
	freed chan struct{}    // closed when memory is given back
}

// newBudget returns the budget of a server. The reserve is enough for one search.
func newBudget(l *Limits, refused func()) *budget {
	return &budget{limit: l.Memory, reserve: max(l.Memory/4, l.searchCost()), wait: l.QueueWait, refused: refused,
		of: map[string]int64{}, freed: make(chan struct{})}
}

func (b *budget) inUse() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return int(b.used)
}

// share is the memory that one request has drawn.
type share struct {
	budget *budget
	party  string
	drawn  int64
}

// draw takes bytes from the budget or returns an error. A party below the reserve waits for
// other requests to give memory back.
func (s *share) draw(bytes int64) error {
	b := s.budget
	var late <-chan time.Time
	b.mu.Lock()
	defer b.mu.Unlock()
	for {
		first := b.of[s.party]+bytes <= b.reserve
		room := b.limit
		if !first {
			room -= b.reserve
		}
		switch {
		case s.drawn+bytes > b.limit-b.reserve:
			b.refused()
			return newProblem("too_large", "the request needs about %d MiB of memory, and one request may take %d (--memory is %d); ask for less at once",
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
			return newProblem("busy", "%d of %d MiB of the memory for requests (--memory) are in use, and this one needs about %d; try again in a moment",
				mebibytes(b.used), mebibytes(b.limit), mebibytes(bytes))
		}
	}
}

// await waits, without the lock, until memory is given back. It returns false if late fires
// first.
func (b *budget) await(late <-chan time.Time) bool {
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

// give gives back part of the drawn memory.
func (s *share) give(bytes int64) {
	s.budget.mu.Lock()
	defer s.budget.mu.Unlock()
	s.add(-bytes)
	close(s.budget.freed)
	s.budget.freed = make(chan struct{})
}

func (s *share) add(bytes int64) {
	b := s.budget
	b.used += bytes
	s.drawn += bytes
	if b.of[s.party] += bytes; b.of[s.party] == 0 {
		delete(b.of, s.party)
	}
}

// end gives back all drawn memory.
func (s *share) end() { s.give(s.drawn) }

func mebibytes(n int64) int64 { return (n + 1<<20 - 1) >> 20 }

// Estimated memory of requests other than searches.
const (
	valueCost   = 128                     // per decoded JSON value
	bodyFactor  = 2                       // per byte of a body read into a growing buffer
	storeFactor = 4                       // per byte of text of documents that are split, encoded and stored
	readCost    = 4 * engine.MaxReadBytes // documents that are read and sent
	streamCost  = storeFactor * batchBytes
	pageCost    = 64 << 10 // per document of a list, up to the response limit
)

// searchCost estimates the memory of a typical search: documents, results and columns.
func (l *Limits) searchCost() int64 { return readCost + l.AnswerBytes + 8<<20 }

// listCost estimates the memory of a list of documents.
func (l *Limits) listCost(documents int) int64 {
	return readCost + min(int64(documents)*pageCost, l.AnswerBytes)
}

// drawing is a reader that draws memory for the bytes it reads.
type drawing struct {
	io.Reader
	share *share
}

func (d *drawing) Read(p []byte) (int, error) {
	n, err := d.Reader.Read(p)
	if n > 0 {
		if err := d.share.draw(bodyFactor * int64(n)); err != nil {
			return 0, err
		}
	}
	return n, err
}
