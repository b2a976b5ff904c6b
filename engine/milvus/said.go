package milvus

import (
	"context"
	"sync"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/milvus/wire"
	"github.com/nsfl-go/nsfl/engine/pooling"
	"github.com/nsfl-go/nsfl/query"
	"github.com/nsfl-go/nsfl/words"
)

var _ engine.Worded = (*Store)(nil)

// Statistics are of a sample.
func (s *Store) Statistics(ctx context.Context) (*words.Statistics, error) {
	h, err := s.heard(ctx, "counting words", func(ctx context.Context, h *listener) error {
		left := pooling.Counted
		return s.table.pages(ctx, "", "", pooling.Counted, h.fields(), func(r *rows) error {
			if err := h.add(r); err != nil {
				return err
			}
			if left -= len(r.keys); left <= 0 {
				return errEnough
			}
			return nil
		})
	})
	if err != nil {
		return nil, err
	}
	return h.Statistics(), nil
}

// SaidBy reads the pieces of some documents.
func (s *Store) SaidBy(ctx context.Context, q *words.Query, refs []engine.Ref) ([][]float32, error) {
	h, err := s.heard(ctx, "reading words", func(ctx context.Context, h *listener) error {
		keys := make([]string, len(refs))
		for i, r := range refs {
			keys[i] = r.Key
		}
		return s.table.visit(ctx, keys, h.fields(), maxPage, h.add)
	})
	if err != nil {
		return nil, err
	}
	return h.SharesOf(q, refs), nil
}

// Said reads the pieces of those documents that have words of the query, those with the
// heaviest first, some thousand at most.
func (s *Store) Said(ctx context.Context, q *words.Query, node query.Node, wanted []engine.Wanted) (*engine.Shares, error) {
	const doing = "looking for words"
	if err := pooling.CheckFilter(node); err != nil {
		return nil, s.calls.Explain(doing, err)
	}
	h, err := s.heard(ctx, doing, func(ctx context.Context, h *listener) error {
		h.filter, h.where = node, s.condition(node)
		if h.where.none {
			return ctx.Err()
		}
		if wanted == nil {
			return s.table.pages(ctx, h.where.text, "", maxPage, h.fields(), h.add)
		}
		return h.having(ctx, q.Needles(), pooling.Looked(wanted))
	})
	if err != nil {
		return nil, err
	}
	shares := h.Shares(q, wanted)
	if h.heardAll {
		shares.Unheard = q.Unheard(q.Needles())
	}
	return shares, nil
}

// listener are the pieces that a call has read, some of it at the same time.
type listener struct {
	pooling.Heard
	store  *Store
	filter query.Node
	where  condition
	// heardAll says that all documents that have words of the query were read.
	heardAll bool
	mu       sync.Mutex
}

// heard runs f, which reads pieces.
func (s *Store) heard(ctx context.Context, doing string, f func(context.Context, *listener) error) (h *listener, err error) {
	h = &listener{store: s, where: all}
	return h, s.calls.Read(ctx, doing, func(ctx context.Context) error { return f(ctx, h) })
}

// fields are those that are read.
func (h *listener) fields() []string {
	fields := []string{keyField, piecesField}
	if !h.where.exact {
		fields = append(fields, metadataField)
	}
	return fields
}

// add adds the entities that pass.
func (h *listener) add(r *rows) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	for i, k := range r.keys {
		if !h.where.exact {
			if passes, err := h.store.passes(r, i, h.filter); err != nil {
				return err
			} else if !passes {
				continue
			}
		}
		pieces, err := pooling.ReadTokens(r.joined(i, piecesField))
		if err != nil {
			return err
		}
		h.Add(engine.Ref{Key: k}, pieces)
	}
	return nil
}

// having reads the documents that have words, as far as their rarest pieces tell.
func (h *listener) having(ctx context.Context, needles []words.Needle, limit int) error {
	w := weights{}
	for _, n := range needles {
		for _, mark := range n.Marks {
			w[uint32(mark)] = max(w[uint32(mark)], float32(n.Weight))
		}
	}
	if len(w) == 0 {
		h.heardAll = true
		return ctx.Err()
	}
	hits, err := h.store.table.search(ctx, target{field: wordsField, metric: "IP"}, wire.DataType_SparseFloatVector, w.packed(), h.where.text, min(limit, maxResults))
	if err != nil {
		return err
	}
	h.heardAll = len(hits) < min(limit, maxResults)
	keys := make([]string, len(hits))
	for i, hit := range hits {
		keys[i] = hit.key
	}
	return h.store.table.visit(ctx, keys, h.fields(), maxPage, h.add)
}
