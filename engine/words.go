package engine

import (
	"context"
	"math"

	"github.com/nsfl-go/nsfl/internal/words"
	"github.com/nsfl-go/nsfl/query"
)

// Worded is a store that searches by words.
type Worded interface {
	// Statistics returns how common words are, perhaps in a sample.
	Statistics(ctx context.Context) (*words.Statistics, error)

	// Said finds documents by their words, among those that pass a filter: the best of
	// each of wanted or, if wanted is nil, all of them.
	Said(ctx context.Context, q *words.Query, filter query.Node, wanted []Wanted) (*Shares, error)

	// SaidBy reads how much of each atom's words some documents have, a column an atom.
	// One that has been deleted has nothing.
	SaidBy(ctx context.Context, q *words.Query, refs []Ref) ([][]float32, error)
}

// Wanted are the K best documents by something that is made of their shares.
type Wanted struct {
	K  int
	By func(out []float32, shares [][]float32)
	// Thorough asks for a look at every document, at any cost.
	Thorough bool
}

// Beyond returns an upper bound on the documents that are left out if the best have these
// values. Documents without a match are always left out.
func (w *Wanted) Beyond(best []float32) float32 {
	switch {
	case w.K == 0:
		return float32(math.Inf(1)) // they may have any
	case len(best) < w.K:
		return 0
	}
	return max(0, best[len(best)-1])
}

// Shares are how much of each atom's words documents have.
type Shares struct {
	Refs  []Ref       // in no particular order
	Atoms [][]float32 // a column for each atom
	// Unheard is, for each atom, the largest share of its words that an unseen document can
	// have; nil if no bound is known, empty if there are no unseen documents.
	Unheard []float32
	// Beyond is, for each of wanted, its largest value among the documents that were seen and
	// left out; nil if no bound is known.
	Beyond []float32
	// Degraded says in words what could not be asked.
	Degraded []string
}
