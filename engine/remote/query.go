package remote

import (
	"fmt"
	"math"
	"slices"
	"sync/atomic"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/query"
)

// Search is the request of one call of Pool or Compare.
type Search struct {
	Vectors [][]float32 // all distinct ones, at length 1
	Near    []int       // the numbers of those that candidates are near to
	Wanted  []int       // the numbers of those that candidates are compared with
	K       int
	Filter  query.Node
}

// NewSearch returns the request of Pool, or an *engine.InputError.
func NewSearch(dim int, near [][]float32, k int, filter query.Node, vectors [][]float32) (*Search, error) {
	if k < 1 {
		return nil, engine.BadInput("query", "the %d best documents", k)
	}
	if err := CheckFilter(filter); err != nil {
		return nil, err
	}
	q := &Search{K: min(k, math.MaxInt32), Filter: filter} // more there cannot be, and products of it are numbers
	var err error
	if q.Near, err = q.number(near, dim); err == nil {
		q.Wanted, err = q.number(vectors, dim)
	}
	return q, err
}

// NewComparison returns the request of Compare.
func NewComparison(dim int, vectors [][]float32) (*Search, error) {
	q := &Search{}
	var err error
	q.Wanted, err = q.number(vectors, dim)
	return q, err
}

// number adds vectors, at length 1, and returns the numbers they have.
func (q *Search) number(vectors [][]float32, dim int) ([]int, error) {
	if len(vectors) == 0 {
		return nil, engine.BadInput("query", "there is no vector")
	}
	numbers := make([]int, len(vectors))
	for i, v := range vectors {
		u, err := engine.UnitOf(v, dim)
		if err != nil {
			return nil, engine.BadInput(fmt.Sprintf("query vector %d", i), "it %s", err)
		}
		at := slices.IndexFunc(q.Vectors, func(v []float32) bool { return slices.Equal(u, v) })
		if at < 0 {
			at = len(q.Vectors)
			q.Vectors = append(q.Vectors, u)
		}
		numbers[i] = at
	}
	return numbers, nil
}

// maxReach limits the length of lists to a multiple of k; after that, all documents are
// compared. Less is remembered for the next search, which may need less.
const maxReach, rememberedReach = 16, 4

// Reach is the multiple of k that a search begins with. The zero value is ready.
type Reach struct{ remembered atomic.Int64 }

// State is how far a search has got.
type State int

// The states of a search.
const (
	Complete   State = iota // nothing is missing that the indexes could give
	Incomplete              // they may give more
	Short                   // they give no more, and too little
)

// Search calls lists with growing lengths, up to most, while they are Incomplete; a most of 0
// is no limit. It returns Short if the longest lists are not enough.
func (r *Reach) Search(k, most int, lists func(limit int) (State, error)) (State, error) {
	for reach := max(1, int(r.remembered.Load())); ; reach *= 2 {
		limit := k * reach
		if most > 0 {
			limit = min(limit, most)
		}
		state, err := lists(limit)
		switch {
		case err != nil || state != Incomplete:
			return state, err
		case reach >= maxReach || limit == most:
			return Short, nil
		}
		r.remembered.Store(int64(min(2*reach, rememberedReach)))
	}
}
