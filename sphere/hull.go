package sphere

import "math"

// nearest returns the weights of the point nearest to the origin in the convex
// hull of points, by Wolfe's algorithm: grow an active set by the point that
// lies furthest below the current one, shrink it whenever the nearest point of
// its affine hull lies outside the convex hull.
//
// The maximum over unit x of min_i ⟨x, p_i⟩ is attained in that direction.
func nearest(points [][]float64) []float64 {
	n := len(points)
	weights := make([]float64, n)
	if n == 2 { // a closed form with one clamp
		a, b := points[0], points[1]
		aa, ab, bb := inner(a, a), inner(a, b), inner(b, b)
		if length := aa - 2*ab + bb; length > 0 {
			weights[1] = min(1, max(0, (aa-ab)/length))
		}
		weights[0] = 1 - weights[1]
		return weights
	}
	start := 0
	for i, p := range points {
		if inner(p, p) < inner(points[start], points[start]) {
			start = i
		}
	}
	weights[start] = 1
	active := make([]int, 1, n+1)
	active[0] = start
	x := make([]float64, len(points[0]))
	for range 50 * n {
		combine(points, weights, x)
		entering := 0
		for i := range points {
			if inner(x, points[i]) < inner(x, points[entering]) {
				entering = i
			}
		}
		xx := inner(x, x)
		if inner(x, points[entering]) >= xx-1e-14*(1+xx) || weights[entering] > 0 {
			return weights
		}
		active = append(active, entering)
		for {
			affine, ok := affineNearest(points, active)
			if !ok { // the new point adds no dimension
				return weights
			}
			step := 1.0
			for a, i := range active {
				if affine[a] <= 1e-15 {
					step = min(step, weights[i]/(weights[i]-affine[a]))
				}
			}
			kept := active[:0]
			before := len(active)
			for a, i := range active {
				weights[i] += step * (affine[a] - weights[i])
				if weights[i] > 1e-15 {
					kept = append(kept, i)
				} else {
					weights[i] = 0
				}
			}
			active = kept
			if len(active) == before || len(active) == 0 {
				break
			}
		}
	}
	return weights
}

// affineNearest returns the point nearest to the origin in the affine hull of the active
// points, as weights that sum to one.
func affineNearest(points [][]float64, active []int) ([]float64, bool) {
	// Minimize |Σ w_a p_a|² under Σ w_a = 1: solve (P Pᵀ + 1 1ᵀ)·w = 1 and
	// scale, which avoids the Lagrange multiplier.
	n := len(active)
	m := matrix(n, n+1)
	for a, i := range active {
		for b, j := range active {
			m[a][b] = 1 + inner(points[i], points[j])
		}
		m[a][n] = 1
	}
	for c := range n {
		pivot := c
		for r := c + 1; r < n; r++ {
			if math.Abs(m[r][c]) > math.Abs(m[pivot][c]) {
				pivot = r
			}
		}
		m[c], m[pivot] = m[pivot], m[c]
		if math.Abs(m[c][c]) < 1e-13 {
			return nil, false
		}
		for r := range n {
			if r != c {
				factor := m[r][c] / m[c][c]
				for k := c; k <= n; k++ {
					m[r][k] -= factor * m[c][k]
				}
			}
		}
	}
	var sum float64
	out := make([]float64, n)
	for c := range n {
		out[c] = m[c][n] / m[c][c]
		sum += out[c]
	}
	for c := range out {
		out[c] /= sum
	}
	return out, !math.IsNaN(sum) && sum != 0
}

// combine sets out to Σ weights_i·points_i.
func combine(points [][]float64, weights, out []float64) {
	clear(out)
	for i, w := range weights {
		if w != 0 {
			addScaled(out, points[i], w)
		}
	}
}

func inner(a, b []float64) float64 {
	var s float64
	for i, v := range a {
		s += v * b[i]
	}
	return s
}

func addScaled(dst, src []float64, s float64) {
	for i, v := range src {
		dst[i] += s * v
	}
}
