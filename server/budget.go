package server

import (
	"io"
	"sync"

	"github.com/nsfl-go/nsfl/engine"
)

// budget is the memory that requests may take together. Each draws an estimate before
// it takes memory, and gives it back when it is done. A quarter is spared for parties that
// have no other request, so that nobody's many requests keep others out.
type budget struct {
	limit   int64
	refused func()

	mu   sync.Mutex
	used int64
	of   map[string]int64 // what a party has of it
}

func newBudget(limit int64, refused func()) *budget {
	return &budget{limit: limit, refused: refused, of: map[string]int64{}}
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

// draw takes bytes, or says why they cannot be had.
func (s *share) draw(bytes int64) error {
	b := s.budget
	b.mu.Lock()
	defer b.mu.Unlock()
	room := b.limit
	if b.of[s.party] > s.drawn {
		room -= b.limit / 4
	}
	switch {
	case s.drawn+bytes > b.limit:
		b.refused()
		return newProblem("too_large", "the request would take about %d MiB of memory, and all requests together may take %d (--memory); ask for less at once", mebibytes(s.drawn+bytes), mebibytes(b.limit))
	case b.used+bytes > room:
		b.refused()
		return newProblem("busy", "of the memory for requests (--memory), %d of %d MiB are in use, and this one would take about %d; try again in a moment", mebibytes(b.used), mebibytes(b.limit), mebibytes(bytes))
	}
	s.add(bytes)
	return nil
}

// give gives back some of what was drawn.
func (s *share) give(bytes int64) {
	s.budget.mu.Lock()
	defer s.budget.mu.Unlock()
	s.add(-bytes)
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
