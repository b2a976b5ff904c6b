package weaviate

import (
	"context"
	"math"
	"sync/atomic"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/remote"
	"github.com/nsfl-go/nsfl/engine/weaviate/wire"
	"github.com/nsfl-go/nsfl/query"
)

// Pool fetches, for each of near, the documents that the index has nearest, with their
// vectors, and computes the cosines. Where too few of them pass a filter that the server
// cannot apply, more is fetched, up to 16·k and no more than 10,000; where that is not
// enough, all documents are read and compared unless they are too many.
func (a *Attached) Pool(ctx context.Context, near [][]float32, k int, filter query.Node, vectors [][]float32) (*engine.Columns, error) {
	q, err := remote.NewSearch(a.dim, near, k, filter, vectors)
	return a.columns(ctx, "searching", err, func(ctx context.Context, h *host) (*engine.Columns, error) {
		f := &attachedSearch{Attached: a, Findings: q.Findings(), filter: a.narrow(filter)}
		degraded, err := f.run(ctx, h)
		c := f.Columns()
		c.Degraded = degraded
		return c, err
	})
}

// Compare reads the vectors of documents and computes cosines.
func (a *Attached) Compare(ctx context.Context, refs []engine.Ref, vectors [][]float32) (*engine.Columns, error) {
	q, err := remote.NewComparison(a.dim, vectors)
	return a.columns(ctx, "comparing documents", err, func(ctx context.Context, h *host) (*engine.Columns, error) {
		f := &attachedSearch{Attached: a, Findings: q.Findings(), filter: anything}
		err := a.visit(ctx, h, refs, f.request(), func(_ key, r *wire.SearchResult) error { _, err := f.compare(r); return err })
		return f.InOrder(refs), err
	})
}

// columns are those that f finds, with what part of the cluster they lack.
func (c *cluster) columns(ctx context.Context, doing string, problem error, f func(context.Context, *host) (*engine.Columns, error)) (*engine.Columns, error) {
	return c.calls.Columns(ctx, doing, problem, func(ctx context.Context) (columns *engine.Columns, err error) {
		err = c.on(func(ctx context.Context, h *host) (err error) {
			if columns, err = f(ctx, h); err != nil {
				return err
			}
			missing, err := c.at.missing(ctx, h)
			if missing != "" {
				columns.Degraded = append(columns.Degraded, missing)
			}
			return err
		})(ctx)
		return columns, err
	})
}

// attachedSearch is one call of Pool or Compare, on one host.
type attachedSearch struct {
	*Attached
	*remote.Findings
	filter narrowed
	looked atomic.Int64 // how many results have come
}

// run goes by the index as far as it leads, and otherwise reads everything.
func (f *attachedSearch) run(ctx context.Context, h *host) (degraded []string, err error) {
	size, err := f.size(ctx, h)
	if err != nil {
		return nil, err
	}
	slack, alike := f.lengths.Slack()
	if f.class.index(f.roles.Vector).Distance == cosine {
		slack, alike = 1e-6, true
	}
	if f.Filter == nil && size.Documents <= min(2*f.K, f.limits.Whole) || !alike && size.Documents <= f.limits.Cheap {
		return nil, f.all(ctx, h)
	}
	if !alike {
		// The nearest by the index are not those by cosine, but some more of them have
		// most of those, and nothing bounds the others.
		return nil, f.lists(ctx, h, min(4*f.K, maxResults), func(float64) float64 { return 1 })
	}
	f.Slack = 2 * slack // of the last in a list, and of what is not in it
	least := 0
	if f.Filter == nil {
		least = size.Documents
	}
	state, err := f.reach.Search(f.K, maxResults, func(limit int) (remote.State, error) {
		err := f.lists(ctx, h, limit, func(last float64) float64 { return last })
		return f.State(least), err
	})
	switch {
	case err != nil || state == remote.Complete:
		return nil, err
	case size.Documents <= f.limits.Whole:
		return nil, f.all(ctx, h)
	}
	return []string{remote.TooFew(int(f.looked.Load()))}, nil
}

// all compares all documents.
func (f *attachedSearch) all(ctx context.Context, h *host) error {
	f.Exact, f.filter = true, unsaid // pages do not go by a filter
	_, err := pages(ctx, h, f.request(), key{}, math.MaxInt, func(_ key, r *wire.SearchResult) (bool, error) {
		_, err := f.compare(r)
		return true, err
	})
	return err
}

// request asks for vectors and, where the filter needs it, properties.
func (f *attachedSearch) request() *wire.SearchRequest {
	needed := func(*property) bool { return false }
	if !f.filter.exact && f.Filter != nil {
		needed = f.needs(f.Filter)
	}
	return f.ask(true, needed)
}

// compare adds a result, unless it has to be checked and does not pass, and tells its
// vector; nil: it has none.
func (f *attachedSearch) compare(r *wire.SearchResult) ([]float32, error) {
	f.looked.Add(1)
	k, err := keyIn(r)
	if err != nil {
		return nil, err
	}
	v, err := f.vectorIn(r)
	if v == nil || err != nil {
		return nil, err
	}
	if v = f.lengths.Unit(v); v == nil || f.Known(k.ref()) {
		return v, nil
	}
	if !f.filter.exact && f.Filter != nil {
		passes, err := f.passes(f.Filter, r)
		if err != nil || !passes {
			return v, err
		}
	}
	f.Add(k.ref(), f.Similarities([][]float32{v}))
	return v, nil
}

// lists fetches the list of each of Near. What is not in one is not more similar than bound
// makes of the least similar that is.
func (f *attachedSearch) lists(ctx context.Context, h *host, limit int, bound func(float64) float64) error {
	return each(ctx, len(f.Near), func(ctx context.Context, j int) error {
		v := f.Vectors[f.Near[j]]
		request := f.request()
		request.Filters = f.filter.server
		request.NearVector = &wire.NearVector{Vectors: []*wire.Vectors{vectorMessage(f.roles.Vector, v)}}
		if len(f.class.VectorConfig) > 0 {
			request.NearVector.Targets = &wire.Targets{TargetVectors: []string{f.roles.Vector}}
		}
		last := 1.0
		n, err := results(ctx, h, request, limit, max(1, pageBytes/(4*f.dim)), func(r *wire.SearchResult) error {
			u, err := f.compare(r)
			if u != nil {
				last = min(last, float64(remote.Similarity([][]float32{u}, v)))
			}
			return err
		})
		f.Ends[j] = [2]remote.End{{Last: bound(last), All: n < limit}, {All: true}}
		return err
	})
}
