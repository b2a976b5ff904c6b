package indexing

import (
	"context"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/ingest"
)

// Unmade is a collection that is made when it is first written to, so that nothing is
// left of one into which nothing was read.
type Unmade struct {
	Collection
	make func(context.Context) (Collection, error)
}

// NewUnmade is a collection that there is not yet.
func NewUnmade(make func(context.Context) (Collection, error)) *Unmade {
	return &Unmade{none{}, make}
}

// IsMade reports whether it has been made.
func (u *Unmade) IsMade() bool { return u.Collection != Collection(none{}) }

// NoteFiles makes it, and notes.
func (u *Unmade) NoteFiles(ctx context.Context, files map[string]*ingest.Fingerprint) error {
	if err := u.ensure(ctx); err != nil {
		return err
	}
	return u.Collection.NoteFiles(ctx, files)
}

// Store makes it, and stores.
func (u *Unmade) Store(ctx context.Context, docs []engine.Document) (cut int, err error) {
	if err := u.ensure(ctx); err != nil {
		return 0, err
	}
	return u.Collection.Store(ctx, docs)
}

func (u *Unmade) ensure(ctx context.Context) error {
	if u.IsMade() {
		return nil
	}
	made, err := u.make(ctx)
	if err == nil {
		u.Collection = made
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
