package sphere

import (
	"fmt"
	"math"
)

// Exact returns the unit vector at which f is largest. It is deterministic. The
// vectors must be of unit length.
//
// For a conjunction of atoms with any negations, and for most nested formulas,
// the maximum is global: the nearest point of a convex hull where nothing is
// gated, a few trust-region problems of order three where something is. For
// what has no such form it searches from many starts in the few dimensions of
// the span and keeps the best. A disjunction keeps its own vector.
func Exact(f Objective, vectors [][]float32) (Result, error) {
	if err := check(f, vectors); err != nil {
		return Result{}, err
	}
	w := workspaces.Get().(*workspace)
	defer workspaces.Put(w)
	result, length2, err := exact(w, f, vectors, false)
	if err == nil && math.Abs(length2-1) > 1e-5 {
		// Not what unit vectors give: some are longer or shorter.
		result, _, err = exact(w, f, vectors, true)
	}
	return result, err
}

// exact also returns the squared length that the vector came out with.
func exact(w *workspace, f Objective, vectors [][]float32, measure bool) (Result, float64, error) {
	w.release(0, 0)
	s := newSpan(w, f, vectors, measure)
	if s.rank() == 0 {
		return Result{}, 1, ErrNoDirection
	}
	var r Result
	var point []float64
	if keep := f.Keep(); keep >= 0 {
		r.Method = "kept"
		point = w.vector(s.rank())
		for i, row := range s.factor {
			point[i] = row[keep]
		}
	} else if linear, left, right, ok := f.Pieces(); ok {
		r.Method = "exact"
		c := conjunction{w: w, linear: s.coordinates(w, linear), left: s.coordinates(w, left), right: s.coordinates(w, right)}
		point = c.solve()
	}
	if point == nil {
		r.Method = "search"
		point, r.Steps = search(f, s)
	}
	length, err := lengthOf(point)
	if err != nil {
		return Result{}, 1, fmt.Errorf("optimizing the query vector: %w", err)
	}
	for i := range point {
		point[i] /= length
	}
	cosines := w.vector(len(vectors))
	s.cosines(point, cosines)
	r.Value = f.Value(cosines, nil)
	var length2 float64
	r.Vector, length2 = s.full(w, point)
	if measure {
		retract(r.Vector)
	}
	return r, length2, nil
}
