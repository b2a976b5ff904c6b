package vectors

import (
	"errors"
	"fmt"
	"math"

	"github.com/nsfl-go/nsfl/engine"
)

// Row is a vector and its document. Missing parts are empty. Either all passages of a row have
// vectors or none has.
type Row = engine.Document

// shape describes what all rows of a file have in common.
type shape struct {
	dim    int  // of whatever vectors there are; 0: none was seen yet
	vector bool // every row has one of its own; otherwise none has
}

// shapeOf returns the shape of a file with row as its first.
func shapeOf(row *Row) shape {
	s := shape{dim: len(row.Vector), vector: len(row.Vector) > 0}
	s.passages(row)
	return s
}

// passages takes the dimension from a passage if no vector came before.
func (s *shape) passages(row *Row) {
	for i := range row.Passages {
		if s.dim == 0 {
			s.dim = len(row.Passages[i].Vector)
		}
	}
}

// check returns an error for an invalid row.
func (s *shape) check(row *Row) error {
	s.passages(row)
	switch n := len(row.Vector); {
	case n == 0 && s.vector:
		return errors.New("it has no vector, the rows before it have; give all of them one, or none")
	case n > 0 && !s.vector:
		return errors.New("it has a vector, the rows before it have none; give all of them one, or none")
	case n > 0 && n != s.dim:
		return fmt.Errorf("its vector has dimension %d, those before it have %d; all rows must come from one model", n, s.dim)
	}
	if s.vector {
		if err := checkValues("its vector", row.Vector); err != nil {
			return err
		}
	}
	for i, p := range row.Passages {
		switch n := len(p.Vector); {
		case (n > 0) != (len(row.Passages[0].Vector) > 0):
			return errors.New("only some of its passages have a vector; give all of them one, or none")
		case n == 0:
			continue
		case n != s.dim:
			return fmt.Errorf("the vector of passage %d has dimension %d, not %d as others in the file", i, n, s.dim)
		}
		if err := checkValues("the vector of a passage", p.Vector); err != nil {
			return err
		}
	}
	return nil
}

// checkValues works on bits: an exponent of ones means NaN or infinite, and no bits other than
// the sign mean zero.
func checkValues(what string, v []float32) error {
	const exponent, sign = 0x7f800000, 0x80000000
	var any uint32
	for i, x := range v {
		bits := math.Float32bits(x)
		if bits&exponent == exponent {
			return fmt.Errorf("component %d of %s is NaN, infinite or too large for float32; encode that document again, or leave the row out", i, what)
		}
		any |= bits &^ sign
	}
	if any == 0 {
		return fmt.Errorf("%s is zero and has no direction; encode that document again, or leave the row out", what)
	}
	return nil
}
