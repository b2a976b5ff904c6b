package nsfl

import (
	"context"

	"github.com/nsfl-go/nsfl/engine"
)

// Fields and Field are what the metadata of documents has; the package engine explains them.
type (
	Fields = engine.Fields
	Field  = engine.Field
)

// Fields are the fields that documents have, with their kinds: of a collection in a directory
// those of all documents, on another engine those of a sample.
func (c *Collection) Fields(ctx context.Context) (*Fields, error) {
	return engine.FieldsOf(ctx, c.store)
}
