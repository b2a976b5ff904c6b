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
	err := c.searching(ctx, "searching", vectors, filter, func(s *search) (err error) {
		hits, err = s.topK(ctx, k)
		return err
	})
	return hits, err
}

// Pool goes by codes and rescores exactly, as TopK does.
func (c *Collection) Pool(ctx context.Context, near [][]float32, k int, filter query.Node, vectors [][]float32) (*engine.Columns, error) {
	lists, err := c.TopK(ctx, near, k, filter)
	if err != nil {
		return nil, err
	}
	var pool []engine.Ref
	seen := make(map[engine.Ref]bool, len(lists[0]))
	for _, hits := range lists {
		for _, h := range hits {
			if !seen[h.Ref] {
				seen[h.Ref] = true
				pool = append(pool, h.Ref)
			}
		}
	}
	return c.Compare(ctx, pool, vectors)
}

func (s *search) topK(ctx context.Context, k int) ([][]Hit, error) {
	s.everything()
	k = min(k, s.slots)
	if !s.exactIsCheaper(s.codes.candidates(k)) {
		return s.topByCodes(ctx, k)
	}
	dense, sparse, err := s.exact(s.vectors)
	if err != nil {
		return nil, err
	}
	best, err := s.best(ctx, k, dense, sparse)
	if err != nil {
		return nil, err
	}
	return s.hits(best), nil
}

// topByCodes finds candidates by their codes and rescores them by their vectors.
func (s *search) topByCodes(ctx context.Context, k int) ([][]Hit, error) {
	dense, err := s.estimate(s.vectors)
	if err != nil {
		return nil, err
	}
	best, err := s.best(ctx, s.codes.candidates(k), dense, nil)
	if err != nil {
		return nil, err
	}
	if best, err = s.rescore(ctx, k, best); err != nil {
		return nil, err
	}
	return s.hits(best), nil
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
