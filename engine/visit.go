package engine

import (
	"context"
	"fmt"
	"iter"
)

// MaxReadBytes is the approximate amount of document data that a store reads at once; it stops
// there even if more was requested. A document may have MaxDocumentBytes, so a thousand of
// them would exceed the memory of a machine.
const MaxReadBytes = 16 << 20

// Bytes is about how much memory the parts of a document take that are there.
func (d *Document) Bytes() int {
	const each = 64 // for what refers to a text or a vector
	n := each + len(d.ID) + len(d.Title) + len(d.Text) + len(d.Metadata) + 4*len(d.Vector)
	for i := range d.Passages {
		p := &d.Passages[i]
		n += each + len(p.Text) + len(p.Place.Heading) + 4*len(p.Vector)
	}
	return n
}

// Visit reads the requested parts of documents, portion by portion, and passes them to the
// visitor one by one, with their indexes in refs. A document deleted since has an empty ID.
func Visit(ctx context.Context, s Store, refs []Ref, parts Parts, visit func(i int, d *Document)) error {
	for at := 0; at < len(refs); {
		docs, err := s.Documents(ctx, refs[at:], parts)
		if err != nil {
			return err
		}
		if len(docs) == 0 {
			return fmt.Errorf("the store has read none of %d documents, and says nothing of why", len(refs)-at)
		}
		for i := range docs {
			visit(at+i, &docs[i])
			docs[i] = Document{} // for the garbage collector
		}
		at += len(docs)
	}
	return nil
}

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
