package chroma

import (
	"context"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/pooling"
	"github.com/nsfl-go/nsfl/query"
	"github.com/nsfl-go/nsfl/words"
)

var _ engine.Worded = (*Store)(nil)

// Statistics are of a sample.
func (s *Store) Statistics(ctx context.Context) (*words.Statistics, error) {
	const doing = "counting words"
	err := s.calls.Read(ctx, doing, func(ctx context.Context) error {
		if !s.wordless {
			return nil
		}
		// Somebody may have opened it for writing since.
		address := ""
		found, err := s.collection(ctx, documentsSuffix, &address)
		if err == nil && found.Format < wordedFormat {
			err = engine.ErrNoWords
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	refs, err := s.Sample(ctx, pooling.Counted)
	if err != nil {
		return nil, err
	}
	h, err := s.hear(ctx, doing, nil, func(context.Context) ([]string, error) { return namesOf(refs), nil })
	if err != nil {
		return nil, err
	}
	return h.Statistics(), nil
}

// SaidBy reads the records of some documents.
func (s *Store) SaidBy(ctx context.Context, q *words.Query, refs []engine.Ref) ([][]float32, error) {
	h, err := s.hear(ctx, "reading words", nil, func(context.Context) ([]string, error) { return namesOf(refs), nil })
	if err != nil {
		return nil, err
	}
	return h.SharesOf(q, refs), nil
}

// Said finds no documents by their words, for which Chroma has no index, unless all of them
// are to be read.
func (s *Store) Said(ctx context.Context, q *words.Query, filter query.Node, wanted []engine.Wanted) (*engine.Shares, error) {
	const doing = "looking for words"
	if err := pooling.CheckFilter(filter); err != nil {
		return nil, s.calls.Explain(doing, err)
	}
	h, err := s.hear(ctx, doing, filter, func(ctx context.Context) ([]string, error) {
		if wanted != nil {
			return nil, ctx.Err()
		}
		return s.passing(ctx, where(filter, false), 0)
	})
	if err != nil {
		return nil, err
	}
	return h.Shares(q, wanted), nil
}

// hear reads the pieces of the documents that f names, of those that pass a filter.
func (s *Store) hear(ctx context.Context, doing string, filter query.Node, f func(context.Context) ([]string, error)) (*pooling.Heard, error) {
	h := &pooling.Heard{}
	err := s.calls.Read(ctx, doing, func(ctx context.Context) error {
		names, err := f(ctx)
		if err != nil {
			return err
		}
		found, err := s.read(ctx, names, onlyWords)
		if err != nil {
			return err
		}
		for name, r := range found {
			passes, err := pooling.Passes(filter, []byte(r.Metadata))
			if err != nil {
				return err
			}
			if passes {
				h.Add(engine.Ref{Key: name}, r.pieces)
			}
		}
		return nil
	})
	return h, err
}
