package vec

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// Errors returned by Normalize.
var (
	ErrZero      = errors.New("vector is zero")
	ErrNotFinite = errors.New("vector has a component that is NaN or infinite")
)

// Dot returns the inner product of a and b. It panics if their lengths differ.
//
// It is computed in float32. With d elements, and as long as Σ|aᵢbᵢ| does not
// overflow, it differs from the true product by at most
// (d/8 + 6)·2⁻²⁴·Σ|aᵢbᵢ| + d·2⁻¹⁴⁹.
func Dot(a, b []float32) float32 {
	if len(a) != len(b) {
		panic(fmt.Sprintf("vec: product of dimensions %d and %d", len(a), len(b)))
	}
	if len(a) == 0 {
		return 0
	}
	if rest := len(b) % lanes; rest != 0 {
		b = append(slices.Clone(b), make([]float32, lanes-rest)...) // kernels read whole chunks of a query
	}
	var out [1]float32
	dots([][]float32{out[:]}, 0, b, a, len(a))
	return out[0]
}

// Dot64 returns the inner product of a and b, computed in double precision: it differs from
// the true product by at most 2⁻⁵³·d·Σ|aᵢbᵢ|. It panics if the lengths differ.
func Dot64(a, b []float32) float64 {
	if len(a) != len(b) {
		panic(fmt.Sprintf("vec: product of dimensions %d and %d", len(a), len(b)))
	}
	var s [16]float64 // running sums, so that additions need not wait for each other
	for len(a) >= len(s) {
		x, y := (*[len(s)]float32)(a), (*[len(s)]float32)(b)
		for i := range s {
			s[i] += float64(x[i]) * float64(y[i])
		}
		a, b = a[len(s):], b[len(s):]
	}
	var lane [4]float64
	for i := range lane {
		lane[i] = (s[i] + s[i+4]) + (s[i+8] + s[i+12])
	}
	sum := (lane[0] + lane[2]) + (lane[1] + lane[3])
	for i, x := range a {
		sum += float64(x) * float64(b[i])
	}
	return sum
}

// Norm returns the Euclidean length of v. Intermediate results neither overflow nor
// underflow.
func Norm(v []float32) float64 {
	return math.Sqrt(Dot64(v, v))
}

// Normalize scales v to length 1. If v has no direction, Normalize leaves it unchanged and
// returns ErrZero or ErrNotFinite.
func Normalize(v []float32) error {
	n := Norm(v)
	switch {
	case n == 0:
		return ErrZero
	case math.IsNaN(n) || math.IsInf(n, 0):
		return ErrNotFinite
	}
	for i, x := range v {
		v[i] = float32(float64(x) / n)
	}
	return nil
}

// AddScaled adds s times src to dst. It panics if their lengths differ.
func AddScaled(dst, src []float32, s float32) {
	if len(dst) != len(src) {
		panic(fmt.Sprintf("vec: sum of dimensions %d and %d", len(dst), len(src)))
	}
	for i, x := range src {
		dst[i] += float32(s * x) // the conversion prevents a fused multiply-add
	}
}
