package sphere

import "fmt"

// Exact returns the unit vector at which f is largest. It is deterministic.
//
// For conjunctions of atoms with any negations, and for most nested formulas, the maximum
// is global: the nearest point of a convex hull if nothing is gated, otherwise the solution
// of a few trust-region problems of order three. For other formulas it searches from many
// starts in the few dimensions of the span and keeps the best. For a disjunction it returns
// the disjunction's own vector.
func Exact(f Objective, vectors [][]float32) (Result, error) {
	if err := check(f, vectors); err != nil {
		return Result{}, err
	}
	s := newSpan(f.Uses, vectors)
	if s.rank() == 0 {
		return Result{}, ErrNoDirection
	}
	var r Result
	var point []float64
	if keep := f.Keep(); keep >= 0 {
		r.Method = "kept"
		point = make([]float64, s.dimension())
		for i, row := range s.factor {
			point[i] = row[keep]
		}
	} else if linear, left, right, ok := f.Pieces(); ok {
		r.Method = "exact"
		c := conjunction{linear: s.coordinates(linear), left: s.coordinates(left), right: s.coordinates(right)}
		point = c.solve()
	}
	if point == nil {
		r.Method = "search"
		point, r.Steps = search(f, s)
	}
	length, err := lengthOf(point)
	if err != nil {
		return Result{}, fmt.Errorf("optimizing the query vector: %w", err)
	}
	for i := range point {
		point[i] /= length
	}
	cosines := make([]float64, len(vectors))
	s.cosines(point, cosines)
	r.Value = f.Value(cosines, nil)
	r.Vector = s.full(point)
	return r, nil
}
