package sphere

import "math"

// basis is a list of orthonormal vectors.
type basis struct {
	w       *workspace
	vectors [][]float64
}

// add extends the basis by what v has outside it and outside other orthonormal
// vectors; it reports whether there was anything.
func (b *basis) add(v []float64, other [][]float64) bool {
	size := inner(v, v)
	rest := b.w.copied(v)
	// Gram–Schmidt; where most of v is taken away, a second round removes what
	// rounding left.
	for left := size; ; {
		for _, e := range other {
			addScaled(rest, e, -inner(rest, e))
		}
		for _, e := range b.vectors {
			addScaled(rest, e, -inner(rest, e))
		}
		now := inner(rest, rest)
		if !(now > 1e-20*size) { // nothing is left, or it is not a number
			return false
		}
		if now > left/100 {
			scale := 1 / math.Sqrt(now)
			for i := range rest {
				rest[i] *= scale
			}
			b.vectors = append(b.vectors, rest)
			return true
		}
		left = now
	}
}

// outside is a unit vector orthogonal to the basis and to other orthonormal
// vectors, which together do not fill the space.
func (b *basis) outside(other [][]float64, dimension int) []float64 {
	// Of the axes, one at least keeps 1/√dimension of its length.
	for i := range dimension {
		axis := b.w.vector(dimension)
		axis[i] = 1
		extended := basis{w: b.w, vectors: b.vectors[:len(b.vectors):len(b.vectors)]}
		if extended.add(axis, other) {
			if e := extended.vectors[len(b.vectors)]; e[i]*e[i] >= 0.5/float64(dimension) {
				return e
			}
		}
	}
	return b.w.vector(dimension)
}
