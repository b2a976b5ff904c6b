package milvus

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/remote"
	"github.com/nsfl-go/nsfl/query"
)

// few is how many vectors are read and compared where an index does not go by the cosine,
// and many how many are not, where an index does not lead to enough that pass.
var few, many = 20_000, 500_000 // fewer in tests

// Pool fetches, for each of near, the entities that the index has nearest, and computes the
// similarities of all of those here, from their vectors. Where too few of them pass, all that
// Milvus lets pass are read and compared, unless they are many: then what was found is all,
// and Degraded says so. What the index overlooks in a list that is full stays overlooked.
//
// Where the index is not by the cosine and vectors are not of length 1, all that pass are
// compared if they are few, and otherwise sixteen times as many as are wanted.
func (s *Attached) Pool(ctx context.Context, near [][]float32, k int, node query.Node, vectors [][]float32) (*engine.Columns, error) {
	q, err := remote.NewSearch(s.dim, near, k, node, vectors)
	return s.calls.Columns(ctx, "searching", err, func(ctx context.Context) (*engine.Columns, error) {
		f := s.newSearch(q)
		err := f.run(ctx)
		columns := f.Columns()
		columns.Approximate = columns.Approximate && !s.index.exact()
		if f.unbounded {
			columns.Beyond = nil
		}
		if f.lacking != "" {
			columns.Degraded = []string{f.lacking}
		}
		return columns, err
	})
}

// Compare reads the vectors of documents and computes their similarities.
func (s *Attached) Compare(ctx context.Context, refs []engine.Ref, vectors [][]float32) (*engine.Columns, error) {
	q, err := remote.NewComparison(s.dim, vectors)
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
	*remote.Findings
	where condition
	// unbounded says that the order of the lists is not that of similarities, so that how
	// they end tells nothing of what is not in them.
	unbounded bool
	lacking   string // what was not looked at, in words

	mu     sync.Mutex
	closes map[string][]float32 // how close documents are to each of Vectors, by key
}

func (s *Attached) newSearch(q *remote.Search) *search {
	return &search{Attached: s, Findings: q.Findings(), where: s.condition(q.Filter), closes: map[string][]float32{}}
}

// run goes by the indexes as far as they lead, and otherwise reads everything. Where half of
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
		state, err := f.reach.Search(f.K, maxResults, func(limit int) (remote.State, error) { return f.lists(ctx, limit) })
		switch {
		case err != nil || state == remote.Complete:
			return err
		case f.uneven.Load():
			return f.rerank(ctx)
		}
	}
	n, err := f.table.count(ctx, f.where.text)
	switch {
	case err != nil:
		return err
	case n <= many:
		return f.everything(ctx)
	}
	f.lacking = fmt.Sprintf("the filter cannot be left to Milvus, and not all of %d entities were looked at", n)
	return nil
}

// rerank is run where the order of the index is not that of similarities.
func (f *search) rerank(ctx context.Context) error {
	n, err := f.table.count(ctx, f.where.text)
	if err != nil {
		return err
	}
	if n <= few {
		return f.everything(ctx)
	}
	f.unbounded = true
	_, err = f.lists(ctx, min(16*f.K, maxResults))
	return err
}

// everything reads and compares all that passes.
func (f *search) everything(ctx context.Context) error {
	f.Exact = true
	return f.table.pages(ctx, f.where.text, "", f.portion(), f.needed(), f.compare)
}

// portion is how many documents are asked for at once with their vectors.
func (f *search) portion() int {
	const bytes = 8 << 20
	return min(max(1, bytes/(4*f.dim)), maxResults)
}

// needed are the fields that a comparison needs.
func (f *search) needed() []string {
	if f.where.exact {
		return f.compared()
	}
	return slices.Compact(slices.Sorted(slices.Values(append(f.compared(), f.judged(f.Filter)...))))
}

// compare adds documents that pass.
func (f *search) compare(r *rows) error {
	for i, k := range r.keys {
		v := f.unit(r, i)
		if v == nil {
			continue
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

// fetch reads documents and compares them.
func (f *search) fetch(ctx context.Context, keys []string) error {
	return f.table.visit(ctx, keys, f.needed(), f.portion(), f.compare)
}
