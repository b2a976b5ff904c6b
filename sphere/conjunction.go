package sphere

import (
	"math"
	"math/bits"
	"slices"
)

// conjunction is the problem max over unit x of min_i ⟨x, p_i⟩ + Σ_j ⟨x, l_j⟩·⟨x, r_j⟩, in
// the coordinates of the span.
type conjunction struct {
	linear, left, right [][]float64

	best      []float64
	bestValue float64
}

// maxPieces limits the enumeration of active sets; larger formulas use the search.
const maxPieces = 6

// solve returns the direction of the global maximum, or nil if the enumeration would be
// too large.
func (c *conjunction) solve() []float64 {
	if len(c.left) == 0 {
		x := make([]float64, len(c.linear[0]))
		combine(c.linear, nearest(c.linear), x)
		if inner(x, x) > 1e-18 {
			return x
		}
		// The origin lies in the hull: no direction is good for all pieces. The least bad one
		// is found below, like any other maximum.
	}
	if len(c.linear) > maxPieces {
		return nil
	}
	c.bestValue = math.Inf(-1)
	c.best = make([]float64, len(c.linear[0]))
	// Usually two pieces balance, or else there is only one; both cases can prove that
	// nothing is better.
	for _, size := range []int{2, 1, 3, 4, 5, maxPieces} {
		if c.sets(size) {
			break
		}
	}
	return c.best
}

// sets tries all sets of a size. It reports whether one of them ended the search.
func (c *conjunction) sets(size int) (done bool) {
	for set := 1; set < 1<<len(c.linear); set++ {
		if bits.OnesCount(uint(set)) == size && c.active(set) {
			return true
		}
	}
	return false
}

// value returns the objective at x and the smallest piece there.
func (c *conjunction) value(x []float64) (value float64, least int) {
	lowest := math.Inf(1)
	for i, p := range c.linear {
		if v := inner(x, p); v < lowest {
			lowest, least = v, i
		}
	}
	for j := range c.left {
		lowest += inner(x, c.left[j]) * inner(x, c.right[j])
	}
	return lowest, least
}

// active finds the maxima at which exactly the pieces of a set are the smallest. On the
// subspace where those are equal the objective is one quadratic, since all pieces share the
// products. Every maximum of the objective is a local maximum of such a quadratic, so the
// best over all sets is global.
//
// It reports whether the search can end because a maximum is proven to be global.
func (c *conjunction) active(set int) (done bool) {
	dimension := len(c.linear[0])
	first, last := -1, -1
	equal := basis{make([][]float64, 0, len(c.linear))} // the differences of the pieces; x is orthogonal to them
	for i, p := range c.linear {
		if set&(1<<i) == 0 {
			continue
		}
		last = i
		if first < 0 {
			first = i
			continue
		}
		difference := slices.Clone(p)
		addScaled(difference, c.linear[first], -1)
		if !equal.add(difference, nil) {
			return false // the same subspace as without this piece
		}
	}
	if len(equal.vectors) == dimension {
		return false
	}
	// The quadratic varies only along these directions. Those of the products come first,
	// so its matrix is zero outside their block.
	b := basis{make([][]float64, 0, 2*len(c.left)+1)}
	for j := range c.left {
		b.add(c.left[j], equal.vectors)
		b.add(c.right[j], equal.vectors)
	}
	b.add(c.linear[first], equal.vectors)
	n := len(b.vectors)
	q := quadratic{make([]float64, n, n+1), make([]float64, n, n+1)}
	rotation := c.diagonalize(b.vectors, q.lambda)
	for r, e := range b.vectors {
		along := inner(e, c.linear[first])
		for i := range n {
			q.b[i] += rotation[r][i] * along
		}
	}
	// Outside them it is constant: one more direction with eigenvalue zero, which the
	// maximum uses only if all other eigenvalues are negative.
	if n+len(equal.vectors) < dimension {
		q.lambda, q.b = append(q.lambda, 0), append(q.b, 0)
	}
	x := make([]float64, dimension)
	q.maxima(make([]float64, len(q.b)), func(y []float64, global bool) bool {
		clear(x)
		for r, e := range b.vectors {
			along := 0.0
			for i := range n {
				along += rotation[r][i] * y[i]
			}
			addScaled(x, e, along)
		}
		if len(y) > n && y[n] != 0 {
			addScaled(x, b.outside(equal.vectors, dimension), y[n])
		}
		v, least := c.value(x)
		if v > c.bestValue {
			c.bestValue = v
			copy(c.best, x)
		}
		done = global && (least == first || least == last) && set == 1<<first|1<<last && c.proven(x, first, last)
		return done
	})
	return done
}

// proven reports whether x, the global maximum of two pieces where they are equal (or of
// one piece), is the maximum of the objective. The objective never exceeds a mixture
// λ·f_a + (1−λ)·f_b. If x is stationary for some mixture, and its multiplier is at least the
// largest eigenvalue of the products, x is that mixture's global maximum.
func (c *conjunction) proven(x []float64, a, b int) bool {
	if a == b {
		return true // the multiplier is large enough by construction
	}
	// The gradient of f_b, and the share of f_a in the mixture that cancels the gradient
	// along their difference.
	gradient, difference := slices.Clone(c.linear[b]), slices.Clone(c.linear[a])
	top := 0.0
	for j := range c.left {
		l, r := c.left[j], c.right[j]
		addScaled(gradient, l, inner(r, x))
		addScaled(gradient, r, inner(l, x))
		top += (inner(l, r) + math.Sqrt(inner(l, l)*inner(r, r))) / 2
	}
	addScaled(difference, c.linear[b], -1)
	mixture := -inner(difference, gradient) / inner(difference, difference)
	return mixture >= 0 && mixture <= 1 && inner(x, gradient)/2 >= top
}

// diagonalize writes the eigenvalues of the products in a basis to lambda and returns the
// eigenvectors as columns.
func (c *conjunction) diagonalize(b [][]float64, lambda []float64) [][]float64 {
	n := len(b)
	a, v := matrix(n, n), matrix(n, n)
	l, r := make([]float64, n), make([]float64, n)
	for j := range c.left {
		for i, e := range b {
			l[i], r[i] = inner(e, c.left[j]), inner(e, c.right[j])
		}
		for i := range n {
			for k := range n {
				a[i][k] += (l[i]*r[k] + l[k]*r[i]) / 2
			}
		}
	}
	eigen(a, v)
	for i := range n {
		lambda[i] = a[i][i]
	}
	return v
}
