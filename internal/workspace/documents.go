package workspace

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/internal/ingest"
	"github.com/nsfl-go/nsfl/internal/workers"
)

// Explain describes an error of a remote store without revealing where the store is. Other
// errors are returned unchanged.
func (h *Handle) Explain(ctx context.Context, err error) error {
	if h.remote == nil {
		return err
	}
	return h.remote.explain(ctx, err)
}

// change makes a change, after creating the collection if necessary.
func (h *Handle) change(ctx context.Context, action Action, ids []string, do func() error) error {
	if err := h.Create(ctx); err != nil {
		return err
	}
	return h.changing.Do(ctx, Change{action, h.Name, ids}, func() error { return h.Explain(ctx, do()) })
}

// Upsert stores encoded documents.
func (h *Handle) Upsert(ctx context.Context, docs []engine.Document) error {
	ids := make([]string, len(docs))
	for i := range docs {
		ids[i] = docs[i].ID
	}
	return h.change(ctx, StoreDocuments, ids, func() error { return h.Store().Upsert(ctx, docs) })
}

// Put encodes and stores documents, all or none, and returns how many have a passage longer
// than the encoder's limit. It returns an *engine.InputError if a document cannot be stored.
func (h *Handle) Put(ctx context.Context, docs []engine.Document) (cut int, err error) {
	if err := h.Create(ctx); err != nil {
		return 0, err
	}
	ids, err := h.Encode(ctx, docs)
	if err != nil {
		return 0, err
	}
	return len(ids), h.Upsert(ctx, docs)
}

// Delete removes the documents with the given ids and returns how many existed.
func (h *Handle) Delete(ctx context.Context, ids ...string) (n int, err error) {
	err = h.change(ctx, DeleteDocuments, ids, func() (err error) {
		n, err = h.Collection.Delete(ctx, ids...)
		return err
	})
	return n, err
}

// Files returns the fingerprints of the indexed files by name.
func (h *Handle) Files(ctx context.Context) (map[string]ingest.Fingerprint, error) {
	if !h.Exists() {
		return nil, nil
	}
	return Files(ctx, h.Store())
}

// NoteFiles records fingerprints of files; nil removes one.
func (h *Handle) NoteFiles(ctx context.Context, files map[string]*ingest.Fingerprint) error {
	return h.change(ctx, NoteSources, slices.Sorted(maps.Keys(files)), func() error { return NoteFiles(ctx, h.Store(), files) })
}

// Screen makes a change to a screening, such as a decision about documents.
func (h *Handle) Screen(ctx context.Context, ids []string, do func() error) error {
	return h.change(ctx, Screen, ids, do)
}

// DocumentsOf returns the ids of the documents that came from a file.
func (h *Handle) DocumentsOf(ctx context.Context, file string) ([]string, error) {
	if !h.Exists() {
		return nil, nil
	}
	return documentsOf(ctx, h.Store(), file)
}

// Recall returns the documents that came from a file, with their vectors.
func (h *Handle) Recall(ctx context.Context, file string) ([]engine.Document, error) {
	ids, err := h.DocumentsOf(ctx, file)
	if err != nil {
		return nil, err
	}
	docs := make([]engine.Document, len(ids))
	for i, id := range ids {
		if docs[i], err = h.Store().Get(ctx, id, engine.AllParts); err != nil {
			return nil, err
		}
	}
	return docs, nil
}

// lookups is the number of concurrent reads: with a remote engine, latency dominates.
const lookups = 8

// Lookup returns the documents with the given ids that exist, without vectors.
func (h *Handle) Lookup(ctx context.Context, ids []string) ([]engine.Document, error) {
	if !h.Exists() {
		return nil, nil
	}
	all := make([]engine.Document, len(ids))
	err := workers.Each(ctx, len(ids), lookups, func(ctx context.Context, i int) (err error) {
		all[i], err = h.Store().Get(ctx, ids[i], engine.Titles|engine.Texts|engine.Metadata)
		if errors.Is(err, engine.ErrNotFound) {
			all[i], err = engine.Document{}, nil
		}
		return err
	})
	return slices.DeleteFunc(all, func(d engine.Document) bool { return d.ID == "" }), err
}
