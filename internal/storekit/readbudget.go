package storekit

import (
	"cmp"

	"github.com/nsfl-go/nsfl/engine"
)

// ReadBudget counts the documents that are read at once. The zero value is full at
// engine.MaxReadBytes.
type ReadBudget struct{ most, bytes int }

// BudgetOf returns the portion of a page.
func BudgetOf(p *engine.Page) *ReadBudget {
	if p.Bytes > 0 && p.Bytes < engine.MaxReadBytes {
		return &ReadBudget{most: p.Bytes}
	}
	return &ReadBudget{}
}

// Add counts documents and reports whether the portion is full.
func (p *ReadBudget) Add(docs ...engine.Document) (full bool) {
	for i := range docs {
		p.bytes += docs[i].Bytes()
	}
	return p.Left() <= 0
}

// Left is how many bytes are yet to come.
func (p *ReadBudget) Left() int { return cmp.Or(p.most, engine.MaxReadBytes) - p.bytes }
