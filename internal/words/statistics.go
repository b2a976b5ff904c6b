package words

import "math"

// Statistics holds document frequencies of a collection. Only ratios matter, so a sample is
// good enough.
type Statistics struct {
	documents int
	passages  int
	having    []uint32 // document frequency by piece
	last      []uint32 // last document seen with the piece, counted from 1
}

// NewStatistics returns empty statistics.
func NewStatistics() *Statistics {
	return &Statistics{having: make([]uint32, 1<<16), last: make([]uint32, 1<<16)}
}

// Add counts a document.
func (s *Statistics) Add(pieces []uint16) {
	s.documents++
	now := uint32(s.documents)
	for _, p := range pieces {
		if p == Break {
			s.passages++
		}
		if s.last[p] != now {
			s.last[p] = now
			s.having[p]++
		}
	}
}

// Documents returns the number of documents counted.
func (s *Statistics) Documents() int { return s.documents }

// Words are noisier evidence in long documents, which match some words of most queries.
const (
	// shortPassages is the average number of passages up to which words count in full.
	shortPassages = 5
	// leastWanted is the least factor of the score of wanted words.
	leastWanted = 0.5
)

// wantedFactor returns the factor of the score of wanted words for the length of the documents.
func (s *Statistics) wantedFactor() float32 {
	average := float64(s.passages) / float64(max(1, s.documents))
	return float32(min(1, max(leastWanted, shortPassages/max(1, average))))
}

// weight returns BM25's inverse document frequency of a term that the given number of
// documents contain.
func (s *Statistics) weight(having int) float64 {
	n, df := float64(s.documents), float64(min(having, s.documents))
	return math.Log(1 + (n-df+0.5)/(df+0.5))
}

// documentsWith estimates how many documents contain a term. A form of several pieces occurs
// at most as often as its rarest piece.
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
