package sphere

import (
	"math"
	"slices"
)

// basis is a list of orthonormal vectors.
type basis struct{ vectors [][]float64 }

// add extends the basis by the component of v outside it and outside other orthonormal
// vectors. It reports whether there was one.
func (b *basis) add(v []float64, other [][]float64) bool {
	size := inner(v, v)
	rest := slices.Clone(v)
	// Gram–Schmidt; if most of v is removed, a second round removes the rounding errors.
	for left := size; ; {
		for _, e := range other {
			addScaled(rest, e, -inner(rest, e))
		}
		for _, e := range b.vectors {
			addScaled(rest, e, -inner(rest, e))
		}
		now := inner(rest, rest)
		if !(now > 1e-20*size) { // nothing is left, or NaN
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

// outside returns a unit vector orthogonal to the basis and to other orthonormal vectors,
// which together must not fill the space.
func (b *basis) outside(other [][]float64, dimension int) []float64 {
	// At least one axis keeps 1/√dimension of its length.
	for i := range dimension {
		axis := make([]float64, dimension)
		axis[i] = 1
		extended := basis{b.vectors[:len(b.vectors):len(b.vectors)]}
		if extended.add(axis, other) {
			if e := extended.vectors[len(b.vectors)]; e[i]*e[i] >= 0.5/float64(dimension) {
				return e
			}
		}
	}
	return make([]float64, dimension)
}
