package indexing

import (
	"context"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/ingest"
)

// LazyCollection is a collection that is created on the first write, so indexing nothing
// leaves no empty collection behind.
type LazyCollection struct {
	Collection
	make func(context.Context) (Collection, error)
}

// NewLazyCollection returns a collection that make creates when needed.
func NewLazyCollection(make func(context.Context) (Collection, error)) *LazyCollection {
	return &LazyCollection{none{}, make}
}

// IsMade reports whether the collection has been created.
func (l *LazyCollection) IsMade() bool { return l.Collection != Collection(none{}) }

// NoteFiles creates the collection if necessary and records files.
func (l *LazyCollection) NoteFiles(ctx context.Context, files map[string]*ingest.Fingerprint) error {
	if err := l.ensure(ctx); err != nil {
		return err
	}
	return l.Collection.NoteFiles(ctx, files)
}

// Store creates the collection if necessary and stores documents.
func (l *LazyCollection) Store(ctx context.Context, docs []engine.Document) (cut int, err error) {
	if err := l.ensure(ctx); err != nil {
		return 0, err
	}
	return l.Collection.Store(ctx, docs)
}

func (l *LazyCollection) ensure(ctx context.Context) error {
	if l.IsMade() {
		return nil
	}
	made, err := l.make(ctx)
	if err == nil {
		l.Collection = made
	}
	return err
}

// none is an empty collection that discards writes.
type none struct{}

func (none) Files(context.Context) (map[string]ingest.Fingerprint, error)    { return nil, nil }
func (none) NoteFiles(context.Context, map[string]*ingest.Fingerprint) error { return nil }
func (none) Lookup(context.Context, []string) ([]engine.Document, error)     { return nil, nil }
func (none) DocumentsOf(context.Context, string) ([]string, error)           { return nil, nil }
func (none) Store(context.Context, []engine.Document) (int, error)           { return 0, nil }
func (none) Delete(context.Context, []string) (int, error)                   { return 0, nil }
