package weaviate

import (
	"context"
	"errors"
	"math"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/pooling"
	"github.com/nsfl-go/nsfl/engine/weaviate/wire"
	"github.com/nsfl-go/nsfl/query"
)

// maxResults is how many results Weaviate gives of one search unless it is set
// otherwise (QUERY_MAXIMUM_RESULTS).
const maxResults = 10_000

// flatCutoff is how many documents may pass a filter for the server to compare all
// of them rather than go by an index. It holds for each shard.
const flatCutoff = 40_000

// Pool fetches, for each of near, the documents that the indexes have nearest by
// the vector of the whole and by the best passage, with their vectors, and computes
// the similarities of all of those. Where the k-th best found may be worse than what
// is in neither list, more is fetched, up to 16·k and no more than 10,000; where that
// is not enough, and where the lists are shorter than they should be, all documents
// are read and compared. What the indexes overlook in a list that is full stays
// overlooked.
//
// After that the cluster is asked which of its nodes answer, so that Degraded is
// about a moment that is later than the search.
func (s *Store) Pool(ctx context.Context, near [][]float32, k int, node query.Node, vectors [][]float32) (*engine.Columns, error) {
	q, err := pooling.NewSearch(s.dim, near, k, node, vectors)
	return s.columns(ctx, "searching", err, func(ctx context.Context, h *host) (*engine.Columns, error) {
		f := s.newSearch(q)
		err := f.run(ctx, h)
		return f.Columns(), err
	})
}

// Compare reads the vectors of documents and computes their similarities.
func (s *Store) Compare(ctx context.Context, refs []engine.Ref, vectors [][]float32) (*engine.Columns, error) {
	q, err := pooling.NewComparison(s.dim, vectors)
	return s.columns(ctx, "comparing documents", err, func(ctx context.Context, h *host) (*engine.Columns, error) {
		f := s.newSearch(q)
		err := s.visit(ctx, h, refs, f.request(false), func(_ key, r *wire.SearchResult) error { return f.compare(r, false) })
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

// search is one call of Pool or Compare, on one host.
type search struct {
	*Store
	*pooling.Findings
	filter *filter
}

func (s *Store) newSearch(q *pooling.Search) *search {
	return &search{s, q.Findings(), newFilter(q.Filter)}
}

// run goes by the indexes as far as they lead, and otherwise reads everything.
// Where half of the collection is wanted, that is no more work.
func (f *search) run(ctx context.Context, h *host) error {
	size, err := f.size(ctx, h)
	if err != nil {
		return err
	}
	if f.Filter != nil || 2*f.K < size.Documents {
		state, err := f.reach.Search(f.K, maxResults, func(limit int) (pooling.State, error) { return f.lists(ctx, h, limit) })
		if err != nil || state == pooling.Complete {
			return err
		}
	}
	f.Exact = true
	_, err = pages(ctx, h, f.request(f.Filter != nil), key{}, math.MaxInt, func(_ key, r *wire.SearchResult) (bool, error) {
		return true, f.compare(r, f.Filter != nil)
	})
	return err
}

// compare adds a result, unless it has to be checked and does not pass.
func (f *search) compare(r *wire.SearchResult, check bool) error {
	k, err := keyIn(r)
	if err != nil || f.Known(k.ref()) {
		return err
	}
	if check {
		passes, err := pooling.Passes(f.Filter, []byte(textIn(r, metadataProperty)))
		if err != nil || !passes {
			return err
		}
	}
	rows, err := decodeVectors(r.GetMetadata().GetVectors(), f.dim)
	if err != nil {
		return err
	}
	f.Add(k.ref(), f.Similarities(rows))
	return nil
}

// request asks for vectors and, where the filter needs it, metadata.
func (f *search) request(metadata bool) *wire.SearchRequest {
	properties := []string{}
	if metadata {
		properties = append(properties, metadataProperty)
	}
	return ask(f.address.collection, properties, wholeVector, passageVectors)
}

// lists fetches both lists of each of Near, and tells whether they are enough.
func (f *search) lists(ctx context.Context, h *host, limit int) (pooling.State, error) {
	lengths := make([][2]int, len(f.Near))
	err := each(ctx, 2*len(f.Near), func(ctx context.Context, i int) (err error) {
		j, byPassages := i/2, i%2
		lengths[j][byPassages], err = f.list(ctx, h, f.Vectors[f.Near[j]], byPassages == 1, limit, &f.Ends[j][byPassages])
		return err
	})
	if err != nil {
		return pooling.Short, err
	}
	for j := range lengths {
		// A list that is shorter than was asked for has all documents that pass where
		// the server has compared all of those.
		if n := lengths[j][0]; n < limit {
			count, err := f.countPassing(ctx, h, f.filter.server)
			if err != nil || n < count && (f.filter.server == nil || count >= flatCutoff) {
				return pooling.Short, err
			}
			f.Ends[j][0].All = true
		}
	}
	f.Slack = 1e-6
	return f.State(0), nil
}

// list fetches one, in as many messages as it takes, and tells how long it is, with
// those that do not pass, and how it ends.
func (f *search) list(ctx context.Context, h *host, v []float32, byPassages bool, limit int, end *pooling.End) (n int, err error) {
	request := f.request(!f.filter.exact)
	request.Filters, request.Metadata.Distance = f.filter.server, true
	request.NearVector = &wire.NearVector{Vectors: []*wire.Vectors{vectorMessage(v)}, Targets: &wire.Targets{TargetVectors: []string{wholeVector}}}
	if byPassages {
		request.NearVector = &wire.NearVector{Vectors: []*wire.Vectors{vectorsMessage([][]float32{v})}, Targets: &wire.Targets{TargetVectors: []string{passageVectors}}}
	}
	*end = pooling.End{Last: -1}
	n, err = results(ctx, h, request, limit, max(1, pageBytes/(4*f.dim)), func(r *wire.SearchResult) error {
		if err := f.compare(r, !f.filter.exact); err != nil {
			return err
		}
		if end.Last = -float64(r.GetMetadata().GetDistance()); end.Last < -1.5 {
			return errFar
		}
		return nil
	})
	if errors.Is(err, errFar) {
		*end, err = pooling.End{Last: -1, All: true}, nil
	}
	return n, err
}

// errFar is that documents without passages come, which with a filter are last and very far
// away: all that have some have come.
var errFar = errors.New("no passages")

// pageBytes is about how much of vectors comes in one message.
const pageBytes = 32 << 20

// results visits up to limit results in their order, in as many messages as it takes, and
// tells how many there were.
func results(ctx context.Context, h *host, request *wire.SearchRequest, limit, page int, visit func(*wire.SearchResult) error) (n int, err error) {
	for n < limit {
		want := min(page, limit-n)
		request.Limit, request.Offset = uint32(want), uint32(n)
		reply, err := h.search(ctx, request)
		if tooLarge(err) && want > 1 {
			page = want / 2
			continue
		}
		if err != nil {
			return n, err
		}
		for _, r := range reply.GetResults() {
			if err := visit(r); err != nil {
				return n, err
			}
		}
		if n += len(reply.GetResults()); len(reply.GetResults()) < want {
			return n, nil
		}
	}
	return n, nil
}
