package enginetest

import (
	"cmp"
	"context"
	"slices"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/internal/predicate"
	"github.com/nsfl-go/nsfl/query"
)

// definition is a reference store: it implements package engine document by document. A Ref is
// an index into it.
type definition []engine.Document

func (d definition) Size(context.Context) (engine.Size, error) {
	return engine.Size{Documents: len(d), Dimension: len(d[0].Vector)}, nil
}

func (d definition) Pool(ctx context.Context, near [][]float32, k int, filter query.Node, vectors [][]float32) (*engine.Columns, error) {
	var passing, pool []engine.Ref
	for i := range d {
		if values, err := predicate.Values(d[i].Metadata); err != nil {
			return nil, err
		} else if filter == nil || predicate.Passes(filter, values) {
			passing = append(passing, engine.Ref{Number: uint64(i)})
		}
	}
	for _, v := range near {
		values := make(map[engine.Ref]float64, len(passing))
		for _, r := range passing {
			values[r] = similarity(&d[r.Number], v)
		}
		slices.SortFunc(passing, func(a, b engine.Ref) int {
			return cmp.Or(cmp.Compare(values[b], values[a]), a.Compare(b))
		})
		pool = append(pool, passing[:min(k, len(passing))]...)
	}
	slices.SortFunc(pool, engine.Ref.Compare)
	return d.Compare(ctx, slices.Compact(pool), vectors)
}

func (d definition) Compare(_ context.Context, refs []engine.Ref, vectors [][]float32) (*engine.Columns, error) {
	c := &engine.Columns{Refs: refs, Similarities: make([][]float32, len(vectors))}
	for j, v := range vectors {
		for _, r := range refs {
			c.Similarities[j] = append(c.Similarities[j], float32(similarity(&d[r.Number], v)))
		}
	}
	return c, nil
}

func (d definition) Sample(_ context.Context, n int) (refs []engine.Ref, err error) {
	for i := range min(n, len(d)) {
		refs = append(refs, engine.Ref{Number: uint64(i * len(d) / n)})
	}
	return refs, nil
}

func (d definition) Documents(_ context.Context, refs []engine.Ref, _ engine.Parts) (docs []engine.Document, err error) {
	for _, r := range refs {
		docs = append(docs, d[r.Number])
	}
	return docs, nil
}

func (d definition) Get(_ context.Context, id string, _ engine.Parts) (engine.Document, error) {
	for i := range d {
		if d[i].ID == id {
			return d[i], nil
		}
	}
	return engine.Document{}, engine.ErrNotFound
}

func (d definition) Find(_ context.Context, id string) (engine.Ref, error) {
	for i := range d {
		if d[i].ID == id {
			return engine.Ref{Number: uint64(i)}, nil
		}
	}
	return engine.Ref{}, engine.ErrNotFound
}
