package weaviate

import (
	"context"
	"fmt"
	"math"
	"sync"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/weaviate/wire"
	"github.com/nsfl-go/nsfl/index"
	"github.com/nsfl-go/nsfl/query"
)

// maxResults is how many results Weaviate gives of one search unless it is set
// otherwise (QUERY_MAXIMUM_RESULTS).
const maxResults = 10_000

// maxReach is how many times k documents are fetched at most; after that, all
// documents are compared. What one odd query needs the next need not, so that less
// is remembered.
const maxReach, rememberedReach = 16, 4

// Pool fetches, for each of near, the documents that the indexes have nearest by
// the vector of the whole and by the best passage, with their vectors, and computes
// the similarities of all of those.
//
// A document that is in neither list is not more similar than the last of the
// first list or, where it has passages, than the mean of the last of both. Where
// the k-th best found is not at least that, more is fetched, up to 16·k and no more
// than 10,000; where that is not enough, and where the lists are shorter than they
// should be, all documents are read and compared. What the indexes overlook in a
// list that is full stays overlooked.
//
// After that the cluster is asked which of its nodes answer, so that Degraded is
// about a moment that is later than the search.
func (s *Store) Pool(ctx context.Context, near [][]float32, k int, node query.Node, vectors [][]float32) (*engine.Columns, error) {
	const doing = "searching"
	q, err := s.newSearch(near, k, node, vectors)
	if err != nil {
		return nil, s.explain(doing, err)
	}
	var columns *engine.Columns
	err = s.attempt(ctx, doing, s.options.Timeout, func(ctx context.Context, h *host) error {
		f, err := q.run(ctx, h)
		if err != nil {
			return err
		}
		if columns, err = f.columns(); err != nil {
			return err
		}
		missing, err := s.at.missing(ctx, h)
		if missing != "" {
			columns.Degraded = []string{missing}
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return columns, nil
}

// search is one call of Pool.
type search struct {
	*Store
	near, vectors [][]float32 // at length 1
	k             int
	filter        *filter
}

func (s *Store) newSearch(near [][]float32, k int, node query.Node, vectors [][]float32) (*search, error) {
	if k < 1 {
		return nil, &index.InputError{What: "query", Problem: fmt.Sprintf("the %d best documents", k)}
	}
	q := &search{Store: s, k: min(k, math.MaxInt32)} // more there cannot be, and products of it are numbers
	var err error
	if q.near, err = units(near, s.settings.Dimension); err != nil {
		return nil, err
	}
	if q.vectors, err = units(vectors, s.settings.Dimension); err != nil {
		return nil, err
	}
	q.filter, err = newFilter(node)
	return q, err
}

// run goes by the indexes as far as they lead, and otherwise reads everything.
// Where half of the collection is wanted, that is no more work.
func (q *search) run(ctx context.Context, h *host) (*findings, error) {
	if q.filter.node == nil && int64(2*q.k) >= q.documents.Load() {
		return q.everything(ctx, h)
	}
	for reach := int(q.reach.Load()); ; reach *= 2 {
		limit := min(q.k*reach, maxResults)
		f, err := q.lists(ctx, h, limit)
		if err != nil {
			return nil, err
		}
		enough, hopeless, err := f.enough(ctx, h, limit)
		if err != nil {
			return nil, err
		}
		if enough {
			return f, nil
		}
		if hopeless || limit == maxResults || reach >= maxReach {
			return q.everything(ctx, h)
		}
		q.reach.Store(int64(min(2*reach, rememberedReach)))
	}
}

// findings are documents that have been compared.
type findings struct {
	*search
	mu    sync.Mutex
	found map[key]candidate
	last  [][2]listEnd // for each of near: the list by wholes, and by passages
}

// candidate is a document that passes, with its similarities to each of near, then
// to each of vectors.
type candidate []float32

// listEnd is how a list ends.
type listEnd struct {
	n    int     // so many results, of which not all need pass
	last float32 // the similarity of the last by which the list is in order; -1: it is complete
}

func (q *search) newFindings() *findings {
	return &findings{search: q, found: map[key]candidate{}, last: make([][2]listEnd, len(q.near))}
}

// compare adds a result, unless it has to be checked and does not pass.
func (f *findings) compare(r *wire.SearchResult, check bool) error {
	k, err := keyIn(r)
	if err != nil {
		return err
	}
	f.mu.Lock()
	_, known := f.found[k]
	f.mu.Unlock()
	if known {
		return nil
	}
	if check {
		passes, err := f.filter.passes([]byte(textIn(r, metadataProperty)))
		if err != nil || !passes {
			return err
		}
	}
	rows, err := decodeVectors(r.GetMetadata().GetVectors(), f.settings.Dimension)
	if err != nil {
		return err
	}
	c := append(similarities(rows, f.near), similarities(rows, f.vectors)...)
	f.mu.Lock()
	f.found[k] = c
	f.mu.Unlock()
	return nil
}

// request asks for vectors and, where the filter needs it, metadata.
func (q *search) request(metadata bool) *wire.SearchRequest {
	properties := []string{}
	if metadata {
		properties = append(properties, metadataProperty)
	}
	return ask(q.options.Collection, properties, wholeVector, passageVectors)
}

// everything reads and compares all documents.
func (q *search) everything(ctx context.Context, h *host) (*findings, error) {
	f, n := q.newFindings(), 0
	err := pages(ctx, h, q.request(q.filter.node != nil), key{}, math.MaxInt, func(r *wire.SearchResult) error {
		n++
		return f.compare(r, q.filter.node != nil)
	})
	if err == nil {
		q.documents.Store(int64(n))
	}
	return f, err
}

// lists fetches both lists of each of near.
func (q *search) lists(ctx context.Context, h *host, limit int) (*findings, error) {
	f := q.newFindings()
	err := each(ctx, 2*len(q.near), func(ctx context.Context, i int) error { return f.list(ctx, h, i/2, i%2 == 1, limit) })
	return f, err
}

// list fetches one, in as many messages as it takes.
func (f *findings) list(ctx context.Context, h *host, j int, byPassages bool, limit int) error {
	request, end := f.request(!f.filter.exact), &f.last[j][0]
	request.Filters, request.Metadata.Distance = f.filter.server, true
	request.NearVector = &wire.NearVector{Vectors: []*wire.Vectors{vectorMessage(f.near[j])}, Targets: &wire.Targets{TargetVectors: []string{wholeVector}}}
	if byPassages {
		end = &f.last[j][1]
		request.NearVector = &wire.NearVector{Vectors: []*wire.Vectors{vectorsMessage(f.near[j : j+1])}, Targets: &wire.Targets{TargetVectors: []string{passageVectors}}}
	}
	end.last = -1
	const bytes = 32 << 20
	page := min(limit, max(1, bytes/(4*f.settings.Dimension)))
	for end.n < limit {
		want := min(page, limit-end.n)
		request.Limit, request.Offset = uint32(want), uint32(end.n)
		reply, err := h.search(ctx, request)
		if tooLarge(err) && want > 1 {
			page = want / 2
			continue
		}
		if err != nil {
			return err
		}
		for _, r := range reply.GetResults() {
			if err := f.compare(r, !f.filter.exact); err != nil {
				return err
			}
			if end.last = -r.GetMetadata().GetDistance(); end.last < -1.5 {
				// With a filter, documents without passages come last and from very
				// far away: all that have some have come.
				end.last = -1
				return nil
			}
		}
		if end.n += len(reply.GetResults()); len(reply.GetResults()) < want {
			return nil
		}
	}
	return nil
}
