package elastic

import (
	"context"
	"fmt"
	"math"
	"sync"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/pooling"
	"github.com/nsfl-go/nsfl/query"
	"github.com/nsfl-go/nsfl/vec"
)

// maxResults is how many documents Elasticsearch finds by vectors, and how many it gives at
// once.
const maxResults = 10_000

// Pool fetches, for each of near, the documents that the indexes have nearest, by the vector
// of the whole and by the best passage where there are any, reads their vectors and computes
// the similarities of all of those. Where the k-th best found may be worse than what is in
// no list, more is fetched, up to 16·k and no more than 10,000; where that is not enough, and
// where lists are shorter than they should be, all documents that may pass are read and
// compared, up to 100,000. With more, Degraded says what was left out.
func (s *reader) Pool(ctx context.Context, near [][]float32, k int, node query.Node, vectors [][]float32) (*engine.Columns, error) {
	q, err := pooling.NewSearch(s.dim, near, k, node, vectors)
	return s.calls.Columns(ctx, "searching", err, func(ctx context.Context) (*engine.Columns, error) {
		f := &search{reader: s, Findings: q.Findings(), filter: newFilter(node, s.form)}
		if err := f.run(ctx); err != nil {
			return nil, err
		}
		for j := range f.Ends {
			f.Ends[j][0].Last += f.off
		}
		c := f.Columns()
		if c.Degraded = f.texts; f.unknown {
			c.Beyond = nil
		}
		return c, nil
	})
}

// Compare reads the vectors of documents and computes their similarities.
func (s *reader) Compare(ctx context.Context, refs []engine.Ref, vectors [][]float32) (*engine.Columns, error) {
	q, err := pooling.NewComparison(s.dim, vectors)
	return s.calls.Columns(ctx, "comparing documents", err, func(ctx context.Context) (*engine.Columns, error) {
		f := &search{reader: s, Findings: q.Findings(), filter: newFilter(nil, s.form)}
		if err := s.visit(ctx, refs, s.request(f.parts()), &f.lack, func(h *hit) error { return f.compare(h, nil) }); err != nil {
			return nil, err
		}
		c := f.InOrder(refs)
		c.Degraded = f.texts
		return c, nil
	})
}

// search is one call of Pool or Compare.
type search struct {
	*reader
	*pooling.Findings
	filter *filter
	lack
	unknown bool // what lies beyond the lists

	measuring sync.Mutex
	off       float64 // the most by which a rough index was seen to be off
}

// run goes by the indexes as far as they lead, and otherwise reads everything. Where half of
// the collection is wanted, that is no more work.
func (f *search) run(ctx context.Context) error {
	size, err := f.size(ctx)
	if err != nil {
		return err
	}
	lists := f.form.lists()
	if len(lists) == 0 || f.Filter == nil && 2*f.K >= size.Documents {
		return f.everything(ctx)
	}
	f.unknown = lists[0].cosine == nil
	if f.unknown && size.Documents <= f.few {
		return f.everything(ctx)
	}
	state, err := f.reach.Search(f.K, maxResults, func(limit int) (pooling.State, error) { return f.lists(ctx, lists, limit) })
	if err != nil || state == pooling.Complete {
		return err
	}
	return f.everything(ctx)
}

// everything reads and compares all documents that may pass.
func (f *search) everything(ctx context.Context) error {
	n, err := f.count(ctx, allOf(f.form.documents(), f.filter.most), &f.lack)
	if err != nil {
		return err
	}
	if n > f.most {
		if len(f.form.lists()) == 0 {
			return fmt.Errorf("the vectors have no index, and %d documents are too many to read for a search: more than %d; have the field indexed", n, f.most)
		}
		f.texts = append(f.texts, fmt.Sprintf("of %d documents that may pass the filter only those nearest were looked at, since Elasticsearch does not compare all of its values as nsfl does", n))
		f.unknown = true
		return nil
	}
	f.Exact, f.unknown = true, false
	return f.all(ctx, f.request(f.parts()), f.filter.most, &f.lack, func(h *hit) error { return f.compare(h, nil) })
}

// parts are what is needed of documents.
func (f *search) parts() engine.Parts {
	parts := engine.Vectors | engine.PassageVectors
	if !f.filter.exact {
		parts |= engine.Metadata
	}
	return parts
}

// compare adds a document, unless it does not pass. What it has for a cosine in the list of a
// rough index tells how far that is off.
func (f *search) compare(h *hit, scores []map[string]float64) error {
	stored, err := f.form.stored(h, f.parts())
	if err != nil {
		return err
	}
	if !f.filter.exact {
		if passes, err := pooling.Passes(f.Filter, []byte(stored.Metadata)); err != nil || !passes {
			return err
		}
	}
	for j, of := range scores {
		if x, ok := of[h.ID]; ok {
			off := math.Abs(x - float64(vec.Dot(stored.Rows[0], f.Vectors[f.Near[j]])))
			f.measuring.Lock()
			f.off = max(f.off, off)
			f.measuring.Unlock()
		}
	}
	f.Add(engine.Ref{Key: h.ID}, f.Similarities(stored.Rows))
	return nil
}

// lists fetches the lists of each of Near, and tells whether they are enough.
func (f *search) lists(ctx context.Context, lists []list, limit int) (pooling.State, error) {
	limit = lists[0].oversampled(limit)
	found := make([][2]map[string]float64, len(f.Near))
	err := each(ctx, len(lists)*len(f.Near), func(ctx context.Context, i int) (err error) {
		j, which := i/len(lists), i%len(lists)
		found[j][which], err = f.list(ctx, &lists[which], f.Vectors[f.Near[j]], limit, &f.Ends[j][which])
		return err
	})
	if err != nil {
		return pooling.Short, err
	}
	for j := range found {
		for which := range lists {
			if short, err := f.short(ctx, &lists[which], len(found[j][which]), limit, &f.Ends[j][which]); err != nil || short {
				return pooling.Short, err
			}
		}
		if len(lists) == 1 {
			f.Ends[j][1].All = true
		}
	}
	if err := f.read(ctx, lists, found); err != nil {
		return pooling.Short, err
	}
	return f.State(0), nil
}

// short finds out whether a list that is shorter than was asked for has all that there is.
func (f *search) short(ctx context.Context, l *list, n, limit int, end *pooling.End) (bool, error) {
	if n == limit {
		return false, nil
	}
	all, err := f.count(ctx, allOf(l.all, f.filter.most), &f.lack)
	end.All = n >= all
	return !end.All, err
}

// read reads and compares what lists have, once.
func (f *search) read(ctx context.Context, lists []list, found [][2]map[string]float64) error {
	seen := map[string]bool{}
	var refs []engine.Ref
	var scores []map[string]float64
	for _, of := range found {
		for which := range lists {
			for id := range of[which] {
				if ref := (engine.Ref{Key: id}); !seen[id] && !f.Known(ref) {
					seen[id] = true
					refs = append(refs, ref)
				}
			}
		}
		if lists[0].rough && lists[0].cosine != nil {
			scores = append(scores, of[0])
		}
	}
	if err := f.visit(ctx, refs, f.request(f.parts()), &f.lack, func(h *hit) error { return f.compare(h, scores) }); err != nil {
		return err
	}
	const rounding = 1e-6
	f.Slack = rounding
	return nil
}

// list fetches one: the documents in it with their cosines by the index, and how it ends.
func (f *search) list(ctx context.Context, l *list, v []float32, limit int, end *pooling.End) (map[string]float64, error) {
	// More candidates than are wanted, so that the index overlooks fewer.
	const more, least = 2, 200
	knn := clause{"field": l.field, "query_vector": v, "k": limit, "num_candidates": min(max(more*limit, least), maxResults)}
	if f.Filter != nil {
		knn["filter"] = f.filter.most
	}
	a, err := f.search(ctx, &request{Size: limit, Source: false, KNN: knn}, &f.lack)
	if err != nil {
		return nil, err
	}
	*end = pooling.End{Last: 1}
	found := make(map[string]float64, len(a.Hits.Hits))
	for i := range a.Hits.Hits {
		h := &a.Hits.Hits[i]
		x := *h.Score
		if l.cosine != nil {
			if x = l.cosine(x); !(math.Abs(x) < 2) {
				return nil, &formError{fmt.Sprintf("the document %.64q has the score %g", h.ID, *h.Score)}
			}
		}
		found[h.ID], end.Last = x, min(end.Last, x)
	}
	return found, nil
}
