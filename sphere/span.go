package sphere

import (
	"math"
	"slices"

	"github.com/nsfl-go/nsfl/internal/vec"
)

// span is the space spanned by the used vectors of a formula, with coordinates in an
// orthonormal basis. One more coordinate, the last, stands for everything outside: the best
// point has a component there if every direction in the span makes f worse, and it does not
// matter which one.
type span struct {
	vectors [][]float32
	used    []int       // terms the objective uses
	picked  []int       // terms whose vectors form the basis, in order
	factor  [][]float64 // factor[i][j]: coordinate i of term j
}

// independent is the squared distance from the span of the others below which a vector
// counts as lying in that span.
const independent = 1e-14

// newSpan factors the Gram matrix G of the used vectors into coordinates, by pivoted
// Cholesky: G = factorᵀ·factor. Computing G takes k(k+1)/2 dot products in d dimensions;
// everything else happens in k dimensions.
func newSpan(uses func(term int) bool, vectors [][]float32) *span {
	k := len(vectors)
	s := &span{vectors: vectors}
	for j := range k {
		if uses(j) {
			s.used = append(s.used, j)
		}
	}
	gram := matrix(k, k)
	sum := 0.0
	for a, i := range s.used {
		for _, j := range s.used[a:] {
			gram[i][j] = vec.Dot64(vectors[i], vectors[j])
			gram[j][i] = gram[i][j]
			sum += gram[i][j]
		}
	}
	if math.IsNaN(sum) || math.IsInf(sum, 0) {
		return s // the vectors contain NaN or Inf and span nothing
	}
	s.factor = make([][]float64, 0, k)
	for len(s.picked) < min(len(s.used), len(vectors[0])) {
		// The diagonal holds the squared distance of each vector from the basis so far.
		pivot := -1
		for _, j := range s.used {
			if gram[j][j] > independent && (pivot < 0 || gram[j][j] > gram[pivot][pivot]) {
				pivot = j
			}
		}
		if pivot < 0 {
			break
		}
		row := make([]float64, k)
		length := math.Sqrt(gram[pivot][pivot])
		for _, j := range s.used {
			row[j] = gram[pivot][j] / length
		}
		for a, i := range s.used {
			for _, j := range s.used[a:] {
				gram[i][j] -= row[i] * row[j]
				gram[j][i] = gram[i][j]
			}
		}
		gram[pivot][pivot] = 0
		s.picked = append(s.picked, pivot)
		s.factor = append(s.factor, row)
	}
	return s
}

// rank returns the dimension of the span.
func (s *span) rank() int { return len(s.picked) }

// dimension returns the number of coordinates: the rank, plus one if there is anything
// outside the span.
func (s *span) dimension() int { return min(s.rank()+1, len(s.vectors[0])) }

// coordinates returns the coordinates of combinations of terms.
func (s *span) coordinates(combinations [][]float64) [][]float64 {
	out := matrix(len(combinations), s.dimension())
	for c, combination := range combinations {
		for i, row := range s.factor {
			for _, j := range s.used {
				out[c][i] += row[j] * combination[j]
			}
		}
	}
	return out
}

// cosines computes the cosines of a point, given in coordinates, to all terms.
func (s *span) cosines(point, out []float64) {
	for _, j := range s.used {
		out[j] = 0
		for i, row := range s.factor {
			out[j] += row[j] * point[i]
		}
	}
}

// full converts the coordinates of a unit point to a unit vector in the original dimension.
func (s *span) full(point []float64) []float32 {
	out := make([]float32, len(s.vectors[0]))
	s.addFull(out, point, 1)
	if s.dimension() > s.rank() && point[s.rank()] != 0 {
		s.addOutside(out, point[s.rank()])
	}
	// Rounding costs a few digits of a float32, unless the vectors were nearly dependent and
	// large multiples cancelled.
	if last := s.rank() - 1; s.factor[last][s.picked[last]] < 0.01 {
		scale := float32(1 / math.Sqrt(vec.Dot64(out, out)))
		for i := range out {
			out[i] *= scale
		}
	}
	return out
}

// addFull adds a multiple of the vector with the given coordinates in the span.
func (s *span) addFull(dst []float32, point []float64, scale float64) {
	// The basis is V·R⁻¹ for the picked vectors V and their own triangular
	// factor R; solve R·weights = point.
	weights := slices.Clone(point[:s.rank()])
	for i := s.rank() - 1; i >= 0; i-- {
		weights[i] /= s.factor[i][s.picked[i]]
		for r := range i {
			weights[r] -= s.factor[r][s.picked[i]] * weights[i]
		}
	}
	for i, j := range s.picked {
		vec.AddScaled(dst, s.vectors[j], float32(scale*weights[i]))
	}
}

// addOutside adds a multiple of a unit vector orthogonal to the span.
func (s *span) addOutside(dst []float32, scale float64) {
	// Choose the axis with the smallest projection to the span; the average is rank/d.
	within := make([]float64, s.rank())
	axis, least := 0, math.Inf(1)
	for a := range dst {
		s.axis(a, within)
		if size := inner(within, within); size < least {
			axis, least = a, size
		}
		if least < 0.5 {
			break
		}
	}
	s.axis(axis, within)
	scale /= math.Sqrt(1 - least)
	dst[axis] += float32(scale)
	s.addFull(dst, within, -scale)
}

// matrix returns a matrix of zeros.
func matrix(rows, columns int) [][]float64 {
	m := make([][]float64, rows)
	for i := range m {
		m[i] = make([]float64, columns)
	}
	return m
}

// axis writes the coordinates of an axis's projection to the span: its inner products with
// the basis, by forward substitution in Rᵀ.
func (s *span) axis(a int, out []float64) {
	for i, j := range s.picked {
		sum := float64(s.vectors[j][a])
		for r := range i {
			sum -= s.factor[r][j] * out[r]
		}
		out[i] = sum / s.factor[i][j]
	}
}
