package server

import (
	"io"
	"sync"
	"time"

	"github.com/nsfl-go/nsfl/engine"
)

// budget is the memory that requests may take together. Each draws an estimate before
// it takes memory, and gives it back when it is done. Some is reserved: only parties that
// have less than that draw on it, so that nobody's many or large requests keep out
// others' first.
type budget struct {
	limit, reserve int64
	wait           time.Duration // of parties that have less than the reserve
	refused        func()

	mu    sync.Mutex
	used  int64
	of    map[string]int64 // what a party has of it
	freed chan struct{}    // closed when something is given back
}

// newBudget makes the budget of a server. The reserve is enough for one search.
func newBudget(l *Limits, refused func()) *budget {
	return &budget{limit: l.Memory, reserve: max(l.Memory/4, l.searchCost()), wait: l.QueueWait, refused: refused,
		of: map[string]int64{}, freed: make(chan struct{})}
}

func (b *budget) inUse() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return int(b.used)
}

// share is what one request has drawn.
type share struct {
	budget *budget
	party  string
	drawn  int64
}

// draw takes bytes, or says why they cannot be had. A party that has less than the reserve
// waits for what others give back.
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

// await waits, without the lock, until something is given back, and reports whether that
// was in time.
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

// give gives back some of what was drawn.
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

// end gives back all that was drawn.
func (s *share) end() { s.give(s.drawn) }

func mebibytes(n int64) int64 { return (n + 1<<20 - 1) >> 20 }

// What requests take beside searches, estimated.
const (
	valueCost   = 128                     // a value of JSON that is decoded
	bodyFactor  = 2                       // a body that is read into memory, which grows by copies
	storeFactor = 4                       // documents that are cut, encoded and stored, for each byte of their text
	readCost    = 4 * engine.PortionBytes // documents that are read and written
	streamCost  = storeFactor * batchBytes
	pageCost    = 64 << 10 // a document of a list, as long as answers have room for it
)

// searchCost is what a search of a usual size takes: documents, results and columns.
func (l *Limits) searchCost() int64 { return readCost + l.AnswerBytes + 8<<20 }

// listCost is what a list of documents takes.
func (l *Limits) listCost(documents int) int64 {
	return readCost + min(int64(documents)*pageCost, l.AnswerBytes)
}

// drawing draws what it reads.
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
