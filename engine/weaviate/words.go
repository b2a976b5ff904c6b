package weaviate

import (
	"context"
	"math"
	"strings"
	"sync"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/pooling"
	"github.com/nsfl-go/nsfl/engine/weaviate/wire"
	"github.com/nsfl-go/nsfl/query"
	"github.com/nsfl-go/nsfl/words"
)

var _ engine.Worded = (*Store)(nil)

// Statistics are of a sample.
func (s *Store) Statistics(ctx context.Context) (*words.Statistics, error) {
	h, err := s.heard(ctx, "counting words", func(ctx context.Context, at *host, h *listener) error {
		if s.wordless {
			// Somebody may have opened it for writing since.
			class, err := at.class(ctx, s.address.collection)
			if err != nil {
				return err
			}
			if class == nil {
				return engine.ErrNotCollection
			}
			if found, err := settingsOf(class); err != nil || found.Format < wordedFormat {
				return engine.ErrNoWords
			}
		}
		_, err := pages(ctx, at, s.wordsRequest(), key{}, pooling.Counted, func(_ key, r *wire.SearchResult) (bool, error) {
			return true, h.add(r)
		})
		return err
	})
	if err != nil {
		return nil, err
	}
	return h.Statistics(), nil
}

// SaidBy reads the pieces of some documents.
func (s *Store) SaidBy(ctx context.Context, q *words.Query, refs []engine.Ref) ([][]float32, error) {
	h, err := s.heard(ctx, "reading words", func(ctx context.Context, at *host, h *listener) error {
		return s.visit(ctx, at, refs, s.wordsRequest(), func(_ key, r *wire.SearchResult) error { return h.add(r) })
	})
	if err != nil {
		return nil, err
	}
	return h.SharesOf(q, refs), nil
}

// Said reads the pieces of those documents that have words of the query, in the order that
// BM25 gives them, some thousand at most.
func (s *Store) Said(ctx context.Context, q *words.Query, node query.Node, wanted []engine.Wanted) (*engine.Shares, error) {
	const doing = "looking for words"
	if err := pooling.CheckFilter(node); err != nil {
		return nil, s.calls.Explain(doing, err)
	}
	missing := ""
	h, err := s.heard(ctx, doing, func(ctx context.Context, at *host, h *listener) (err error) {
		if wanted == nil {
			err = h.all(ctx, at, s, node)
		} else {
			err = h.having(ctx, at, s, newFilter(node), q.Needles(), pooling.Looked(wanted))
		}
		if err == nil {
			missing, err = s.at.missing(ctx, at)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	shares := h.Shares(q, wanted)
	if missing != "" {
		shares.Degraded = []string{missing}
	}
	return shares, nil
}

// listener are the pieces that a call has read, some of it at the same time.
type listener struct {
	pooling.Heard
	mu sync.Mutex
}

// heard runs f, which reads pieces and may be run again.
func (s *Store) heard(ctx context.Context, doing string, f func(context.Context, *host, *listener) error) (h *listener, err error) {
	err = s.read(ctx, doing, func(ctx context.Context, at *host) error {
		h = &listener{}
		return f(ctx, at, h)
	})
	return h, err
}

// wordsRequest asks for pieces, and for more properties.
func (s *Store) wordsRequest(more ...string) *wire.SearchRequest {
	return ask(s.address.collection, append([]string{piecesProperty}, more...))
}

// add adds a result.
func (h *listener) add(r *wire.SearchResult) error {
	k, err := keyIn(r)
	if err != nil {
		return err
	}
	pieces, err := pooling.ReadTokens(textIn(r, piecesProperty))
	if err != nil {
		return err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.Add(k.ref(), pieces)
	return nil
}

// addPassing adds a result that passes a filter.
func (h *listener) addPassing(r *wire.SearchResult, node query.Node) error {
	passes, err := pooling.Passes(node, []byte(textIn(r, metadataProperty)))
	if err != nil || !passes {
		return err
	}
	return h.add(r)
}

// all reads everything that passes.
func (h *listener) all(ctx context.Context, at *host, s *Store, node query.Node) error {
	_, err := pages(ctx, at, s.wordsRequest(metadataProperty), key{}, math.MaxInt, func(_ key, r *wire.SearchResult) (bool, error) {
		return true, h.addPassing(r, node)
	})
	return err
}

// having reads the documents that have words, in as many messages as it takes.
func (h *listener) having(ctx context.Context, at *host, s *Store, f *filter, needles []words.Needle, limit int) error {
	if len(needles) == 0 {
		return ctx.Err()
	}
	request := s.wordsRequest(metadataProperty)
	request.Filters = f.server
	request.Bm25Search = &wire.BM25{Query: tokensToFind(needles), Properties: []string{piecesProperty}}
	_, err := results(ctx, at, request, limit, maxPage, func(r *wire.SearchResult) error { return h.addPassing(r, f.node) })
	return err
}

// tokensToFind are the pieces of words as BM25 looks for them. Of a word of several pieces
// it finds what has some of them, too, and ranks it lower.
func tokensToFind(needles []words.Needle) string {
	var tokens []string
	for _, n := range needles {
		for _, form := range n.Forms {
			tokens = append(tokens, pooling.SpellTokens(form))
		}
	}
	return strings.Join(tokens, " ")
}
