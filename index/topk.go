package index

import (
	"context"
	"slices"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/query"
	"github.com/nsfl-go/nsfl/vec"
)

// Hit is a document that a search found.
type Hit struct {
	Ref        engine.Ref
	ID         string
	Similarity float32 // exact
}

// TopK finds, for each of the vectors, the k most similar documents that pass
// the filter, the best first and equal ones by ordinal. It goes by the codes,
// then computes the similarities of more candidates than k exactly, so that a
// document may be missed but none has a wrong similarity or rank; FORMAT.md
// states the recall. Where that costs less, in small collections and where few
// documents pass, it goes by the vectors and misses none. A nil filter passes
// everything.
func (c *Collection) TopK(ctx context.Context, vectors [][]float32, k int, filter query.Node) ([][]Hit, error) {
	if k < 1 {
		return nil, engine.BadInput("query", "the %d best documents", k)
	}
	var hits [][]Hit
	err := c.searching(ctx, "searching", vectors, filter, func(s *search) error {
		n, err := s.nearest(ctx, k, nil)
		if err == nil {
			hits = s.hits(n)
		}
		return err
	})
	return hits, err
}

// Pool finds documents as TopK does. Codes are off by no more than their scale allows, so
// that what lies beyond is known.
func (c *Collection) Pool(ctx context.Context, near [][]float32, k int, filter query.Node, vectors [][]float32) (*engine.Columns, error) {
	if k < 1 {
		return nil, engine.BadInput("query", "the %d best documents", k)
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

// nearest are the documents that are nearest to the vectors of a search.
type nearest struct {
	slots   []uint32    // candidates, which ascend
	columns [][]float32 // their similarities: to the vectors of the search, then to others
	best    []*vec.TopK // for each vector of the search, lines of the best candidates
	beyond  []float32   // what no other document exceeds; nil where codes do not tell
}

// nothing is what lies beyond all documents.
const nothing = -2

// nearest finds the k best for each vector, and compares them with others too. It goes by
// codes, takes somewhat more than k for each vector and computes the similarities of all of
// those at once; or, where that costs less, by the vectors themselves.
func (s *search) nearest(ctx context.Context, k int, others [][]float32) (*nearest, error) {
	s.everything()
	k = min(k, s.slots)
	if s.exactIsCheaper(s.codes.candidates(k)) {
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
	more := s.codes.candidates(k)
	found, err := s.best(ctx, more, dense, nil)
	if err != nil {
		return nil, err
	}
	n, err := s.rescore(ctx, k, found, others)
	if err != nil || s.codes != Int8 {
		return n, err
	}
	scale := s.widest()
	for j, v := range s.vectors {
		x := last(n.best[j], k)
		if estimate := last(found[j], more); estimate != nothing {
			x = max(x, estimate+vec.Slack8(v, scale))
		}
		n.beyond = append(n.beyond, x)
	}
	return n, nil
}

// last is the similarity of the last of n, or nothing where there are fewer.
func last(b *vec.TopK, n int) float32 {
	if _, values := b.Ranked(); len(values) > 0 && len(values) == n {
		return values[n-1]
	}
	return nothing
}

// exactIsCheaper reports whether reading the passing documents' own vectors
// costs no more than reading all codes and rescoring candidates for each query
// vector. Costs are in float rows read in order: a row that is not costs some
// six of them, and a code is as much shorter as it has fewer bytes.
func (s *search) exactIsCheaper(candidates int) bool {
	const scattered = 6
	passing := s.pass.count()
	exact := min(scattered*passing, s.slots)
	codes := s.slots*s.codeSize()/(4*s.dim) + scattered*len(s.vectors)*candidates
	return passing <= candidates || exact <= codes
}

// best is the n documents of the highest products, for each vector.
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
	for _, others := range tops[1:] {
		for j, other := range others {
			tops[0][j].Merge(other)
		}
	}
	return tops[0], err
}

// rescore compares what was found with all vectors and others, by its own vectors. A document
// that was found for one may be among the k best for another.
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

// pooled are the columns of others, for the documents that are among the best for one vector.
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
	out.Beyond = n.beyond
	for i, line := range lines {
		out.Refs[i] = refOf(s.ordinal(int(n.slots[line])))
		for j, column := range others {
			out.Similarities[j][i] = column[line]
		}
	}
	return out
}

func (s *search) hits(n *nearest) [][]Hit {
	hits := make([][]Hit, len(n.best))
	for j, b := range n.best {
		lines, similarities := b.Ranked()
		hits[j] = make([]Hit, len(lines))
		for i, line := range lines {
			slot := int(n.slots[line])
			hits[j][i] = Hit{refOf(s.ordinal(slot)), s.id(slot), similarities[i]}
		}
	}
	return hits
}
