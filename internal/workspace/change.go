package workspace

import (
	"context"
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
	Screen           Action = "screen"
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
