package chroma

import (
	"context"
	"net/http"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/pooling"
)

// spell makes the words of documents that have none, from their texts, and then says of
// the collection that they are there. What is cut off goes on where it was: what has words
// is left alone.
func (s *Store) spell(ctx context.Context) error {
	const doing = "making the words of the documents"
	for after, done := "", false; !done; {
		err := s.write(ctx, doing, func(ctx context.Context) error {
			l, err := s.lister(ctx, after, piece, nil)
			if err != nil {
				return err
			}
			names, err := l.next(ctx)
			if err == nil {
				err = s.spellSome(ctx, names)
			}
			after, done = l.after, len(names) == 0
			return err
		})
		if err != nil {
			return err
		}
	}
	return s.write(ctx, doing, func(ctx context.Context) error {
		_, err := s.ask(ctx, http.MethodPut, s.documents, map[string]any{"new_metadata": marks{own, format, s.dim, s.encoder}})
		return err
	})
}

// spellSome stores the words of those documents that have none. What else their records
// say stays as it is.
func (s *Store) spellSome(ctx context.Context, names []string) error {
	found, err := s.read(ctx, names, withTexts)
	if err != nil {
		return err
	}
	var unspelled []string
	var docs []engine.Document
	for _, name := range names {
		if r := found[name]; r != nil && !r.spelled {
			d, err := r.Document(engine.Titles | engine.Texts)
			if err != nil {
				return err
			}
			unspelled, docs = append(unspelled, name), append(docs, d)
		}
	}
	if len(docs) == 0 {
		return nil
	}
	spelled, err := pooling.Spell(ctx, docs)
	if err != nil {
		return err
	}
	said := make([]map[string]string, len(docs))
	for i, pieces := range spelled {
		said[i] = map[string]string{sayPieces: packPieces(pieces)}
	}
	_, err = s.ask(ctx, http.MethodPost, s.documents+"/update", map[string]any{"ids": unspelled, "metadatas": said})
	return err
}
