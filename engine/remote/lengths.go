package remote

import (
	"math"
	"sync/atomic"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/vec"
)

// Lengths are those of stored vectors, as far as they were read. An index by inner product
// or by distance has the order of cosines only where all of them are 1. The zero value has
// seen none.
type Lengths struct{ off atomic.Uint64 } // the bits of the largest difference from 1

// Unit is a stored vector at length 1, scaled where it stands, or nil where it has no
// direction: what is zero is similar to nothing, and is not searched.
func (l *Lengths) Unit(v []float32) []float32 {
	off := math.Abs(vec.Norm(v) - 1)
	if engine.Unit(v) != nil {
		return nil
	}
	for {
		old := l.off.Load()
		if off <= math.Float64frombits(old) || l.off.CompareAndSwap(old, math.Float64bits(off)) {
			return v
		}
	}
}

// Slack is how far a cosine may be off that was told from an inner product or from a
// distance as if the lengths were 1; ok where they are, or nearly.
func (l *Lengths) Slack() (slack float64, ok bool) {
	const nearly, rounding = 1e-3, 1e-6
	off := math.Float64frombits(l.off.Load())
	// With the length r, 1 − d²/2 is off by (1−r²)/2 + (r−1)·cos.
	return 2*off + off*off + rounding, off < nearly
}
