package sphere

import "math"

// quadratic is q(y) = Σ b_i·y_i + Σ λ_i·y_i² on the unit sphere, in the
// eigencoordinates of its matrix: a trust-region problem with equality.
type quadratic struct {
	lambda []float64
	b      []float64
}

// maxima calls found with every local maximum, the global one first, until it returns true.
// Apart from mirror images there are at most two: the global one and one that is only local
// (Martínez 1994). At a stationary point y_i = b_i / (2(μ − λ_i)) for a multiplier μ that
// solves the secular equation Σ y_i² = 1. The global maximum has μ ≥ λ_top, the other has μ
// just below λ_top.
func (q quadratic) maxima(y []float64, found func(y []float64, global bool) (stop bool)) {
	top := 0
	for i, l := range q.lambda {
		if l > q.lambda[top] || l == q.lambda[top] && math.Abs(q.b[i]) > math.Abs(q.b[top]) {
			top = i
		}
	}
	if q.global(top, y, found) {
		return
	}
	if t, ok := q.local(top); ok {
		q.point(top, t, y)
		found(y, false)
	}
}

// negligible is a squared length indistinguishable from zero after rounding.
const negligible = 1e-28

// secular returns Σ y_i² and its derivative at μ = λ_top + t, without the terms for which b
// is negligible.
func (q quadratic) secular(top int, t float64) (sum, slope float64) {
	for i, b := range q.b {
		if b*b > negligible {
			gap := t + q.lambda[top] - q.lambda[i]
			y2 := b * b / (4 * gap * gap)
			sum += y2
			slope -= 2 * y2 / gap
		}
	}
	return sum, slope
}

func (q quadratic) point(top int, t float64, y []float64) {
	for i, b := range q.b {
		y[i] = 0
		if b*b > negligible {
			y[i] = b / (2 * (t + q.lambda[top] - q.lambda[i]))
		}
	}
}

func (q quadratic) global(top int, y []float64, found func([]float64, bool) bool) (stop bool) {
	// The component in the top eigenspace bounds the root from below.
	var inTop float64
	for i, b := range q.b {
		if q.lambda[i] == q.lambda[top] {
			inTop += b * b
		}
	}
	if inTop <= negligible {
		// The hard case: b has no component along the top eigenvector. If the other
		// components cannot fill the sphere, the eigenvector does, with either sign.
		if sum, _ := q.secular(top, 0); sum <= 1 {
			q.point(top, 0, y)
			rest := math.Sqrt(max(0, 1-sum))
			for _, sign := range []float64{1, -1} {
				y[top] = sign * rest
				if found(y, true) {
					return true
				}
			}
			return false
		}
	}
	// 1/√Σy² − 1 is nearly linear in t and concave: Newton's method approaches its root from
	// the left.
	t := math.Sqrt(inTop) / 2
	for range 60 {
		sum, slope := q.secular(top, t)
		if sum == 0 || slope == 0 {
			return false
		}
		step := 2 * sum * (1 - math.Sqrt(sum)) / slope
		t += step
		if math.Abs(step) <= 1e-15*(1+t) {
			break
		}
	}
	q.point(top, t, y)
	return found(y, true)
}

// local returns the multiplier, minus λ_top, of the maximum that is only local.
func (q quadratic) local(top int) (t float64, ok bool) {
	second := math.Inf(-1)
	for i, l := range q.lambda {
		if i != top {
			second = max(second, l)
		}
	}
	left := second - q.lambda[top]
	t = -math.Abs(q.b[top]) / 2
	if t*t <= negligible || left >= t {
		return 0, false
	}
	// Between the two largest eigenvalues Σy² is convex and increases to the right; Newton's
	// method goes left to its right root, if there is one.
	for range 100 {
		sum, slope := q.secular(top, t)
		if slope <= 0 {
			return 0, false
		}
		step := (sum - 1) / slope
		t -= step
		if t <= left {
			return 0, false
		}
		if step <= -1e-15*t {
			return t, true
		}
	}
	return 0, false
}
