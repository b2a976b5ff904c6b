package nsfl

import (
	"context"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/internal/fieldstats"
)

// Fields and Field describe the metadata of documents; see package engine.
type (
	Fields = engine.Fields
	Field  = engine.Field
)

// Fields returns the metadata fields of documents with their kinds: from all documents of
// a collection in a directory, or from a sample on other engines.
func (c *Collection) Fields(ctx context.Context) (*Fields, error) {
	return fieldstats.FieldsOf(ctx, c.store)
}
