package postgres

import (
	"fmt"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/remote"
)

// row is a document as it is stored.
type row struct {
	*engine.Document
	vectors [][]float32 // of the whole, then of passages where they are kept
	entries []engine.Value
	pieces  []uint16 // of its words
}

// rowsOf checks documents and scales their vectors.
func rowsOf(docs []engine.Document, dim int) ([]row, error) {
	rows := make([]row, len(docs))
	return rows, engine.Check(docs, dim, func(i int) (problem string) {
		r := &rows[i]
		r.Document = &docs[i]
		if name := unstorable(r.Document); name != "" {
			return name + " has a zero byte, which PostgreSQL cannot store"
		}
		var err error
		if r.entries, err = valuesOf(r.Metadata); err != nil {
			return err.Error()
		}
		r.vectors, problem = remote.Units(r.Document, dim)
		return problem
	})
}

// unstorable names what of a document the database cannot hold, if anything.
func unstorable(d *engine.Document) string {
	switch {
	case !storable(d.ID):
		return "the id"
	case !storable(d.Title):
		return "the title"
	case !storable(d.Text):
		return "the text"
	case !storable(string(d.Metadata)):
		return "the metadata"
	}
	for i, p := range d.Passages {
		if !storable(p.Text) {
			return fmt.Sprintf("passage %d", i)
		}
	}
	return ""
}

// valuesOf reads metadata, and refuses what PostgreSQL cannot store.
func valuesOf(metadata []byte) ([]engine.Value, error) {
	values, err := engine.Values(metadata)
	for _, v := range values {
		if !storable(v.Field) || !storable(v.Text) {
			return nil, fmt.Errorf("the field %q has a zero byte, which PostgreSQL cannot store", v.Field)
		}
	}
	return values, err
}
