package milvus

import (
	"context"
	"fmt"
	"sync"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/remote"
)

// Size counts.
func (s *Attached) Size(ctx context.Context) (size engine.Size, err error) {
	err = s.calls.Read(ctx, "counting documents", func(ctx context.Context) (err error) {
		size, err = s.size(ctx)
		return err
	})
	return size, err
}

// size is as it was counted some seconds ago at most.
func (s *Attached) size(ctx context.Context) (engine.Size, error) {
	return s.calls.Size.Get(ctx, func(ctx context.Context) (engine.Size, error) {
		n, err := s.table.count(ctx, "")
		return engine.Size{Documents: n, Vectors: n, Dimension: s.dim}, err
	})
}

// Documents reads the wanted parts of documents, a portion of them. Those of refs that were
// deleted since are empty; those of refs that were replaced are as they are now.
func (s *Attached) Documents(ctx context.Context, refs []engine.Ref, parts engine.Parts) (docs []engine.Document, err error) {
	keys := make([]string, len(refs))
	for i, r := range refs {
		keys[i] = r.Key
	}
	err = s.calls.Read(ctx, "reading documents", func(ctx context.Context) (err error) {
		docs, err = s.documents(ctx, new(engine.Portion), keys, parts)
		return err
	})
	if err != nil {
		return nil, err
	}
	return docs, nil
}

func (s *Attached) documents(ctx context.Context, portion *engine.Portion, keys []string, parts engine.Parts) ([]engine.Document, error) {
	return remote.Portion(portion, keys, parts, func(keys []string) ([]engine.Document, error) {
		var mu sync.Mutex
		found := make(map[string]engine.Document, len(keys))
		err := s.table.visit(ctx, keys, s.wanted(parts), maxPage, func(r *rows) error {
			mu.Lock()
			defer mu.Unlock()
			for i, k := range r.keys {
				d, err := s.document(r, i, parts)
				if err != nil {
					return err
				}
				found[k] = d
			}
			return nil
		})
		docs := make([]engine.Document, len(keys))
		for i, k := range keys {
			docs[i] = found[k]
		}
		return docs, err
	})
}

// Get reads the wanted parts of a document by its id.
func (s *Attached) Get(ctx context.Context, id string, parts engine.Parts) (d engine.Document, err error) {
	err = s.calls.Read(ctx, fmt.Sprintf("reading document %.80q", id), func(ctx context.Context) error {
		docs, err := s.documents(ctx, new(engine.Portion), []string{id}, parts)
		if err == nil && docs[0].ID == "" {
			err = engine.ErrNotFound
		}
		if err == nil {
			d = docs[0]
		}
		return err
	})
	return d, err
}

// Find is the Ref of the document that has an id.
func (s *Attached) Find(ctx context.Context, id string) (engine.Ref, error) {
	if _, err := s.Get(ctx, id, engine.NoParts); err != nil {
		return engine.Ref{}, err
	}
	return engine.Ref{Key: id}, nil
}

// Close waits for the calls in progress and closes the connection.
func (s *Attached) Close() error { return s.calls.Close(s.table.close) }
