package engine

import (
	"context"

	"github.com/nsfl-go/nsfl/index"
	"github.com/nsfl-go/nsfl/query"
)

// Embedded is a collection of the package index as a store. It can scan and be
// written to.
type Embedded struct{ *index.Collection }

var (
	_ Store   = Embedded{}
	_ Scanner = Embedded{}
	_ Writer  = Embedded{}
)

// Size is that of the collection now.
func (e Embedded) Size(ctx context.Context) (Size, error) {
	s, err := e.Stats(ctx)
	return Size{Documents: s.Documents, Vectors: s.Vectors, Dimension: s.Dimension}, err
}

// Pool goes by codes and rescores exactly, as index.Collection.TopK says.
func (e Embedded) Pool(ctx context.Context, near [][]float32, k int, filter query.Node, vectors [][]float32) (*Columns, error) {
	lists, err := e.TopK(ctx, near, k, filter)
	if err != nil {
		return nil, err
	}
	var pool []index.Ordinal
	seen := make(map[index.Ordinal]bool, len(lists[0]))
	for _, hits := range lists {
		for _, h := range hits {
			if !seen[h.Ordinal] {
				seen[h.Ordinal] = true
				pool = append(pool, h.Ordinal)
			}
		}
	}
	columns, err := e.Gather(ctx, vectors, pool)
	if err != nil {
		return nil, err
	}
	return widen(columns), nil
}

// Scan misses nothing.
func (e Embedded) Scan(ctx context.Context, vectors [][]float32, filter query.Node) (*Columns, error) {
	columns, err := e.Collection.Scan(ctx, vectors, filter)
	if err != nil {
		return nil, err
	}
	return widen(columns), nil
}

func widen(c *index.Columns) *Columns {
	out := &Columns{Refs: make([]Ref, len(c.Ordinals)), Similarities: c.Similarities}
	for i, o := range c.Ordinals {
		out.Refs[i] = Ref(o)
	}
	return out
}

// Documents reads them from one state of the collection.
func (e Embedded) Documents(ctx context.Context, refs []Ref) ([]Document, error) {
	ordinals := make([]index.Ordinal, len(refs))
	for i, r := range refs {
		ordinals[i] = index.Ordinal(r)
	}
	return e.Collection.Documents(ctx, ordinals)
}
