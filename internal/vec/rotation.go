package vec

import (
	"math"
	"math/bits"
	"math/rand/v2"
)

// rotation is an orthogonal map of d dimensions that mixes each component into all others in
// O(d log d): rounds of random sign flips and a Hadamard transform over a power of two of
// the components, alternately the first and the last. It depends only on d and is part of
// the format of sign codes.
type rotation struct {
	block int       // largest power of two not above the dimension
	signs []float32 // ±1 for each round and component
}

const (
	rotationRounds = 4
	rotationSeed   = 0x6e73666c
)

func newRotation(d int) rotation {
	r := rotation{
		block: 1 << (bits.Len(uint(d)) - 1),
		signs: make([]float32, rotationRounds*d),
	}
	source := rand.NewPCG(rotationSeed, uint64(d))
	for i := range r.signs {
		r.signs[i] = 1 - 2*float32(source.Uint64()>>63)
	}
	return r
}

func (r rotation) apply(v []float32) {
	for round := range rotationRounds {
		for i, s := range r.signs[round*len(v) : (round+1)*len(v)] {
			v[i] *= s
		}
		if round%2 == 0 {
			hadamard(v[:r.block])
		} else {
			hadamard(v[len(v)-r.block:])
		}
	}
}

// hadamard multiplies v, whose length is a power of two, by the orthonormal
// Hadamard matrix.
func hadamard(v []float32) {
	for half := 1; half < len(v); half *= 2 {
		for i := 0; i < len(v); i += 2 * half {
			a, b := v[i:i+half], v[i+half:i+2*half]
			for k, x := range a {
				y := b[k]
				a[k], b[k] = x+y, x-y
			}
		}
	}
	norm := float32(1 / math.Sqrt(float64(len(v))))
	for i := range v {
		v[i] *= norm
	}
}
