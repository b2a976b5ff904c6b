package indexing

import (
	"context"
	"reflect"

	"github.com/nsfl-go/nsfl/engine"
)

// keeper is a Collection that can store a document again with the vectors it has.
type keeper interface {
	// Recall returns the documents of a file, with their vectors.
	Recall(ctx context.Context, file string) ([]engine.Document, error)
	// Upsert stores documents that have vectors.
	Upsert(ctx context.Context, docs []engine.Document) error
}

// mostRecalled is the size of the largest file whose documents are recalled, because all are
// held in memory.
const mostRecalled = 8 << 20

// reuse stores the documents of files with the content of a file that is already indexed, such
// as one in a folder that was renamed, with the vectors of that file's documents. It returns
// the documents that remain to be encoded.
func (c *applier) reuse(ctx context.Context, changed []piece) (rest []piece, err error) {
	to, ok := c.to.(keeper)
	if !ok {
		return changed, nil
	}
	var kept []engine.Document
	for _, next := range changed {
		twin := c.twins[next.sum]
		if next.doc.Vector != nil || twin == "" || twin == next.source.Name || next.source.Size > mostRecalled {
			rest = append(rest, next)
			continue
		}
		if c.recalled != twin {
			if c.documents, err = to.Recall(ctx, twin); err != nil {
				return nil, err
			}
			c.recalled = twin
		}
		known := false
		for _, d := range c.documents {
			if known = d.Title == next.doc.Title && d.Text == next.doc.Text && d.Vector != nil && reflect.DeepEqual(parts(&d), parts(&next.doc)); known {
				d.ID, d.Metadata = next.doc.ID, next.doc.Metadata
				kept = append(kept, d)
				c.Documents, c.Passages = c.Documents+1, c.Passages+passagesOf(&next.doc)
				c.skipBytes(next)
				break
			}
		}
		if !known {
			rest = append(rest, next)
		}
	}
	if len(kept) == 0 {
		return rest, nil
	}
	return rest, to.Upsert(ctx, kept)
}
