package sphere

import (
	"errors"
	"fmt"
	"math"
)

// Objective is a function of the cosines between a point and k fixed vectors, the terms.
// logic.Objective implements it.
type Objective interface {
	// Terms returns k.
	Terms() int
	// Uses reports whether the function depends on a term.
	Uses(term int) bool
	// Value returns f and, if gradient is not nil, writes a subgradient with respect to the
	// cosines to it. Both slices have length k.
	Value(cosines, gradient []float64) float64
	// Pieces returns the parts of a function of the form
	//
	//	const + min_i ⟨linear_i, s⟩ + Σ_j ⟨left_j, s⟩·⟨right_j, s⟩
	//
	// for cosines s, or ok = false if the function has another form.
	Pieces() (linear, left, right [][]float64, ok bool)
	// Keep returns the index of a term whose vector is the answer, because the maximum is
	// not informative (a disjunction attains it at any alternative), or −1 if there is
	// something to optimize.
	Keep() int
}

// Result is an optimized query vector.
type Result struct {
	Vector []float32 // unit vector
	Value  float64   // f at Vector
	Method string    // how it was found
	Steps  int       // number of iterations, if any
}

// ErrNoDirection is returned when the formula's vectors cancel out, so no point is better
// than any other.
var ErrNoDirection = errors.New("the vectors of the formula cancel out: there is no direction to search in")

// check rejects vectors that do not fit the objective.
func check(f Objective, vectors [][]float32) error {
	if len(vectors) != f.Terms() {
		return fmt.Errorf("got %d terms in the formula, but %d vectors", f.Terms(), len(vectors))
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

// lengthOf returns the length of x, or an error if x has no direction.
func lengthOf(x []float64) (float64, error) {
	length := math.Sqrt(inner(x, x))
	if !(length > 1e-9) || math.IsInf(length, 0) {
		return 0, ErrNoDirection
	}
	return length, nil
}
