package sphere

// Shortest returns the weights, which sum to 1, of the shortest mixture of combinations: the
// point of their convex hull nearest to the origin. A combination has a factor for each of
// the vectors.
func Shortest(vectors [][]float32, combinations [][]float64) []float64 {
	s := newSpan(func(term int) bool {
		for _, c := range combinations {
			if c[term] != 0 {
				return true
			}
		}
		return false
	}, vectors)
	// The caller's bounds hold for any mixture, so rounding may make this one longer than
	// necessary, but the weights must still form a mixture.
	out, sum := make([]float64, len(combinations)), 0.0
	for i, x := range nearest(s.coordinates(combinations)) {
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
