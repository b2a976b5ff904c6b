package storekit

import (
	"cmp"

	"github.com/nsfl-go/nsfl/engine"
)

// Portion counts the documents that are read at once. The zero value is full at
// engine.PortionBytes.
type Portion struct{ most, bytes int }

// PortionOf returns the portion of a page.
func PortionOf(p *engine.Page) *Portion {
	if p.Bytes > 0 && p.Bytes < engine.PortionBytes {
		return &Portion{most: p.Bytes}
	}
	return &Portion{}
}

// Add counts documents and reports whether the portion is full.
func (p *Portion) Add(docs ...engine.Document) (full bool) {
	for i := range docs {
		p.bytes += docs[i].Bytes()
	}
	return p.Left() <= 0
}

// Left is how many bytes are yet to come.
func (p *Portion) Left() int { return cmp.Or(p.most, engine.PortionBytes) - p.bytes }
