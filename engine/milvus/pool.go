package milvus

import (
	"context"
	"math"
	"sync"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/milvus/wire"
	"github.com/nsfl-go/nsfl/engine/pooling"
	"github.com/nsfl-go/nsfl/query"
)

// few is how many vectors are read and compared where an index does not go by the cosine.
const few = 20_000

// Pool fetches, for each of near, the entities that the index has nearest, and computes the
// similarities of all of those here, from their vectors. Where fewer come than there are, all
// that pass are read and compared. What the index overlooks in a list that is full stays
// overlooked.
//
// Where the index is not by the cosine and vectors are not of length 1, all that pass are
// compared if they are few, and otherwise sixteen times as many as are wanted.
func (s *Attached) Pool(ctx context.Context, near [][]float32, k int, node query.Node, vectors [][]float32) (*engine.Columns, error) {
	q, err := pooling.NewSearch(s.dim, near, k, node, vectors)
	return s.calls.Columns(ctx, "searching", err, func(ctx context.Context) (*engine.Columns, error) {
		f := s.newSearch(q)
		err := f.run(ctx)
		columns := f.Columns()
		columns.Approximate = columns.Approximate && !s.index.exact()
		return columns, err
	})
}

// Compare reads the vectors of documents and computes their similarities.
func (s *Attached) Compare(ctx context.Context, refs []engine.Ref, vectors [][]float32) (*engine.Columns, error) {
	q, err := pooling.NewComparison(s.dim, vectors)
	return s.calls.Columns(ctx, "comparing documents", err, func(ctx context.Context) (*engine.Columns, error) {
		f, keys := s.newSearch(q), make([]string, len(refs))
		for i, r := range refs {
			keys[i] = r.Key
		}
		err := f.fetch(ctx, keys)
		return f.InOrder(refs), err
	})
}

// search is one call of Pool or Compare.
type search struct {
	*Attached
	*pooling.Findings
	where condition

	mu     sync.Mutex
	closes map[string][]float32 // the similarities of entities to each of Vectors, by key
}

func (s *Attached) newSearch(q *pooling.Search) *search {
	f := &search{Attached: s, Findings: q.Findings(), where: s.condition(q.Filter), closes: map[string][]float32{}}
	for j := range f.Ends {
		f.Ends[j][1].All = true // no entity has passages
	}
	return f
}

// run goes by the index as far as it leads, and otherwise reads everything. Where half of
// the collection is wanted, that is no more work.
func (f *search) run(ctx context.Context) error {
	if f.where.none {
		f.Exact = true
		return ctx.Err()
	}
	size, err := f.size(ctx)
	if err != nil {
		return err
	}
	if f.uneven.Load() {
		return f.rerank(ctx)
	}
	if f.Filter != nil || 2*f.K < size.Documents {
		state, err := f.reach.Search(f.K, maxResults, func(limit int) (pooling.State, error) { return f.lists(ctx, limit) })
		switch {
		case err != nil || state == pooling.Complete:
			return err
		case f.uneven.Load():
			return f.rerank(ctx)
		}
	}
	return f.all(ctx)
}

// rerank is run where the order of the index is not that of similarities: how its lists
// end tells nothing of what is not in them.
func (f *search) rerank(ctx context.Context) error {
	n, err := f.table.count(ctx, f.where.text)
	if err != nil {
		return err
	}
	if n <= few {
		return f.all(ctx)
	}
	_, err = f.lists(ctx, min(16*f.K, maxResults))
	for j := range f.Ends {
		f.Ends[j][0].Last = 1
	}
	return err
}

// all reads and compares everything that passes.
func (f *search) all(ctx context.Context) error {
	f.Exact = true
	return f.table.pages(ctx, f.where.text, "", f.portion(), f.compared(), f.compare)
}

// portion is how many entities are asked for at once with their vectors.
func (f *search) portion() int {
	const bytes = 8 << 20
	return min(max(1, bytes/(4*f.dim)), 4*maxPage)
}

// compared are the fields that a comparison needs.
func (f *search) compared() []string {
	if f.where.exact {
		return f.wanted(engine.Vectors)
	}
	return f.wanted(engine.Vectors | engine.Metadata)
}

// compare adds entities that pass.
func (f *search) compare(r *rows) error {
	for i, k := range r.keys {
		v := r.vector(i, f.roles.Vector)
		if len(v) != f.dim || engine.Unit(v) != nil {
			continue // it is like nothing
		}
		similarities := f.Similarities([][]float32{v})
		f.mu.Lock()
		f.closes[k] = similarities
		f.mu.Unlock()
		if !f.where.exact {
			passes, err := f.passes(r, i, f.Filter)
			if err != nil {
				return err
			}
			if !passes {
				continue
			}
		}
		f.Add(engine.Ref{Key: k}, similarities)
	}
	return nil
}

// fetch reads entities and compares them.
func (f *search) fetch(ctx context.Context, keys []string) error {
	return f.table.visit(ctx, keys, f.compared(), f.portion(), f.compare)
}

// lists fetches the list of each of Near, and tells whether they are enough.
func (f *search) lists(ctx context.Context, limit int) (pooling.State, error) {
	lists := make([][]hit, len(f.Near))
	err := each(ctx, len(f.Near), func(ctx context.Context, j int) (err error) {
		v := packed(f.Vectors[f.Near[j]])
		lists[j], err = f.table.search(ctx, f.index.target(f.roles.Vector), wire.DataType_FloatVector, v, f.where.text, limit)
		return err
	})
	if err != nil {
		return pooling.Short, err
	}
	var unknown []string
	for _, list := range lists {
		for _, h := range list {
			if f.closes[h.key] == nil {
				unknown = append(unknown, h.key)
			}
		}
	}
	if err := f.fetch(ctx, unknown); err != nil {
		return pooling.Short, err
	}
	for j, list := range lists {
		if end, err := f.end(ctx, list, limit); err != nil || end == nil {
			return pooling.Short, err
		} else {
			f.Ends[j][0] = *end
		}
	}
	// An index that keeps less of vectors than they have is off by as much as it is seen to
	// be off, and perhaps more.
	off := f.off(lists)
	f.Slack = 1e-6 + 2*off
	const uneven = 0.01
	if off > uneven && f.index.metric != "COSINE" {
		f.uneven.Store(true)
		return pooling.Short, nil
	}
	return f.State(0), nil
}

// end is how a list ends; nil where it lacks some that there are.
func (f *search) end(ctx context.Context, list []hit, limit int) (*pooling.End, error) {
	if len(list) >= limit {
		return &pooling.End{Last: f.index.cosine(list[len(list)-1].score)}, nil
	}
	n, err := f.table.count(ctx, f.where.text)
	if err != nil || len(list) < n {
		return nil, err
	}
	return &pooling.End{Last: -1, All: true}, nil
}

// off is how far scores are from similarities, at most.
func (f *search) off(lists [][]hit) (most float64) {
	for j, list := range lists {
		for _, h := range list {
			if similarities := f.closes[h.key]; similarities != nil {
				most = max(most, math.Abs(f.index.cosine(h.score)-float64(similarities[f.Near[j]])))
			}
		}
	}
	return most
}
