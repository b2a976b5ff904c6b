package sphere

import "math"

// span is the space that the used vectors of a formula span, with coordinates
// in an orthonormal basis of it.
type span struct {
	vectors [][]float32
	used    []int       // terms that count
	picked  []int       // those whose vectors make the basis, in order
	factor  [][]float64 // factor[i][j]: coordinate i of term j
}

// independent is the squared distance from the span of the others below which
// a vector counts as lying in it.
const independent = 1e-14

// newSpan factors the Gram matrix G of the used vectors into coordinates, by
// Cholesky with pivoting: G = factorᵀ·factor. Going by way of G costs k(k−1)/2
// dot products in d dimensions; all else happens in k. The vectors' lengths are
// taken to be 1 unless measure asks to compute them.
func newSpan(w *workspace, f Objective, vectors [][]float32, measure bool) *span {
	k := len(vectors)
	s := &span{vectors: vectors, used: make([]int, 0, k), picked: make([]int, 0, k)}
	for j := range k {
		if f.Uses(j) {
			s.used = append(s.used, j)
		}
	}
	gram := w.matrix(k, k)
	for a, i := range s.used {
		gram[i][i] = 1
		if measure {
			gram[i][i] = dot(vectors[i], vectors[i])
		}
		for _, j := range s.used[a+1:] {
			gram[i][j] = dot(vectors[i], vectors[j])
			gram[j][i] = gram[i][j]
		}
	}
	s.factor = w.list(k)
	for len(s.picked) < len(s.used) {
		// What is left of each vector outside the basis so far stands on the
		// diagonal.
		pivot := -1
		for _, j := range s.used {
			if gram[j][j] > independent && (pivot < 0 || gram[j][j] > gram[pivot][pivot]) {
				pivot = j
			}
		}
		if pivot < 0 {
			break
		}
		row := w.vector(k)
		length := math.Sqrt(gram[pivot][pivot])
		for _, j := range s.used {
			row[j] = gram[pivot][j] / length
		}
		for _, i := range s.used {
			for _, j := range s.used {
				gram[i][j] -= row[i] * row[j]
			}
		}
		gram[pivot][pivot] = 0
		s.picked = append(s.picked, pivot)
		s.factor = append(s.factor, row)
	}
	return s
}

// rank is the dimension of the span.
func (s *span) rank() int { return len(s.picked) }

// coordinates of combinations of terms.
func (s *span) coordinates(w *workspace, combinations [][]float64) [][]float64 {
	out := w.matrix(len(combinations), s.rank())
	for c, combination := range combinations {
		for i, row := range s.factor {
			for _, j := range s.used {
				out[c][i] += row[j] * combination[j]
			}
		}
	}
	return out
}

// cosines of a point in coordinates to all terms.
func (s *span) cosines(point, out []float64) {
	for _, j := range s.used {
		out[j] = 0
		for i, row := range s.factor {
			out[j] += row[j] * point[i]
		}
	}
}

// full turns the coordinates of a unit point into a vector of the original
// dimension and returns the squared length it came out with.
func (s *span) full(w *workspace, point []float64) (out []float32, length2 float64) {
	// The basis is V·R⁻¹ for the picked vectors V and their own triangular
	// factor R; solve R·weights = point.
	weights := w.copied(point)
	for i := s.rank() - 1; i >= 0; i-- {
		weights[i] /= s.factor[i][s.picked[i]]
		for r := range i {
			weights[r] -= s.factor[r][s.picked[i]] * weights[i]
		}
	}
	out = make([]float32, len(s.vectors[0]))
	for i, j := range s.picked {
		addScaled32(out, s.vectors[j], float32(weights[i]))
	}
	return out, dot(out, out)
}
