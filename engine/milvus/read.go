package milvus

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/pooling"
	"github.com/nsfl-go/nsfl/query"
)

// reader is a collection as it is read, of somebody else's or of our own. It is safe for
// concurrent use.
type reader struct {
	shape
	calls *pooling.Calls
	table table // of the documents
	// passages are those that are found on their own; nil where there are none. Their keys
	// begin with that of their document.
	passages *table
	vector   string // the field that a document, or a passage, is found by
	dim      int
	index    index
	// uneven says that vectors are not of length 1 and that the index goes by something
	// else than the cosine, whose order is then another.
	uneven atomic.Bool
	reach  pooling.Reach
}

// shape is what documents are made of.
type shape interface {
	// keyOf is the key of the document that has an id.
	keyOf(id string) string
	// wanted are the fields that some parts are made of, the key among them.
	wanted(parts engine.Parts) []string
	// document is the wanted parts of entity i.
	document(r *rows, i int, parts engine.Parts) (engine.Document, error)
	metadata(r *rows, i int) (json.RawMessage, error)
	// judged are the fields that metadata is made of, as far as a filter asks for it.
	judged(filter query.Node) []string
	// compared are the fields that unit vectors are made of: that of the whole and those of
	// passages. An entity without them is like nothing.
	compared() []string
	units(r *rows, i int) ([][]float32, error)
	// predicate is the condition of what satisfies a predicate, or of what does not.
	predicate(p *query.Predicate, negated bool) condition
}

// Size counts.
func (s *reader) Size(ctx context.Context) (size engine.Size, err error) {
	err = s.calls.Read(ctx, "counting documents", func(ctx context.Context) (err error) {
		size, err = s.size(ctx)
		return err
	})
	return size, err
}

// size is as it was counted some seconds ago at most.
func (s *reader) size(ctx context.Context) (engine.Size, error) {
	return s.calls.Size.Get(ctx, func(ctx context.Context) (engine.Size, error) {
		n, err := s.table.count(ctx, "")
		size := engine.Size{Documents: n, Vectors: n, Dimension: s.dim}
		if err == nil && s.passages != nil {
			n, err = s.passages.count(ctx, "")
			size.Vectors += n
		}
		return size, err
	})
}

// Documents reads the wanted parts of documents, a portion of them. Those of refs that were
// deleted since are empty; those of refs that were replaced are as they are now.
func (s *reader) Documents(ctx context.Context, refs []engine.Ref, parts engine.Parts) (docs []engine.Document, err error) {
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

func (s *reader) documents(ctx context.Context, portion *engine.Portion, keys []string, parts engine.Parts) ([]engine.Document, error) {
	return pooling.Portion(portion, keys, parts, func(keys []string) ([]engine.Document, error) {
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
func (s *reader) Get(ctx context.Context, id string, parts engine.Parts) (d engine.Document, err error) {
	err = s.calls.Read(ctx, fmt.Sprintf("reading document %.80q", id), func(ctx context.Context) error {
		docs, err := s.documents(ctx, new(engine.Portion), []string{s.keyOf(id)}, parts)
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
func (s *reader) Find(ctx context.Context, id string) (engine.Ref, error) {
	if _, err := s.Get(ctx, id, engine.NoParts); err != nil {
		return engine.Ref{}, err
	}
	return engine.Ref{Key: s.keyOf(id)}, nil
}

// Close waits for the calls in progress and closes the connection.
func (s *reader) Close() error { return s.calls.Close(s.table.close) }
