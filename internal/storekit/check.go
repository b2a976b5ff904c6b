// Package storekit has what implementations of engine.Store share: checks of documents and
// notes before they are stored, vectors of length 1, limits of what is read at once, and the
// selection of documents by lexical score.
//
// It knows stores by package engine alone.
package storekit

import (
	"errors"
	"fmt"
	"math"
	"unicode/utf8"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/internal/vec"
)

// RowName returns the name of the i-th vector for an error.
func RowName(i int) string {
	if i == 0 {
		return "its vector"
	}
	return fmt.Sprintf("the vector of passage %d", i-1)
}

// Check returns an *engine.InputError if a batch of documents cannot be stored. It checks ids, sizes,
// dimensions and the encoding of strings. A store with further restrictions reports a problem
// with document i through also, which may be nil.
func Check(docs []engine.Document, dim int, also func(i int) (problem string)) error {
	seen := make(map[string]int, len(docs))
	for i := range docs {
		d := &docs[i]
		if problem := problemOf(d, dim); problem != "" {
			return d.Invalid(i, problem)
		}
		if first, ok := seen[d.ID]; ok {
			return d.Invalid(i, fmt.Sprintf("document %d of the batch has the same id", first))
		}
		seen[d.ID] = i
		if also == nil {
			continue
		}
		if problem := also(i); problem != "" {
			return d.Invalid(i, problem)
		}
	}
	return nil
}

func problemOf(d *engine.Document, dim int) string {
	if problem := d.TextProblem(); problem != "" {
		return problem
	}
	for i := range d.Rows() {
		if n := len(d.Row(i)); n != dim {
			return fmt.Sprintf("%s has dimension %d, the collection has %d", RowName(i), n, dim)
		}
	}
	return ""
}

// Unit scales v to length 1, as vec.Normalize does. If v already has length 1 within rounding,
// Unit leaves it unchanged to the bit, so copying a vector between collections does not alter
// it.
func Unit(v []float32) error {
	const rounding = 1e-7 // components are off by a part of 2⁻²⁴ at most, and so is the length
	if math.Abs(vec.Norm(v)-1) < rounding {
		return nil
	}
	return vec.Normalize(v)
}

// UnitOf is a copy of v of length 1, for stores that keep vectors elsewhere. Its
// errors go on from the name of the vector: "is zero and has no direction".
func UnitOf(v []float32, dim int) ([]float32, error) {
	if len(v) != dim {
		return nil, fmt.Errorf("has dimension %d, the collection has %d", len(v), dim)
	}
	u := append([]float32(nil), v...)
	if err := Unit(u); err != nil {
		return nil, errors.New(VectorProblem(err))
	}
	return u, nil
}

// VectorProblem describes why vec.Normalize rejects a vector.
func VectorProblem(err error) string {
	switch {
	case errors.Is(err, vec.ErrZero):
		return "is zero and has no direction"
	case errors.Is(err, vec.ErrNotFinite):
		return "has a component that is NaN or infinite"
	}
	return err.Error()
}

// MaxNoteBytes is the most that the name and the value of a note may have.
const MaxNoteBytes = 1 << 20

// CheckNotes is an *engine.InputError unless notes can be kept.
func CheckNotes(notes map[string]string) error {
	for name, value := range notes {
		switch {
		case name == "" || !utf8.ValidString(name) || !utf8.ValidString(value):
			return engine.BadInput(fmt.Sprintf("note %q", name), "the name is empty, or it is not valid UTF-8")
		case len(name)+len(value) > MaxNoteBytes:
			return engine.BadInput(fmt.Sprintf("note %q", name), "it has more than %d bytes", MaxNoteBytes)
		}
	}
	return nil
}
