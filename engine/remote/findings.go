package remote

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/internal/storekit"
	"github.com/nsfl-go/nsfl/query"
)

// Findings are the documents that a search has compared. Documents may be added by
// several goroutines at once.
type Findings struct {
	*Search
	Ends [][2]End // the ends of the lists of each of Near: by documents, by passages
	// Exact says that all documents that pass the filter were compared.
	Exact bool
	Slack float64 // how far similarities in the lists may be off
	Short bool    // a list may have fewer documents than there are

	mu           sync.Mutex
	refs         []engine.Ref
	lines        map[engine.Ref]int // the positions in refs
	similarities [][]float32        // by the number of the vector, then by document
}

// End is how a list ends that is in the order of similarity.
type End struct {
	Last float64 // the similarity of the last
	All  bool    // the list has all that there is
}

// Findings returns the empty findings of a search.
func (q *Search) Findings() *Findings {
	return &Findings{
		Search: q, Ends: make([][2]End, len(q.Near)),
		lines: map[engine.Ref]int{}, similarities: make([][]float32, len(q.Vectors)),
	}
}

// Similarities returns the similarities of a document with these vectors to each of Vectors.
func (q *Search) Similarities(rows [][]float32) []float32 {
	out := make([]float32, len(q.Vectors))
	for i, v := range q.Vectors {
		out[i] = Similarity(rows, v)
	}
	return out
}

// Add adds a document with its similarities to each of Vectors, once.
func (f *Findings) Add(ref engine.Ref, similarities []float32) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if _, ok := f.lines[ref]; ok {
		return
	}
	f.lines[ref] = len(f.refs)
	f.refs = append(f.refs, ref)
	for i, x := range similarities {
		f.similarities[i] = append(f.similarities[i], x)
	}
}

func (f *Findings) best(j int) []int {
	lines := make([]int, len(f.refs))
	for i := range lines {
		lines[i] = i
	}
	column := f.similarities[f.Near[j]]
	slices.SortFunc(lines, func(a, b int) int {
		return cmp.Or(cmp.Compare(column[b], column[a]), f.refs[a].Compare(f.refs[b]))
	})
	return lines[:min(f.K, len(lines))]
}

// State reports how far the search has got. A complete list with fewer than k documents
// must have least documents, otherwise the index has overlooked some.
func (f *Findings) State(least int) State {
	for j, v := range f.Near {
		best, end := f.best(j), f.Ends[j][0]
		switch {
		case end.All && len(best) < min(f.K, least):
			return Short
		case !end.All && len(best) < f.K:
			return Incomplete
		case len(best) > 0 && float64(f.similarities[v][best[len(best)-1]])+f.Slack < f.bound(j):
			return Incomplete
		}
	}
	return Complete
}

// bound returns the largest similarity that a document outside both lists can have: the
// last of the first list or, for a document with passages, the mean of both last.
func (f *Findings) bound(j int) float64 {
	documents, passages := f.Ends[j][0], f.Ends[j][1]
	switch {
	case documents.All:
		return -2
	case passages.All: // the others have no passages
		return documents.Last
	}
	return max(documents.Last, (documents.Last+passages.Last)/2)
}

// Columns returns the k best documents for each of Near.
func (f *Findings) Columns() *engine.Columns {
	c := &engine.Columns{Similarities: make([][]float32, len(f.Wanted)), Approximate: !f.Exact}
	taken := make([]bool, len(f.refs))
	for j, v := range f.Near {
		best := f.best(j)
		for _, line := range best {
			if !taken[line] {
				taken[line] = true
				f.take(c, line)
			}
		}
		beyond := float32(-2)
		if !f.Exact && !f.Ends[j][0].All {
			beyond = float32(f.bound(j) + f.Slack)
		}
		if len(best) == f.K {
			beyond = max(beyond, f.similarities[v][best[len(best)-1]])
		}
		c.UnseenBounds = append(c.UnseenBounds, beyond)
	}
	return c
}

func (f *Findings) take(c *engine.Columns, line int) {
	c.Refs = append(c.Refs, f.refs[line])
	for i, v := range f.Wanted {
		c.Similarities[i] = append(c.Similarities[i], f.similarities[v][line])
	}
}

// InOrder returns all documents in the order of refs.
func (f *Findings) InOrder(refs []engine.Ref) *engine.Columns {
	c := &engine.Columns{Similarities: make([][]float32, len(f.Wanted))}
	for _, ref := range refs {
		if line, ok := f.lines[ref]; ok {
			f.take(c, line)
		}
	}
	return c
}

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
		u, err := storekit.UnitOf(v, dim)
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
