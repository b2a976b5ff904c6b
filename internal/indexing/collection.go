package indexing

import (
	"context"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/internal/ingest"
)

// Collection is the target of indexing, which the first write creates: a
// *workspace.Handle, or a *client.Collection on a server.
type Collection interface {
	// Files returns the indexed files by name.
	Files(ctx context.Context) (map[string]ingest.Fingerprint, error)
	// NoteFiles records fingerprints of files; nil removes one.
	NoteFiles(ctx context.Context, files map[string]*ingest.Fingerprint) error
	// Lookup returns the documents with the given ids that exist, without vectors.
	Lookup(ctx context.Context, ids []string) ([]engine.Document, error)
	// DocumentsOf returns the ids of the documents that came from a file.
	DocumentsOf(ctx context.Context, file string) ([]string, error)
	// Put encodes and stores documents, all or none, and returns how many have a passage
	// longer than the encoder's limit. It returns an *engine.InputError if a document
	// cannot be stored.
	Put(ctx context.Context, docs []engine.Document) (cut int, err error)
	// Delete removes documents and returns how many existed.
	Delete(ctx context.Context, ids ...string) (int, error)
}
