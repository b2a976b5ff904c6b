package chroma

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"sync"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/pooling"
	"github.com/nsfl-go/nsfl/internal/workers"
)

// Size counts records, those without a usable vector too.
func (s *Store) Size(ctx context.Context) (size engine.Size, err error) {
	err = s.calls.Read(ctx, "counting documents", func(ctx context.Context) (err error) {
		size, err = s.calls.Size.Get(ctx, s.count)
		return err
	})
	return size, err
}

func (s *Store) count(ctx context.Context) (engine.Size, error) {
	raw, err := s.ask(ctx, http.MethodGet, s.address+"/count", nil)
	if err != nil {
		return engine.Size{}, err
	}
	n := 0
	if err := json.Unmarshal(raw, &n); err != nil || n < 0 {
		return engine.Size{}, &formError{"a count is no number"}
	}
	return engine.Size{Documents: n, Vectors: n, Dimension: s.dim}, nil
}

// piece is how many records are asked for at once, by their ids, of which each is a
// variable in a statement of the server's.
const piece = 500

// pieces asks for records by their ids, some pieces at a time, and for a piece in halves
// where the answer is too long. It calls f with the answers, one after the other.
func (s *Store) pieces(ctx context.Context, ids, include []string, f func(*answer) error) error {
	parts := slices.Collect(slices.Chunk(ids, piece))
	var turn sync.Mutex
	var one func(ctx context.Context, ids []string) error
	one = func(ctx context.Context, ids []string) error {
		raw, err := s.ask(ctx, http.MethodPost, s.address+"/get", map[string]any{"ids": ids, "include": include})
		if errors.Is(err, errLarge) && len(ids) > 1 {
			half := len(ids) / 2
			if err := one(ctx, ids[:half]); err != nil {
				return err
			}
			return one(ctx, ids[half:])
		}
		if err != nil {
			return err
		}
		a, err := decode(raw, include, s.dim)
		if err != nil {
			return err
		}
		turn.Lock()
		defer turn.Unlock()
		return f(a)
	}
	return workers.Each(ctx, len(parts), connections/2, func(ctx context.Context, i int) error { return one(ctx, parts[i]) })
}

// page are the ids of records that meet a condition, in the order in which they were
// stored, which is that of Chroma.
func (s *Store) page(ctx context.Context, where *condition, offset, limit int) ([]string, error) {
	request := map[string]any{"include": []string{}, "offset": offset, "limit": limit}
	if where != nil {
		request["where"] = where.json
	}
	return s.ids(ctx, request)
}

func (s *Store) ids(ctx context.Context, request map[string]any) ([]string, error) {
	raw, err := s.ask(ctx, http.MethodPost, s.address+"/get", request)
	if err != nil {
		return nil, err
	}
	a, err := decode(raw, nil, s.dim)
	if err != nil {
		return nil, err
	}
	return a.IDs, nil
}

// read reads the wanted parts of documents by their ids, those that are there.
func (s *Store) read(ctx context.Context, ids []string, parts engine.Parts) (map[string]*engine.Document, error) {
	ids = slices.Compact(slices.Sorted(slices.Values(ids)))
	found := make(map[string]*engine.Document, len(ids))
	err := s.pieces(ctx, ids, s.include(parts), func(a *answer) error {
		for i := range a.IDs {
			d, err := s.document(a, i, parts)
			if err != nil {
				return err
			}
			found[d.ID] = &d
		}
		return nil
	})
	return found, err
}

// idsOf are those of refs that some document may have.
func idsOf(refs []engine.Ref) (ids []string) {
	for _, r := range refs {
		if r.Key != "" {
			ids = append(ids, r.Key)
		}
	}
	return ids
}

// Documents reads the wanted parts of documents, a portion of them.
func (s *Store) Documents(ctx context.Context, refs []engine.Ref, parts engine.Parts) (docs []engine.Document, err error) {
	err = s.calls.Read(ctx, "reading documents", func(ctx context.Context) (err error) {
		docs, err = pooling.Portion(new(engine.Portion), refs, parts, func(refs []engine.Ref) ([]engine.Document, error) {
			docs := make([]engine.Document, len(refs))
			found, err := s.read(ctx, idsOf(refs), parts)
			for i, r := range refs {
				if d := found[r.Key]; d != nil {
					docs[i] = *d
				}
			}
			return docs, err
		})
		return err
	})
	if err != nil {
		return nil, err
	}
	return docs, nil
}

// Get reads the wanted parts of a document by its id.
func (s *Store) Get(ctx context.Context, id string, parts engine.Parts) (engine.Document, error) {
	return s.find(ctx, "reading", id, parts)
}

// Find is the Ref of the document that has an id.
func (s *Store) Find(ctx context.Context, id string) (engine.Ref, error) {
	d, err := s.find(ctx, "finding", id, engine.NoParts)
	return engine.Ref{Key: d.ID}, err
}

func (s *Store) find(ctx context.Context, doing, id string, parts engine.Parts) (d engine.Document, err error) {
	err = s.calls.Read(ctx, fmt.Sprintf("%s document %.80q", doing, id), func(ctx context.Context) error {
		if id == "" {
			return engine.ErrNotFound
		}
		found, err := s.read(ctx, []string{id}, parts)
		switch {
		case err != nil:
			return err
		case found[id] == nil:
			return engine.ErrNotFound
		}
		d = *found[id]
		return nil
	})
	return d, err
}
