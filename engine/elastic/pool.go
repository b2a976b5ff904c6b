package elastic

import (
	"context"
	"fmt"
	"math"
	"sync"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/remote"
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
	q, err := remote.NewSearch(s.dim, near, k, node, vectors)
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
	q, err := remote.NewComparison(s.dim, vectors)
	return s.calls.Columns(ctx, "comparing documents", err, func(ctx context.Context) (*engine.Columns, error) {
		f := &search{reader: s, Findings: q.Findings(), filter: newFilter(nil, s.form)}
		if err := f.visit(ctx, refs, f.request(), &f.lack, func(h *hit) error { return f.compare(h, nil) }); err != nil {
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
	*remote.Findings
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
	state, err := f.reach.Search(f.K, maxResults, func(limit int) (remote.State, error) { return f.lists(ctx, lists, limit) })
	f.unknown = f.form.lists()[0].cosine == nil // which may have come out meanwhile
	if err != nil || state == remote.Complete {
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
	var unread []engine.Ref
	err = f.all(ctx, &request{Size: pageDocuments, Source: false, Version: true}, f.filter.most, &f.lack, func(h *hit) error {
		if !f.recall(h.version(), nil) {
			unread = append(unread, engine.Ref{Key: h.ID})
		}
		return nil
	})
	if err != nil {
		return err
	}
	return f.visit(ctx, unread, f.request(), &f.lack, func(h *hit) error { return f.compare(h, nil) })
}

// request asks for what is needed of documents.
func (f *search) request() *request {
	r := f.reader.request(f.parts())
	r.Version = true
	return r
}

// parts are what is needed of documents.
func (f *search) parts() engine.Parts {
	parts := engine.Vectors | engine.PassageVectors
	if !f.filter.exact {
		parts |= engine.Metadata
	}
	return parts
}

// recall adds a document whose vectors are remembered, and reports whether they are.
func (f *search) recall(v version, scores []scores) bool {
	if !f.filter.exact { // its metadata has to be read
		return false
	}
	rows, ok := f.recent.get(v)
	if ok {
		f.add(v.id, rows, scores)
	}
	return ok
}

// compare adds a document, unless it does not pass.
func (f *search) compare(h *hit, scores []scores) error {
	stored, err := f.form.stored(h, f.parts())
	if err != nil {
		return err
	}
	f.recent.add(h.version(), stored.Rows)
	if !f.filter.exact {
		if passes, err := remote.Passes(f.Filter, []byte(stored.Metadata)); err != nil || !passes {
			return err
		}
	}
	f.add(h.ID, stored.Rows, scores)
	return nil
}

// scores are the cosines that a list has, by id.
type scores map[string]float64

// add adds a document. What it has for a cosine in the list of a rough index tells how far
// that is off.
func (f *search) add(id string, rows [][]float32, scores []scores) {
	for j, of := range scores {
		if x, ok := of[id]; ok {
			off := math.Abs(x - float64(vec.Dot(rows[0], f.Vectors[f.Near[j]])))
			f.measuring.Lock()
			f.off = max(f.off, off)
			f.measuring.Unlock()
		}
	}
	f.Add(engine.Ref{Key: id}, f.Similarities(rows))
}
