package words

import "math"

// Statistics are how common words are in a collection. Only ratios matter, so that those
// of a sample serve as well.
type Statistics struct {
	documents int
	having    []uint32 // by piece: how many documents have it
	last      []uint32 // by piece: the last document that was seen to have it, from 1 on
}

// NewStatistics are those of no document.
func NewStatistics() *Statistics {
	return &Statistics{having: make([]uint32, 1<<16), last: make([]uint32, 1<<16)}
}

// Add counts a document.
func (s *Statistics) Add(pieces []uint16) {
	s.documents++
	now := uint32(s.documents)
	for _, p := range pieces {
		if s.last[p] != now {
			s.last[p] = now
			s.having[p]++
		}
	}
}

// Documents is how many were counted.
func (s *Statistics) Documents() int { return s.documents }

// weight is how much a word that so many documents have says about one: BM25's inverse
// document frequency.
func (s *Statistics) weight(having int) float64 {
	n, df := float64(s.documents), float64(min(having, s.documents))
	return math.Log(1 + (n-df+0.5)/(df+0.5))
}

// documentsWith is about how many documents have a word. One of several pieces is in no
// more of them than its rarest piece.
func (s *Statistics) documentsWith(forms [][]uint16) int {
	sum := 0
	for _, form := range forms {
		least := math.MaxInt
		for _, p := range form {
			least = min(least, int(s.having[p]))
		}
		sum += least
	}
	return sum
}
