package engine

import (
	"context"
	"math"

	"github.com/nsfl-go/nsfl/internal/words"
	"github.com/nsfl-go/nsfl/query"
)

// LexicalStore is a store that searches by words.
type LexicalStore interface {
	// Statistics returns how common words are, perhaps in a sample.
	Statistics(ctx context.Context) (*words.Statistics, error)

	// MatchTerms finds documents that pass a filter by their words: the best of each of wanted.
	MatchTerms(ctx context.Context, q *words.Query, filter query.Node, wanted []TopK) (*TermMatches, error)

	// TermScores returns the lexical score of some documents for each atom, one column per
	// atom. A deleted document scores 0.
	TermScores(ctx context.Context, q *words.Query, refs []Ref) ([][]float32, error)
}

// TopK requests the K documents for which By, a function of their lexical scores, is largest.
type TopK struct {
	K  int
	By func(out []float32, scores [][]float32)
	// Thorough scores every document, whatever it costs.
	Thorough bool
}

// LeftOutBound returns an upper bound on the documents that are left out if the best have these
// values. Documents without a match are always left out.
func (w *TopK) LeftOutBound(best []float32) float32 {
	switch {
	case w.K == 0:
		return float32(math.Inf(1)) // they may have any
	case len(best) < w.K:
		return 0
	}
	return max(0, best[len(best)-1])
}

// TermMatches holds the lexical scores of documents: for each atom, the share of its words'
// weight that a document has.
type TermMatches struct {
	Refs  []Ref       // in no particular order
	Atoms [][]float32 // a column for each atom
	// UnseenBounds holds, for each atom, an upper bound on the scores of documents that were not
	// scored. It is nil if no bound is known, and empty if all documents were scored.
	UnseenBounds []float32
	// LeftOutBounds holds, for each of wanted, its largest value among the documents that were
	// scored and left out. It is nil if no bound is known.
	LeftOutBounds []float32
	// Degraded describes the parts of the store that did not answer.
	Degraded []string
}
