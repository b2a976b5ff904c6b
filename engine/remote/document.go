package remote

import (
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
