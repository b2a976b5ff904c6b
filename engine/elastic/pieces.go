package elastic

import (
	"context"
	"strings"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/remote"
	"github.com/nsfl-go/nsfl/words"
)

// managedDriver asks about an index of our own, which keeps the words of documents as pieces.
type managedDriver struct{ *driver }

func (d managedDriver) ReadPieces(ctx context.Context, refs []engine.Ref, visit func(engine.Ref, []uint16) error) error {
	return d.visit(ctx, refs, &request{Source: []string{piecesField}}, func(h *hit) error {
		r, err := h.record()
		if err != nil {
			return err
		}
		pieces, err := remote.ReadTokens(r.Pieces)
		if err != nil {
			return err
		}
		return visit(engine.Ref{Key: h.ID}, pieces)
	})
}

// Matching asks BM25 about the pieces.
func (d managedDriver) Matching(ctx context.Context, needles []words.Needle, limit int, where remote.Where) ([]engine.Ref, error) {
	return d.matching(ctx, clause{"match": clause{piecesField: tokensToFind(needles)}}, limit, where)
}

// tokensToFind returns the pieces of words as BM25 looks for them. Of a word of several pieces
// documents with some of them match too, and rank lower.
func tokensToFind(needles []words.Needle) string {
	var tokens []string
	for _, n := range needles {
		for _, form := range n.Forms {
			tokens = append(tokens, remote.SpellTokens(form))
		}
	}
	return strings.Join(tokens, " ")
}
