package elastic

import (
	"context"
	"strings"
	"sync"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/remote"
	"github.com/nsfl-go/nsfl/query"
	"github.com/nsfl-go/nsfl/words"
)

var _ engine.Worded = (*Store)(nil)

// Statistics are of a sample.
func (s *Store) Statistics(ctx context.Context) (*words.Statistics, error) {
	refs, err := s.Sample(ctx, remote.Counted)
	if err != nil {
		return nil, err
	}
	h, err := s.heard(ctx, "counting words", refs)
	if err != nil {
		return nil, err
	}
	return h.Statistics(), nil
}

// SaidBy reads the pieces of some documents.
func (s *Store) SaidBy(ctx context.Context, q *words.Query, refs []engine.Ref) ([][]float32, error) {
	h, err := s.heard(ctx, "reading words", refs)
	if err != nil {
		return nil, err
	}
	return h.SharesOf(q, refs), nil
}

// heard reads the pieces of some documents.
func (s *Store) heard(ctx context.Context, doing string, refs []engine.Ref) (h *listener, err error) {
	err = s.calls.Read(ctx, doing, func(ctx context.Context) error {
		h = &listener{}
		return s.visit(ctx, refs, wordsRequest(), &h.lack, func(found *hit) error { return h.add(found, nil) })
	})
	return h, err
}

// wordsRequest asks for pieces, and for metadata by which they may have to be chosen.
func wordsRequest() *request {
	return &request{Size: pageDocuments, Source: []string{piecesField, "metadata"}}
}

// listener are the pieces that a call has read, some of it at the same time.
type listener struct {
	remote.Heard
	mu sync.Mutex
	lack
}

// add adds a document, unless it has to be checked and does not pass.
func (h *listener) add(found *hit, f *filter) error {
	r, err := found.record()
	if err != nil {
		return err
	}
	if f != nil && !f.exact {
		if passes, err := remote.Passes(f.node, []byte(r.Metadata)); err != nil || !passes {
			return err
		}
	}
	pieces, err := remote.ReadTokens(r.Pieces)
	if err != nil {
		return err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.Add(engine.Ref{Key: found.ID}, pieces)
	return nil
}

// Said reads the pieces of those documents that have words of the query, in the order that
// BM25 gives them, some thousand at most.
func (s *Store) Said(ctx context.Context, q *words.Query, node query.Node, wanted []engine.Wanted) (*engine.Shares, error) {
	const doing = "looking for words"
	if err := remote.CheckFilter(node); err != nil {
		return nil, s.calls.Explain(doing, err)
	}
	var h *listener
	err := s.calls.Read(ctx, doing, func(ctx context.Context) error {
		h = &listener{}
		f := newFilter(node, s.form)
		if wanted == nil {
			return s.all(ctx, wordsRequest(), f.most, &h.lack, func(found *hit) error { return h.add(found, f) })
		}
		needles := q.Needles()
		if len(needles) == 0 {
			return ctx.Err()
		}
		match := clause{"match": clause{piecesField: tokensToFind(needles)}}
		return s.ranked(ctx, wordsRequest(), match, f, remote.Looked(wanted), &h.lack, func(found *hit) error { return h.add(found, f) })
	})
	if err != nil {
		return nil, err
	}
	shares := h.Shares(q, wanted)
	shares.Degraded = h.texts
	return shares, nil
}

// tokensToFind are the pieces of words as BM25 looks for them. Of a word of several pieces
// it finds what has some of them, too, and ranks it lower.
func tokensToFind(needles []words.Needle) string {
	var tokens []string
	for _, n := range needles {
		for _, form := range n.Forms {
			tokens = append(tokens, remote.SpellTokens(form))
		}
	}
	return strings.Join(tokens, " ")
}
