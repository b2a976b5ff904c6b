package index

import (
	"context"

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
		best, _, err := s.nearest(ctx, k)
		if err == nil {
			hits = s.hits(best)
		}
		return err
	})
	return hits, err
}

// Pool goes by codes and rescores exactly, as TopK does. Codes are off by no more than
// their scale allows, so that what lies beyond is known.
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
		best, beyond, err := s.nearest(ctx, k)
		if err != nil {
			return err
		}
		found := newBitmap(s.slots)
		for _, b := range best {
			slots, _ := b.Ranked()
			for _, slot := range slots {
				found.set(int(slot))
			}
		}
		slots := found.appendSlots(nil, 0, s.slots)
		columns, err = s.columns(ctx, slots, compared)
		if err == nil {
			columns.Beyond = beyond
		}
		return err
	})
	return columns, err
}

// columns compares the documents of slots, which ascend, with vectors.
func (s *search) columns(ctx context.Context, slots []uint32, vectors [][]float32) (*engine.Columns, error) {
	out := newColumns(len(vectors), len(slots))
	if len(slots) == 0 {
		return out, nil
	}
	s.refs(out.Refs, slots)
	other := &search{snapshot: s.snapshot, vectors: vectors}
	_, sparse, err := other.exact(vectors)
	if err != nil {
		return nil, err
	}
	return out, other.gatherAll(ctx, sparse, slots, out.Similarities)
}

// nothing is what lies beyond all documents.
const nothing = -2

// nearest are the k best for each vector, and what no other document exceeds; that is nil
// where codes do not tell.
func (s *search) nearest(ctx context.Context, k int) (best []*vec.TopK, beyond []float32, err error) {
	s.everything()
	k = min(k, s.slots)
	if !s.exactIsCheaper(s.codes.candidates(k)) {
		return s.nearestByCodes(ctx, k)
	}
	dense, sparse, err := s.exact(s.vectors)
	if err == nil {
		best, err = s.best(ctx, k, dense, sparse)
	}
	few := s.pass.count() <= k
	for _, b := range best {
		x := last(b, k)
		if few {
			x = nothing
		}
		beyond = append(beyond, x)
	}
	return best, beyond, err
}

// last is the similarity of the last of n, or nothing where there are fewer.
func last(b *vec.TopK, n int) float32 {
	if _, values := b.Ranked(); len(values) > 0 && len(values) == n {
		return values[n-1]
	}
	return nothing
}

// nearestByCodes finds candidates by their codes and rescores them by their vectors.
func (s *search) nearestByCodes(ctx context.Context, k int) (best []*vec.TopK, beyond []float32, err error) {
	dense, err := s.estimate(s.vectors)
	if err != nil {
		return nil, nil, err
	}
	n := s.codes.candidates(k)
	found, err := s.best(ctx, n, dense, nil)
	if err != nil {
		return nil, nil, err
	}
	if best, err = s.rescore(ctx, k, found); err != nil || s.codes != Int8 {
		return best, nil, err
	}
	scale := s.widest()
	for j, v := range s.vectors {
		x := last(best[j], k)
		if estimate := last(found[j], n); estimate != nothing {
			x = max(x, estimate+vec.Slack8(v, scale))
		}
		beyond = append(beyond, x)
	}
	return best, beyond, nil
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

// rescore is the k best of what was found by code, by their vectors.
func (s *search) rescore(ctx context.Context, k int, found []*vec.TopK) ([]*vec.TopK, error) {
	best := make([]*vec.TopK, len(found))
	for j, f := range found {
		slots, _ := f.Ranked()
		one := &search{snapshot: s.snapshot, vectors: s.vectors[j : j+1]}
		_, sparse, err := one.exact(one.vectors)
		if err != nil {
			return nil, err
		}
		column := make([]float32, len(slots))
		if err := one.gatherAll(ctx, sparse, slots, [][]float32{column}); err != nil {
			return nil, err
		}
		best[j] = vec.NewTopK(k)
		best[j].PushIDs(slots, column)
	}
	return best, nil
}

func (s *search) hits(best []*vec.TopK) [][]Hit {
	hits := make([][]Hit, len(best))
	for j, b := range best {
		slots, similarities := b.Ranked()
		hits[j] = make([]Hit, len(slots))
		for i, slot := range slots {
			hits[j][i] = Hit{refOf(s.ordinal(int(slot))), s.id(int(slot)), similarities[i]}
		}
	}
	return hits
}
