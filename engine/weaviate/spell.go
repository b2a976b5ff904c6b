package weaviate

import (
	"context"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/pooling"
	"github.com/nsfl-go/nsfl/engine/weaviate/wire"
)

// spell makes the words of documents that have none, from their texts. What is cut off
// goes on where it was: what has words is left alone.
func (s *Store) spell(ctx context.Context) error {
	const doing = "making the words of the documents"
	for last, done := (key{}), false; !done; {
		err := s.write(ctx, doing, func(ctx context.Context, h *host) error {
			keys, docs, at, err := s.unspelled(ctx, h, last)
			if err == nil {
				err = s.spellSome(ctx, h, keys, docs)
			}
			if err == nil {
				last, done = at, len(keys) == 0
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// unspelled reads the texts of documents without words, after a key. There are none only
// at the end.
func (s *Store) unspelled(ctx context.Context, h *host, after key) (keys []key, docs []engine.Document, last key, err error) {
	const parts = engine.Titles | engine.Texts
	request := s.request(parts)
	request.Properties.NonRefProperties = append(request.Properties.NonRefProperties, piecesProperty)
	last, err = pages(ctx, h, request, after, pieceObjects, func(k key, r *wire.SearchResult) (bool, error) {
		if textIn(r, piecesProperty) != "" {
			return false, nil
		}
		d, err := s.documentIn(r, parts)
		keys, docs = append(keys, k), append(docs, d)
		return true, err
	})
	return keys, docs, last, err
}

// spellSome stores the words of documents.
func (s *Store) spellSome(ctx context.Context, h *host, keys []key, docs []engine.Document) error {
	spelled, err := pooling.Spell(ctx, docs)
	if err != nil {
		return err
	}
	return each(ctx, len(keys), func(ctx context.Context, i int) error {
		class := s.address.collection
		return h.merge(ctx, s.path(class, keys[i]), class, keys[i], map[string]any{piecesProperty: pooling.SpellTokens(spelled[i])})
	})
}
