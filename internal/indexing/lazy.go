package indexing

import (
	"context"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/ingest"
)

// LazyCollection is a collection that is made when it is first written to, so that nothing is
// left of one into which nothing was read.
type LazyCollection struct {
	Collection
	make func(context.Context) (Collection, error)
}

// NewLazyCollection is a collection that there is not yet.
func NewLazyCollection(make func(context.Context) (Collection, error)) *LazyCollection {
	return &LazyCollection{none{}, make}
}

// IsMade reports whether it has been made.
func (l *LazyCollection) IsMade() bool { return l.Collection != Collection(none{}) }

// NoteFiles makes it, and notes.
func (l *LazyCollection) NoteFiles(ctx context.Context, files map[string]*ingest.Fingerprint) error {
	if err := l.ensure(ctx); err != nil {
		return err
	}
	return l.Collection.NoteFiles(ctx, files)
}

// Store makes it, and stores.
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

// none has nothing in it, and keeps nothing.
type none struct{}

func (none) Files(context.Context) (map[string]ingest.Fingerprint, error)    { return nil, nil }
func (none) NoteFiles(context.Context, map[string]*ingest.Fingerprint) error { return nil }
func (none) Lookup(context.Context, []string) ([]engine.Document, error)     { return nil, nil }
func (none) DocumentsOf(context.Context, string) ([]string, error)           { return nil, nil }
func (none) Store(context.Context, []engine.Document) (int, error)           { return 0, nil }
func (none) Delete(context.Context, []string) (int, error)                   { return 0, nil }
