package workspace

import (
	"context"
	"maps"
	"slices"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/ingest"
)

// Action is the kind of a change.
type Action string

// Actions.
const (
	MakeCollection   Action = "make_collection"
	RemoveCollection Action = "delete_collection"
	SetQuota         Action = "set_quota"
	BackUp           Action = "backup"
	StoreDocuments   Action = "store"
	DeleteDocuments  Action = "delete"
	NoteSources      Action = "note_sources"
)

// Change is a requested change.
type Change struct {
	Action     Action
	Collection string
	IDs        []string // document ids or source names
}

// Changing is called before a change, which it may reject, and returns a function to call
// with the outcome.
type Changing func(context.Context, Change) (done func(error), err error)

// Do makes a change unless it is rejected.
func (ask Changing) Do(ctx context.Context, c Change, do func() error) error {
	if ask == nil {
		return do()
	}
	done, err := ask(ctx, c)
	if err != nil {
		return err
	}
	err = do()
	done(err)
	return err
}

// Upsert stores encoded documents.
func (o *SharedHandle) Upsert(ctx context.Context, docs []engine.Document) error {
	ids := make([]string, len(docs))
	for i := range docs {
		ids[i] = docs[i].ID
	}
	return o.changing.Do(ctx, Change{StoreDocuments, o.Name, ids}, func() error { return o.Store().Upsert(ctx, docs) })
}

// Delete removes the documents with the given ids and returns how many existed.
func (o *SharedHandle) Delete(ctx context.Context, ids ...string) (n int, err error) {
	err = o.changing.Do(ctx, Change{DeleteDocuments, o.Name, ids}, func() (err error) {
		n, err = o.Collection.Delete(ctx, ids...)
		return err
	})
	return n, err
}

// NoteFiles records fingerprints of files; nil removes one.
func (o *SharedHandle) NoteFiles(ctx context.Context, files map[string]*ingest.Fingerprint) error {
	names := slices.Sorted(maps.Keys(files))
	return o.changing.Do(ctx, Change{NoteSources, o.Name, names}, func() error { return NoteFiles(ctx, o.Store(), files) })
}
