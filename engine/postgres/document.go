package postgres

import (
	"fmt"

	"github.com/nsfl-go/nsfl/engine"
)

// row is a document as it is stored.
type row struct {
	*engine.Document
	vector   vector
	passages []vector // nil where they have none that are kept
	entries  []engine.Value
}

// vectors is how many are kept of it.
func (r *row) vectors() int { return 1 + len(r.passages) }

// rowsOf checks documents as package index does, and scales their vectors.
func rowsOf(docs []engine.Document, dim int) ([]row, error) {
	rows := make([]row, len(docs))
	return rows, engine.Check(docs, dim, func(i int) string {
		rows[i].Document = &docs[i]
		if name := unstorable(&docs[i]); name != "" {
			return name + " has a zero byte, which PostgreSQL cannot store"
		}
		return rows[i].fill(dim)
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

// fill reads the metadata and copies the vectors at length 1.
func (r *row) fill(dim int) (problem string) {
	var err error
	if r.entries, err = valuesOf(r.Metadata); err != nil {
		return err.Error()
	}
	if r.vector, err = engine.UnitOf(r.Vector, dim); err != nil {
		return "its vector " + err.Error()
	}
	if len(r.Passages) < 2 {
		return ""
	}
	r.passages = make([]vector, len(r.Passages))
	for i, p := range r.Passages {
		if r.passages[i], err = engine.UnitOf(p.Vector, dim); err != nil {
			return fmt.Sprintf("the vector of passage %d %s", i, err)
		}
	}
	return ""
}

// units are query vectors at length 1.
func units(vectors [][]float32, dim int) ([]vector, error) {
	if len(vectors) == 0 {
		return nil, engine.BadInput("query", "there is no vector")
	}
	out := make([]vector, len(vectors))
	for i, v := range vectors {
		var err error
		if out[i], err = engine.UnitOf(v, dim); err != nil {
			return nil, engine.BadInput(fmt.Sprintf("query vector %d", i), "%s", "it "+err.Error())
		}
	}
	return out, nil
}
