package workspace

import (
	"context"
	"maps"
	"slices"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/ingest"
)

// Action is what is done to a collection.
type Action string

// The actions.
const (
	MakeCollection   Action = "make_collection"
	RemoveCollection Action = "delete_collection"
	SetQuota         Action = "set_quota"
	BackUp           Action = "backup"
	StoreDocuments   Action = "store"
	DeleteDocuments  Action = "delete"
	NoteSources      Action = "note_sources"
)

// Change is what somebody is about to do.
type Change struct {
	Action     Action
	Collection string
	IDs        []string // of documents, or names of sources
}

// Changing is asked before a change, which it may refuse, and told what came of it.
type Changing func(context.Context, Change) (done func(error), err error)

// Do makes a change, unless it is refused.
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

// Upsert stores documents that have been encoded.
func (o *SharedHandle) Upsert(ctx context.Context, docs []engine.Document) error {
	ids := make([]string, len(docs))
	for i := range docs {
		ids[i] = docs[i].ID
	}
	return o.changing.Do(ctx, Change{StoreDocuments, o.Name, ids}, func() error { return o.Store().Upsert(ctx, docs) })
}

// Delete removes the documents of the given ids, and tells how many there were.
func (o *SharedHandle) Delete(ctx context.Context, ids ...string) (n int, err error) {
	err = o.changing.Do(ctx, Change{DeleteDocuments, o.Name, ids}, func() (err error) {
		n, err = o.Collection.Delete(ctx, ids...)
		return err
	})
	return n, err
}

// NoteFiles keeps what is known of files; nil forgets one.
func (o *SharedHandle) NoteFiles(ctx context.Context, files map[string]*ingest.Fingerprint) error {
	names := slices.Sorted(maps.Keys(files))
	return o.changing.Do(ctx, Change{NoteSources, o.Name, names}, func() error { return NoteFiles(ctx, o.Store(), files) })
}
