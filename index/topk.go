package index

import (
	"context"
	"slices"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/internal/vec"
	"github.com/nsfl-go/nsfl/query"
)

// Pool selects more than k candidates for each vector by their codes and rescores them
// exactly: it may miss a document, but similarities are never wrong. FORMAT.md states the
// recall. Where it is cheaper, in small collections or when few documents pass, it scans the
// vectors and misses none. The error of a code is bounded by its scale, which bounds the
// similarity of every document not returned.
func (c *Collection) Pool(ctx context.Context, near [][]float32, k int, filter query.Node, vectors [][]float32) (*engine.Columns, error) {
	if k < 1 {
		return nil, engine.BadInput("query", "k is %d; it must be at least 1", k)
	}
	compared, err := c.normalize(vectors)
	if err != nil {
		return nil, c.call("searching", func() error { return err })
	}
	var columns *engine.Columns
	err = c.searching(ctx, "searching", near, filter, func(s *search) error {
		n, err := s.nearest(ctx, k, compared)
		if err == nil {
			columns = s.pooled(n)
		}
		return err
	})
	return columns, err
}

// nearest holds the documents nearest to the vectors of a search.
type nearest struct {
	slots   []uint32    // candidates, ascending
	columns [][]float32 // similarities to the vectors of the search, then to others
	best    []*vec.TopK // for each vector of the search, the lines of the best candidates
	beyond  []float32   // upper bound for all other documents
}

// nothing is the bound when no other documents exist.
const nothing = -2

// nearest finds the k best documents for each vector, and compares them with others too.
// It selects somewhat more than k by code for each vector and rescores them all at once,
// or scans the vectors themselves if that is cheaper.
func (s *search) nearest(ctx context.Context, k int, others [][]float32) (*nearest, error) {
	s.passAll()
	k = min(k, s.slots)
	if s.exactIsCheaper(codeCandidates(k)) {
		return s.nearestByVectors(ctx, k, others)
	}
	return s.nearestByCodes(ctx, k, others)
}

func (s *search) nearestByVectors(ctx context.Context, k int, others [][]float32) (*nearest, error) {
	dense, sparse, err := s.exact(s.vectors)
	if err != nil {
		return nil, err
	}
	found, err := s.best(ctx, k, dense, sparse)
	if err != nil {
		return nil, err
	}
	n, err := s.rescore(ctx, k, found, others)
	if err != nil {
		return nil, err
	}
	for _, b := range found {
		x := last(b, k)
		if s.pass.count() <= k {
			x = nothing
		}
		n.beyond = append(n.beyond, x)
	}
	return n, nil
}

func (s *search) nearestByCodes(ctx context.Context, k int, others [][]float32) (*nearest, error) {
	dense, err := s.estimate(s.vectors)
	if err != nil {
		return nil, err
	}
	more := codeCandidates(k)
	found, err := s.best(ctx, more, dense, nil)
	if err != nil {
		return nil, err
	}
	n, err := s.rescore(ctx, k, found, others)
	if err != nil {
		return n, err
	}
	scale := s.maxScale()
	for j, v := range s.vectors {
		x := last(n.best[j], k)
		if estimate := last(found[j], more); estimate != nothing {
			x = max(x, estimate+vec.Slack8(v, scale))
		}
		n.beyond = append(n.beyond, x)
	}
	return n, nil
}

// last returns the similarity of the n-th best, or nothing if there are fewer.
func last(b *vec.TopK, n int) float32 {
	if _, values := b.Ranked(); len(values) > 0 && len(values) == n {
		return values[n-1]
	}
	return nothing
}

// exactIsCheaper reports whether reading the vectors of the passing documents costs no
// more than reading all codes and rescoring the candidates of each query vector. The unit
// of cost is one float row read sequentially: a random row costs about six, and a code
// costs less in proportion to its size.
func (s *search) exactIsCheaper(candidates int) bool {
	const scattered = 6
	passing := s.pass.count()
	exact := min(scattered*passing, s.slots)
	codes := s.slots/4 + scattered*len(s.vectors)*candidates
	return passing <= candidates || exact <= codes
}

// best returns the n documents with the highest dot products for each vector.
func (s *search) best(ctx context.Context, n int, dense product, sparse scattered) ([]*vec.TopK, error) {
	tops := make([][]*vec.TopK, cores())
	for w := range tops {
		for range s.vectors {
			tops[w] = append(tops[w], vec.NewTopK(n))
		}
	}
	err := s.sweep(ctx, dense, sparse, func(worker, _ int, slots []uint32, columns [][]float32) {
		for j, column := range columns {
			tops[worker][j].PushIDs(slots, column)
		}
	})
	return merged(tops), err
}

// merged merges what the workers have found.
func merged(tops [][]*vec.TopK) []*vec.TopK {
	for _, others := range tops[1:] {
		for j, other := range others {
			tops[0][j].Merge(other)
		}
	}
	return tops[0]
}

// rescore compares the candidates with all vectors and others exactly. A candidate found
// for one vector may be among the k best for another.
func (s *search) rescore(ctx context.Context, k int, found []*vec.TopK, others [][]float32) (*nearest, error) {
	there := newBitmap(s.slots)
	for _, f := range found {
		slots, _ := f.Ranked()
		for _, slot := range slots {
			there.set(int(slot))
		}
	}
	n := &nearest{slots: there.appendSlots(nil, 0, s.slots)}
	all := &search{snapshot: s.snapshot, vectors: slices.Concat(s.vectors, others)}
	_, sparse, err := all.exact(all.vectors)
	if err != nil {
		return n, err
	}
	n.columns = newColumns(len(all.vectors), len(n.slots)).Similarities
	err = all.gatherAll(ctx, sparse, n.slots, n.columns)
	for _, column := range n.columns[:len(s.vectors)] {
		top := vec.NewTopK(k)
		top.Push(0, column)
		n.best = append(n.best, top)
	}
	return n, err
}

// pooled returns the columns of others for the documents among the best for any vector.
func (s *search) pooled(n *nearest) *engine.Columns {
	there := newBitmap(len(n.slots))
	for _, b := range n.best {
		lines, _ := b.Ranked()
		for _, line := range lines {
			there.set(int(line))
		}
	}
	lines := there.appendSlots(nil, 0, len(n.slots))
	others := n.columns[len(s.vectors):]
	out := newColumns(len(others), len(lines))
	out.UnseenBounds = n.beyond
	for i, line := range lines {
		out.Refs[i] = refOf(s.ordinal(int(n.slots[line])))
		for j, column := range others {
			out.Similarities[j][i] = column[line]
		}
	}
	return out
}
