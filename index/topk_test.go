package index

import (
	"context"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/query"
)

// Hit is a search result.
type Hit struct {
	Ref        engine.Ref
	ID         string
	Similarity float32 // exact
}

// TopK returns, for each vector, the k documents that Pool finds, best first and ties by
// ordinal.
func (c *Collection) TopK(ctx context.Context, vectors [][]float32, k int, filter query.Node) ([][]Hit, error) {
	if k < 1 {
		return nil, engine.BadInput("query", "k is %d; it must be at least 1", k)
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
