package chroma

import (
	"context"
	"net/http"
	"slices"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/attached"
	"github.com/nsfl-go/nsfl/engine/pooling"
	"github.com/nsfl-go/nsfl/query"
)

// Pool fetches, for each of near, the documents that the index has nearest, reads their
// embeddings, and computes their similarities. Where the k-th best found may be worse than
// what is not in the list, more is fetched. What the index itself overlooks stays
// overlooked, but where it returns fewer than k documents of a collection that is not
// large, all are compared. Where few pass the filter, or much of the collection is wanted,
// all are compared at once.
func (s *Store) Pool(ctx context.Context, near [][]float32, k int, filter query.Node, vectors [][]float32) (*engine.Columns, error) {
	q, err := pooling.NewSearch(s.dim, near, k, filter, vectors)
	return s.calls.Columns(ctx, "searching", err, func(ctx context.Context) (*engine.Columns, error) {
		where, err := s.where(ctx, filter)
		if err != nil {
			return nil, err
		}
		f := &search{Store: s, Findings: q.Findings(), where: where, seen: map[string]bool{}}
		degraded, err := f.run(ctx)
		c := f.Columns()
		c.Degraded = degraded
		return c, err
	})
}

// Compare reads embeddings and computes similarities.
func (s *Store) Compare(ctx context.Context, refs []engine.Ref, vectors [][]float32) (*engine.Columns, error) {
	q, err := pooling.NewComparison(s.dim, vectors)
	return s.calls.Columns(ctx, "comparing documents", err, func(ctx context.Context) (*engine.Columns, error) {
		f := &search{Store: s, Findings: q.Findings(), seen: map[string]bool{}}
		err := f.compare(ctx, idsOf(refs))
		return f.InOrder(refs), err
	})
}

// search is one call of Pool or Compare.
type search struct {
	*Store
	*pooling.Findings
	where *condition      // as much of the filter as Chroma can tell
	seen  map[string]bool // the ids of what was read, also where it does not pass
}

// run goes by the index as far as it leads, and otherwise compares everything where that is
// not too much.
func (f *search) run(ctx context.Context) (degraded []string, err error) {
	size, err := f.calls.Size.Get(ctx, f.count)
	if err != nil {
		return nil, err
	}
	slack, alike := f.slack()
	if size.Documents <= min(4*f.K, f.limits.Whole) || !alike && size.Documents <= f.limits.Cheap {
		return nil, f.all(ctx)
	}
	if f.where != nil {
		// To read a document costs the same whichever way it was found, and the index of
		// Chroma is slow to find those that are few.
		few := max(4*f.K, f.few)
		ids, err := f.page(ctx, f.where, 0, few+1)
		if err != nil {
			return nil, err
		}
		if len(ids) <= few {
			f.Exact = true
			return nil, f.compare(ctx, ids)
		}
	}
	if !alike {
		// The nearest by the index are not those by cosine, but some more of them have
		// most of those, and nothing bounds the others.
		return nil, f.nearest(ctx, 4*f.K, func(list) float64 { return 1 })
	}
	state, err := f.reach.Search(f.K, 0, func(limit int) (pooling.State, error) {
		f.Slack = slack
		err := f.nearest(ctx, limit, func(l list) float64 { return l.last })
		return f.State(max(1, size.Documents)), err
	})
	switch {
	case err != nil || state == pooling.Complete:
		return nil, err
	case size.Documents <= f.limits.Whole:
		return nil, f.all(ctx)
	}
	return []string{attached.TooFew(len(f.seen))}, nil
}

// slack is how far cosines may be off that are told from the index's distances, and
// whether these are in the order of cosines.
func (s *Store) slack() (float64, bool) {
	if s.space == cosine {
		return 1e-6, true
	}
	return s.lengths.Slack()
}

// all compares all documents that pass.
func (f *search) all(ctx context.Context) error {
	most := 2 * f.limits.Whole // somebody may store meanwhile
	ids, err := f.page(ctx, f.where, 0, most)
	if err != nil {
		return err
	}
	f.Exact = len(ids) < most
	return f.compare(ctx, ids)
}

// nearest compares what the index has nearest to each of Near. What is not in a list is not
// more similar than bound says.
func (f *search) nearest(ctx context.Context, limit int, bound func(list) float64) error {
	points := make([][]float32, len(f.Near))
	for j, v := range f.Near {
		points[j] = f.Vectors[v]
	}
	request := map[string]any{"query_embeddings": points, "n_results": limit, "include": []string{"distances"}}
	if f.where != nil {
		request["where"] = f.where.json
	}
	raw, err := f.ask(ctx, http.MethodPost, f.address+"/query", request)
	if err != nil {
		return err
	}
	lists, err := decodeLists(raw, len(points), f.space)
	if err != nil {
		return err
	}
	var ids []string
	for j, l := range lists {
		ids = append(ids, l.ids...)
		f.Ends[j] = [2]pooling.End{{Last: bound(l), All: len(l.ids) < limit}, {All: true}}
	}
	return f.compare(ctx, ids)
}

// compare reads documents and computes the similarities of those that pass. One may
// have been replaced since Chroma passed it, and Chroma cannot tell exactly.
func (f *search) compare(ctx context.Context, ids []string) error {
	parts := engine.Vectors
	if f.Filter != nil {
		parts |= engine.Metadata
	}
	fresh := slices.DeleteFunc(ids, func(id string) bool { return f.seen[id] })
	found, err := f.read(ctx, fresh, parts)
	if err != nil {
		return err
	}
	for _, id := range fresh {
		f.seen[id] = true
	}
	for id, d := range found {
		passes, err := pooling.Passes(f.Filter, d.Metadata)
		if err != nil {
			return err
		}
		if passes && d.Vector != nil {
			f.Add(engine.Ref{Key: id}, f.Similarities([][]float32{d.Vector}))
		}
	}
	return nil
}
