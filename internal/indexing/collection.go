package indexing

import (
	"context"
	"errors"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/ingest"
	"github.com/nsfl-go/nsfl/internal/workers"
	"github.com/nsfl-go/nsfl/internal/workspace"
)

// Collection is the target of indexing.
type Collection interface {
	// Files returns the indexed files by name.
	Files(ctx context.Context) (map[string]ingest.Fingerprint, error)
	// NoteFiles records fingerprints of files; nil removes one.
	NoteFiles(ctx context.Context, files map[string]*ingest.Fingerprint) error
	// Lookup returns the documents with the given ids that exist, without vectors.
	Lookup(ctx context.Context, ids []string) ([]engine.Document, error)
	// DocumentsOf returns the ids of the documents that came from a file.
	DocumentsOf(ctx context.Context, file string) ([]string, error)
	// Store encodes and stores documents, all or none, and returns how many have a
	// passage longer than the encoder's limit. It returns an *engine.InputError if a
	// document cannot be stored.
	Store(ctx context.Context, docs []engine.Document) (cut int, err error)
	// Delete removes documents and returns how many existed.
	Delete(ctx context.Context, ids []string) (int, error)
}

// Open is a Collection open in this process.
type Open struct{ *workspace.Handle }

// Files returns the indexed files.
func (o Open) Files(ctx context.Context) (map[string]ingest.Fingerprint, error) {
	return workspace.Files(ctx, o.Handle.Store())
}

// NoteFiles records fingerprints of files.
func (o Open) NoteFiles(ctx context.Context, files map[string]*ingest.Fingerprint) error {
	return workspace.NoteFiles(ctx, o.Handle.Store(), files)
}

// lookups is the number of concurrent reads: with a remote engine, latency dominates.
const lookups = 8

// Lookup reads documents.
func (o Open) Lookup(ctx context.Context, ids []string) ([]engine.Document, error) {
	all := make([]engine.Document, len(ids))
	err := workers.Each(ctx, len(ids), lookups, func(ctx context.Context, i int) (err error) {
		all[i], err = o.Handle.Store().Get(ctx, ids[i], engine.Titles|engine.Texts|engine.Metadata)
		if errors.Is(err, engine.ErrNotFound) {
			all[i], err = engine.Document{}, nil
		}
		return err
	})
	found := all[:0]
	for _, d := range all {
		if d.ID != "" {
			found = append(found, d)
		}
	}
	return found, err
}

// DocumentsOf returns the ids of the documents that came from a file.
func (o Open) DocumentsOf(ctx context.Context, file string) ([]string, error) {
	return workspace.DocumentsOf(ctx, o.Handle.Store(), file)
}

// Store encodes and stores documents.
func (o Open) Store(ctx context.Context, docs []engine.Document) (int, error) {
	cut, err := o.Encode(ctx, docs)
	if err != nil {
		return 0, err
	}
	return len(cut), o.Handle.Store().Upsert(ctx, docs)
}

// Delete removes documents.
func (o Open) Delete(ctx context.Context, ids []string) (int, error) {
	return o.Handle.Delete(ctx, ids...)
}
