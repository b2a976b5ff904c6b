package remote

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/vec"
)

// Units returns unit copies of the stored vectors of a document: the vector of the whole,
// then the vectors of passages.
func Units(d *engine.Document, dim int) (rows [][]float32, problem string) {
	for i := range d.Rows() {
		u, err := engine.UnitOf(d.Row(i), dim)
		if err != nil {
			return nil, engine.RowName(i) + " " + err.Error()
		}
		rows = append(rows, u)
	}
	return rows, ""
}

// CheckUnit returns an error for a vector that this package has not stored.
func CheckUnit(v []float32, dim int) error {
	if len(v) != dim {
		return fmt.Errorf("a stored vector has dimension %d, the collection has %d", len(v), dim)
	}
	const slack = 1e-3
	if n := vec.Norm(v); !(math.Abs(n-1) < slack) { // NaN neither
		return fmt.Errorf("a stored vector has the length %g, not 1: something else has changed it, and storing the documents again puts it right", n)
	}
	return nil
}

// Similarity returns the similarity of a document with these vectors to a unit vector, as
// package engine defines it.
func Similarity(rows [][]float32, v []float32) float32 {
	whole := vec.Dot(rows[0], v)
	if len(rows) == 1 {
		return whole
	}
	best := vec.Dot(rows[1], v)
	for _, row := range rows[2:] {
		best = max(best, vec.Dot(row, v))
	}
	return (whole + best) / 2
}

// Stored is a document as a server returns it, with the parts that were requested.
type Stored struct {
	ID, Title, Text, Metadata string
	Passages                  []engine.Noted
	Rows                      [][]float32 // the vector of the whole, then those of passages
}

// Document returns the wanted parts.
func (s *Stored) Document(parts engine.Parts) (engine.Document, error) {
	d := engine.Document{ID: s.ID}
	if d.ID == "" {
		return d, errors.New("a stored document has no id: something else has changed it, or made it")
	}
	if parts.Has(engine.Titles) {
		d.Title = s.Title
	}
	if parts.Has(engine.Texts) {
		d.Text = s.Text
	}
	if parts.Has(engine.Metadata) && s.Metadata != "" {
		d.Metadata = json.RawMessage(s.Metadata)
	}
	if parts.Has(engine.Vectors) {
		d.Vector = s.Rows[0]
	}
	if !parts.Has(engine.Texts | engine.PassageVectors) {
		return d, nil
	}
	if n := len(s.Rows) - 1; parts.Has(engine.PassageVectors) && n != len(s.Passages) && (n > 0 || len(s.Passages) > 1) {
		return d, fmt.Errorf("the document %.64q has %d passages and %d vectors of passages: something else has changed it", d.ID, len(s.Passages), n)
	}
	for i, noted := range s.Passages {
		var p engine.Passage
		if parts.Has(engine.Texts) {
			p.Text, p.Place = noted.Text, noted.Place
		}
		if parts.Has(engine.PassageVectors) && len(s.Rows) > 1 {
			p.Vector = s.Rows[1+i]
		}
		d.Passages = append(d.Passages, p)
	}
	return d, nil
}
