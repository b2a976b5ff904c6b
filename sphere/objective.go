package sphere

import (
	"errors"
	"fmt"
	"math"
)

// Objective is a function of the cosines between a point and k fixed vectors,
// the terms. logic.Objective is the one this package is made for.
type Objective interface {
	// Terms is k.
	Terms() int
	// Uses reports whether the function depends on a term.
	Uses(term int) bool
	// Value returns f and, where gradient is not nil, writes a subgradient with
	// respect to the cosines. Both slices have length k.
	Value(cosines, gradient []float64) float64
	// Pieces returns the function's parts where it has the form
	//
	//	const + min_i ⟨linear_i, s⟩ + Σ_j ⟨left_j, s⟩·⟨right_j, s⟩
	//
	// for cosines s, and ok = false where it has not.
	Pieces() (linear, left, right [][]float64, ok bool)
	// Keep is the index of a term whose vector is the answer as it is, because
	// the maximum says nothing (a disjunction attains it at any alternative);
	// −1 where there is something to optimize.
	Keep() int
}

// Result is a query vector.
type Result struct {
	Vector []float32 // of unit length
	Value  float64   // f at Vector
	Method string    // how it was found
	Steps  int       // iterations, where there were any
}

// ErrNoDirection is returned when the formula's vectors cancel out, so that no
// point is better than any other.
var ErrNoDirection = errors.New("the vectors of the formula cancel out: there is no direction to search in")

// check rejects vectors that do not fit the objective.
func check(f Objective, vectors [][]float32) error {
	if len(vectors) != f.Terms() {
		return fmt.Errorf("the formula has %d terms, but there are %d vectors", f.Terms(), len(vectors))
	}
	if len(vectors) == 0 || len(vectors[0]) == 0 {
		return errors.New("the formula has no vectors")
	}
	for i, v := range vectors {
		if len(v) != len(vectors[0]) {
			return fmt.Errorf("vector %d has dimension %d, vector 0 has %d", i, len(v), len(vectors[0]))
		}
	}
	return nil
}

// lengthOf is the length of x, or an error where x has no direction.
func lengthOf(x []float64) (float64, error) {
	length := math.Sqrt(inner(x, x))
	if !(length > 1e-9) || math.IsInf(length, 0) {
		return 0, ErrNoDirection
	}
	return length, nil
}
