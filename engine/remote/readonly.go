package remote

import (
	"context"
	"fmt"

	"github.com/nsfl-go/nsfl/engine"
)

// ReadOnly is the part of an engine.Collection that an attached store does not have.
type ReadOnly struct{}

var errAttached = fmt.Errorf("the store is somebody else's and only read: copy it with nsfl copy to have a collection that can be written to: %w", engine.ErrReadOnly)

// Encoder is not known.
func (ReadOnly) Encoder() string { return "" }

// Upsert refuses.
func (ReadOnly) Upsert(context.Context, []engine.Document) error { return errAttached }

// Delete refuses.
func (ReadOnly) Delete(context.Context, []string) (int, error) { return 0, errAttached }

// SetNotes refuses.
func (ReadOnly) SetNotes(context.Context, map[string]string) error { return errAttached }

// Notes are none.
func (ReadOnly) Notes(context.Context, string) (map[string]string, error) {
	return map[string]string{}, nil
}
