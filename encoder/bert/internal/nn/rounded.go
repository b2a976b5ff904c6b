package nn

import (
	"fmt"
	"math"
)

// levels is the number of quantization steps between a group's minimum and maximum.
const levels = 255

// Rounded holds tokens quantized to integers, the input of linear layers. The zero value
// is empty. Set reuses its memory.
type Rounded struct {
	tokens, columns int
	group           int // columns that share a step and a zero point
	// A number is about steps·(code + zeros), with one step and one zero point per token
	// and group of columns. The VNNI kernels read byte codes; the others read two-byte codes
	// to which the zero point has already been added.
	codes8  []uint8
	codes16 []int16
	zeros   []int32   // not positive; per group and token
	steps   []float32 // per group and token
	stride  int       // distance between groups in zeros and steps
}

// Set quantizes tokens of the given number of columns, a multiple of 64. Values must be finite.
func (r *Rounded) Set(x []float32, columns int) {
	if columns <= 0 || columns%leastGroup != 0 || len(x)%columns != 0 {
		panic(fmt.Sprintf("nn: %d numbers as tokens of %d columns", len(x), columns))
	}
	r.columns, r.tokens = columns, len(x)/columns
	r.group, r.stride = groupOf(columns), r.tokens
	const beyond = Tile - 1 // kernels read whole tiles
	parameters, codes := columns/r.group*r.stride+beyond, len(x)+beyond*columns
	r.zeros, r.steps = grown(r.zeros, parameters), grown(r.steps, parameters)
	if best == vnni {
		r.codes8 = grown(r.codes8, codes)
	} else {
		r.codes16 = grown(r.codes16, codes)
	}
	for t := range r.tokens {
		round(r, t, x[t*columns:][:columns])
	}
}

// grown returns a slice of n elements, reusing s if it has the capacity.
func grown[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}

// roundGo quantizes one token.
func roundGo(r *Rounded, token int, row []float32) {
	for g := range len(row) / r.group {
		group := row[g*r.group:][:r.group]
		var lo, hi float32
		for _, x := range group {
			lo, hi = min(lo, x), max(hi, x)
		}
		span := hi - lo
		step, inverse := span/levels, levels/span
		if span < 1e-30 {
			step, inverse = 0, 0
		}
		zero := nearest(lo * inverse)
		codes := r.codes16[token*r.columns+g*r.group:][:r.group]
		for i, x := range group {
			codes[i] = int16(min(nearest(x*inverse), zero+levels))
		}
		r.zeros[g*r.stride+token], r.steps[g*r.stride+token] = zero, step
	}
}

// nearest rounds x to the nearest integer, ties to even.
func nearest(x float32) int32 { return int32(math.RoundToEven(float64(x))) }
