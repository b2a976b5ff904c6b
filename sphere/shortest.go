package sphere

// Shortest is the weights, of sum 1, of the shortest mixture of combinations of vectors:
// the point of their convex hull that is nearest to the origin. A combination has a factor
// for each of the vectors.
func Shortest(vectors [][]float32, combinations [][]float64) []float64 {
	w := workspaces.Get().(*workspace)
	defer func() {
		w.span = span{} // it must not keep the caller's vectors alive
		workspaces.Put(w)
	}()
	w.release(0, 0)
	s := newSpan(w, func(term int) bool {
		for _, c := range combinations {
			if c[term] != 0 {
				return true
			}
		}
		return false
	}, vectors)
	// What depends on it holds for any mixture, so that rounding may make it longer than it
	// could be but must leave it one.
	out, sum := make([]float64, len(combinations)), 0.0
	for i, x := range nearest(w, s.coordinates(w, combinations)) {
		out[i] = max(0, x)
		sum += out[i]
	}
	for i := range out {
		if out[i] /= sum; !(sum > 0) {
			out[i] = 1 / float64(len(out))
		}
	}
	return out
}
