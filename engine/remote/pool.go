package remote

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"sync"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/internal/vec"
	"github.com/nsfl-go/nsfl/internal/workers"
	"github.com/nsfl-go/nsfl/query"
)

// Parallelism is how many requests of one call are under way at the same time.
const Parallelism = 4

// Pool finds, for each of near, the k most similar documents that pass a filter.
//
// It asks the index, compares what that has nearest and, where the k-th best may be worse
// than a document that is not in the list, asks for a longer list, up to 16·k. If that is not
// enough, if few documents pass, or if k is large, it compares all documents that may pass,
// unless they are too many: Columns.Degraded then reports it. Documents that the index
// overlooks in a full list stay overlooked.
//
// An index that orders by lengths, over vectors of other lengths than 1, is not in the order
// of cosines. Some more of its documents are then compared, and nothing is known of others.
func (s *Store) Pool(ctx context.Context, near [][]float32, k int, filter query.Node, vectors [][]float32) (*engine.Columns, error) {
	q, err := NewSearch(s.Dimension, near, k, filter, vectors)
	return s.columns(ctx, "searching", err, func(ctx context.Context) (*engine.Columns, error) {
		q := *q
		if q.Filter, err = s.Resolved(ctx, filter); err != nil {
			return nil, err
		}
		where, err := s.compile(ctx, q.Filter)
		if err != nil {
			return nil, err
		}
		if copies, err := s.subset(ctx, q.Filter, where); err != nil {
			return nil, err
		} else if copies != nil {
			return copies.pool(&q)
		}
		p := s.newPool(&q, where)
		if err := p.run(ctx); err != nil {
			return nil, err
		}
		c := p.Columns()
		c.Approximate = c.Approximate && !s.Index.Exact || where.Guessed
		if p.unbounded {
			c.UnseenBounds = nil
		}
		return c, nil
	})
}

func (s *Store) Compare(ctx context.Context, refs []engine.Ref, vectors [][]float32) (*engine.Columns, error) {
	q, err := NewComparison(s.Dimension, vectors)
	return s.columns(ctx, "comparing documents", err, func(ctx context.Context) (*engine.Columns, error) {
		if copies, err := s.holding(ctx, refs); err != nil {
			return nil, err
		} else if copies != nil {
			return copies.compare(q, refs)
		}
		p := s.newPool(q, Where{})
		hits := make([]Hit, len(refs))
		for i, r := range refs {
			hits[i].Ref = r
		}
		err := p.compare(ctx, hits)
		return p.InOrder(refs), err
	})
}

// mostScanned is the number of documents up to which Scan compares all.
const mostScanned = 200_000

// Scan compares all documents that pass a filter with vectors. It returns an error if they
// are too many.
func (s *Store) Scan(ctx context.Context, vectors [][]float32, filter query.Node) (*engine.Columns, error) {
	request, err := NewSearch(s.Dimension, vectors, 1, filter, vectors)
	return s.columns(ctx, "comparing all documents", err, func(ctx context.Context) (*engine.Columns, error) {
		all := *request
		q := &all
		if q.Filter, err = s.Resolved(ctx, filter); err != nil {
			return nil, err
		}
		where, err := s.compile(ctx, q.Filter)
		if err != nil {
			return nil, err
		}
		copies, err := s.subset(ctx, q.Filter, where)
		if err != nil {
			return nil, err
		}
		if copies != nil {
			q.Near, q.K = nil, 0
			return copies.pool(q)
		}
		size, err := s.size(ctx)
		if err != nil {
			return nil, err
		}
		if most := min(mostScanned, s.Limits.Whole); size.Documents > most {
			return nil, engine.BadInput("mode exact", "it compares up to %d documents of this store, which has %d; leave the mode out: hybrid finds the best documents by the index and says how many are proven", most, size.Documents)
		}
		p := s.newPool(q, where)
		if q.Near, q.K = q.Near[:1], size.Documents+mostScanned; !where.Nothing { // the size may be old
			err = p.everything(ctx, size.Documents)
		}
		return p.InOrder(slices.SortedFunc(maps.Keys(p.lines), engine.Ref.Compare)), err
	})
}

// columns runs f unless the request has a problem.
func (s *Store) columns(ctx context.Context, doing string, problem error, f func(context.Context) (*engine.Columns, error)) (columns *engine.Columns, err error) {
	if problem != nil {
		return nil, s.Calls.Explain(doing, problem)
	}
	degraded, err := s.partial(ctx, doing, func(ctx context.Context) (err error) {
		columns, err = f(ctx)
		return err
	})
	if err != nil {
		return nil, err
	}
	columns.Degraded = degraded
	return columns, nil
}

// pool is one call of Pool or Compare.
type pool struct {
	*Store
	*Findings
	where Where
	// unbounded says that the lists are not in the order of similarities: their ends do not
	// bound other documents.
	unbounded bool

	mu     sync.Mutex
	cosine map[engine.Ref][]float32 // those of documents as wholes to each of Vectors, whether or not they pass
}

func (s *Store) newPool(q *Search, where Where) *pool {
	return &pool{Store: s, Findings: q.Findings(), where: where, cosine: map[engine.Ref][]float32{}}
}

// inOrder reports whether the index has the order of cosines, and the error of cosines that are
// computed from its scores.
func (s *Store) inOrder() (slack float64, ok bool) {
	const rounding = 1e-6
	if s.Index.ByLength {
		return s.lengths.Slack()
	}
	return rounding, !s.Index.Other
}

// run uses the index as far as it suffices, and otherwise compares all documents.
func (p *pool) run(ctx context.Context) error {
	if p.where.Nothing {
		p.Exact = true
		return ctx.Err()
	}
	size, err := p.size(ctx)
	if err != nil {
		return err
	}
	candidates, much := size.Documents, 2*p.K
	if p.comparer != nil {
		much = 4 * p.K // since vectors do not travel
	}
	if p.Index.None || candidates <= min(much, p.Limits.Whole) {
		return p.everything(ctx, candidates)
	}
	matcher, counts := p.driver.(Matcher)
	if counts && p.where.Native != nil {
		// To read a document costs the same whichever way it was found, and an index is slow
		// to find those that are few.
		few := min(max(4*p.K, p.Limits.Few), p.Limits.Whole)
		if candidates, err = matcher.Count(ctx, p.where, false, p.Limits.Whole+1); err != nil {
			return err
		}
		if candidates <= few {
			return p.everything(ctx, candidates)
		}
	}
	if _, ok := p.inOrder(); !ok {
		return p.rerank(ctx, candidates)
	}
	least := 0
	if p.Filter == nil || p.comparer != nil {
		least = size.Documents
	}
	state, err := p.reach.Search(p.K, p.Index.Most, func(limit int) (State, error) {
		if err := p.lists(ctx, p.oversampled(limit)); err != nil || p.Short {
			return Short, err
		}
		if p.Exact {
			return Complete, nil
		}
		if _, ok := p.inOrder(); !ok {
			return Short, nil // as the vectors show that were read now
		}
		return p.State(least), nil
	})
	if err != nil || state == Complete {
		return err
	}
	if _, ok := p.inOrder(); !ok {
		return p.rerank(ctx, candidates)
	}
	if p.comparer != nil && !p.Short && candidates > mostScanned {
		return nil // the lists are long enough, if not as certain as they could be
	}
	return p.everything(ctx, candidates)
}

// rerank compares more documents than are wanted, or all, of an index whose order is not
// that of cosines.
func (p *pool) rerank(ctx context.Context, candidates int) error {
	if candidates <= min(p.Limits.Cheap, p.Limits.Whole) {
		return p.everything(ctx, candidates)
	}
	p.unbounded = true
	limit := max(4*p.K, p.K+400)
	if p.Index.Most > 0 {
		limit = min(limit, p.Index.Most)
	}
	err := p.lists(ctx, limit)
	if err != nil || p.comparer == nil || !p.Short {
		return err
	}
	return p.everything(ctx, candidates)
}

// oversampled returns the length of a list, which is longer if the index is rough.
func (p *pool) oversampled(limit int) int {
	if p.Index.Rough {
		limit = max(2*limit, limit+100)
	}
	if p.Index.Most > 0 {
		limit = min(limit, p.Index.Most)
	}
	return limit
}

// everything compares all documents that may pass, unless they are too many.
func (p *pool) everything(ctx context.Context, candidates int) error {
	switch {
	case candidates <= p.Limits.Whole:
	case p.Index.None:
		return fmt.Errorf("the vectors have no index, and %d documents are too many to read for a search: more than %d; have them indexed", candidates, p.Limits.Whole)
	default:
		Degraded(ctx, fmt.Sprintf("the engine cannot apply all of the filter, or its index has overlooked documents: of %d that may pass, only the %d nearest were compared", candidates, len(p.cosine)))
		return nil
	}
	p.Exact, p.unbounded = true, false
	if p.comparer != nil {
		return p.comparer.Lists(ctx, p.Findings, 0)
	}
	p.where.Inexact = p.where.Inexact || p.PagesAll
	var hits []Hit
	err := p.searcher.Page(ctx, "", math.MaxInt, p.where, Want{}, func(e *Entry) (bool, error) {
		hits = append(hits, Hit{Ref: e.Ref, Version: e.Version})
		return true, nil
	})
	if err != nil {
		return err
	}
	return p.compare(ctx, hits)
}

// lists compares the documents of lists of a length, for each of Near.
func (p *pool) lists(ctx context.Context, limit int) error {
	if p.comparer != nil {
		return p.comparer.Lists(ctx, p.Findings, limit)
	}
	kinds := 1
	if p.Index.Passages {
		kinds = 2
	}
	lists := make([][]Hit, kinds*len(p.Near))
	err := workers.Each(ctx, len(lists), Parallelism, func(ctx context.Context, i int) (err error) {
		lists[i], err = p.searcher.Nearest(ctx, p.Vectors[p.Near[i/kinds]], limit, p.where, p.want(), i%kinds == 1)
		return err
	})
	if err != nil {
		return err
	}
	var hits []Hit
	for _, l := range lists {
		hits = append(hits, l...)
	}
	if err := p.compare(ctx, hits); err != nil {
		return err
	}
	slack, _ := p.inOrder()
	p.Slack = 2 * slack // of the last in a list, and of other documents
	for i, l := range lists {
		j, passages := i/kinds, i%kinds == 1
		end := End{Last: 1}
		for _, h := range l {
			cosines := p.cosine[h.Ref]
			switch {
			case p.Index.Scored:
				end.Last = min(end.Last, h.Score)
				if cosines != nil && !passages {
					p.Slack = max(p.Slack, 2*(slack+math.Abs(h.Score-float64(cosines[p.Near[j]]))))
				}
			case cosines != nil:
				end.Last = min(end.Last, float64(cosines[p.Near[j]]))
			}
		}
		if len(l) < limit {
			if end.All, err = p.complete(ctx, len(l), passages); err != nil {
				return err
			}
			if !end.All {
				end.Last, p.Short = 1, true
			}
		}
		p.Ends[j][i%kinds] = end
		if kinds == 1 {
			p.Ends[j][1].All = true
		}
	}
	return nil
}

// complete reports whether a list that is shorter than was asked for has all documents.
func (p *pool) complete(ctx context.Context, n int, passages bool) (bool, error) {
	m, ok := p.driver.(Matcher)
	if !ok {
		return true, nil
	}
	all, err := m.Count(ctx, p.where, passages, n+1)
	return n >= all, err
}

// compare reads documents that were not read before and adds those that pass.
func (p *pool) compare(ctx context.Context, hits []Hit) error {
	if p.comparer != nil {
		return p.comparer.Compare(ctx, p.Findings, refsOf(hits))
	}
	want := p.want()
	judge, err := NewJudge(want.Filter)
	if err != nil {
		return err
	}
	var unread []engine.Ref
	for _, h := range hits {
		if _, read := p.cosine[h.Ref]; read {
			continue
		}
		if h.Entry != nil {
			p.normalize(&h.Entry.Document)
			if err := p.judge(h.Entry, judge); err != nil {
				return err
			}
		} else if kept, ok := p.cache.get(h.Ref); ok && kept.version == h.Version && want.Filter == nil {
			p.cache.put(h.Ref, kept, 4*p.Dimension*len(kept.rows))
			p.add(h.Ref, kept.rows, true)
		} else {
			unread = append(unread, h.Ref)
		}
	}
	return p.visit(ctx, unread, want, func(e *Entry) error { return p.judge(e, judge) })
}

func (p *pool) want() Want {
	want := Want{Parts: engine.Vectors, Filter: p.where.judged(p.Filter)}
	if p.Index.Passages {
		want.Parts |= engine.PassageVectors
	}
	return want
}

// judge adds a document, unless it has no vector or does not pass.
func (p *pool) judge(e *Entry, judge *Judge) error {
	if len(e.Vector) != p.Dimension {
		return nil // it has none, or none with a direction
	}
	passes, err := judge.Passes(&e.Document)
	if err != nil {
		return err
	}
	rows := make([][]float32, e.Rows())
	for i := range rows {
		rows[i] = e.Row(i)
	}
	if e.Version != "" {
		p.cache.put(e.Ref, vectors{e.Version, rows}, 4*p.Dimension*len(rows))
	}
	p.add(e.Ref, rows, passes)
	return nil
}

func (p *pool) add(ref engine.Ref, rows [][]float32, passes bool) {
	cosines := make([]float32, len(p.Vectors))
	for i, v := range p.Vectors {
		cosines[i] = vec.Dot(rows[0], v)
	}
	p.mu.Lock()
	p.cosine[ref] = cosines
	p.mu.Unlock()
	if passes {
		p.Add(ref, p.Similarities(rows))
	}
}

func refsOf(hits []Hit) []engine.Ref {
	refs := make([]engine.Ref, len(hits))
	for i, h := range hits {
		refs[i] = h.Ref
	}
	return refs
}
