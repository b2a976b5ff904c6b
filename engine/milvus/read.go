package milvus

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/pooling"
)

// Size counts.
func (s *Attached) Size(ctx context.Context) (size engine.Size, err error) {
	err = s.calls.Read(ctx, "counting entities", func(ctx context.Context) (err error) {
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

// wanted are the fields that some parts are made of.
func (s *Attached) wanted(parts engine.Parts) []string {
	out := []string{s.table.key}
	for part, name := range map[engine.Parts]string{engine.Titles: s.roles.Title, engine.Texts: s.roles.Text, engine.Vectors: s.roles.Vector} {
		switch {
		case name == "" || !parts.Has(part):
		case s.isField(name):
			out = append(out, name)
		default:
			out = append(out, dynamicField)
		}
	}
	if parts.Has(engine.Metadata) {
		out = append(out, s.metadataFields()...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// document is the wanted parts of entity i.
func (s *Attached) document(r *rows, i int, parts engine.Parts) (d engine.Document, err error) {
	d.ID = r.keys[i]
	if parts.Has(engine.Titles) {
		d.Title = s.said(r, i, s.roles.Title)
	}
	if parts.Has(engine.Texts) {
		d.Text = s.said(r, i, s.roles.Text)
	}
	if parts.Has(engine.Vectors) {
		if d.Vector = r.vector(i, s.roles.Vector); d.Vector != nil && engine.Unit(d.Vector) != nil {
			d.Vector = nil // it has no direction
		}
	}
	if parts.Has(engine.Metadata) {
		d.Metadata, err = s.metadata(r, i)
	}
	return d, err
}

// said is what entity i has as title or text.
func (s *Attached) said(r *rows, i int, name string) string {
	switch {
	case name == "":
		return ""
	case s.isField(name):
		return r.text(i, name)
	}
	return textOf(r.object(i, dynamicField)[name])
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
