package engine

import (
	"context"
	"iter"
)

// All are the documents that a page begins with, and all after it, in the order of
// Collection.List. An error is the last that comes.
func All(ctx context.Context, c Collection, page Page) iter.Seq2[Document, error] {
	return func(yield func(Document, error) bool) {
		for {
			docs, mark, err := c.List(ctx, page)
			if err != nil {
				yield(Document{}, err)
				return
			}
			if len(docs) == 0 {
				return
			}
			for _, d := range docs {
				if !yield(d, nil) {
					return
				}
			}
			page.After = mark
		}
	}
}
