package nn

import (
	"fmt"
	"math"
)

// levels is how many steps a group's numbers are apart at most.
const levels = 255

// Rounded is tokens whose numbers are rounded to integers, for linear layers. The zero
// value is empty; it keeps its memory from one use to the next.
type Rounded struct {
	tokens, columns int
	group           int // columns that are rounded by one step
	// A number is about steps·(code + zeros), with one step and one zero for each group of
	// a token's columns. The kernels with VNNI have codes of a byte, the others those of
	// two bytes, to which the zero is added already.
	codes8  []uint8
	codes16 []int16
	zeros   []int32   // not above 0, of each group and token
	steps   []float32 // of each group and token
	stride  int       // from one group to the next in both
}

// Set rounds tokens of as many columns, a multiple of 64, which must be finite.
func (r *Rounded) Set(x []float32, columns int) {
	if columns <= 0 || columns%leastGroup != 0 || len(x)%columns != 0 {
		panic(fmt.Sprintf("nn: %d numbers as tokens of %d columns", len(x), columns))
	}
	r.columns, r.tokens = columns, len(x)/columns
	r.group, r.stride = groupOf(columns), r.tokens
	groups := columns / r.group
	r.zeros, r.steps = grown(r.zeros, groups*r.stride), grown(r.steps, groups*r.stride)
	if best == vnni {
		r.codes8 = grown(r.codes8, len(x))
	} else {
		r.codes16 = grown(r.codes16, len(x))
	}
	for t := range r.tokens {
		round(r, t, x[t*columns:][:columns])
	}
}

// grown is a slice of n elements, s where that has room.
func grown[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}

// roundGo rounds a token.
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

// nearest is the integer next to x, the even one of two.
func nearest(x float32) int32 { return int32(math.RoundToEven(float64(x))) }
