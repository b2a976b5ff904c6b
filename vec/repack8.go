package vec

import (
	"fmt"
	"math"
)

// Repack packs one to eight finite vectors of one dimension, as Pack8 does,
// into the memory of q, which must not be in use; the zero Queries8 will do.
// It is for callers that pack more often than they scan: components are rounded
// in single precision and may differ from Pack8's by one.
func (q *Queries8) Repack(vs ...[]float32) error {
	d, err := dimension(vs)
	if err != nil {
		return err
	}
	if d > MaxDim8 {
		return fmt.Errorf("packing queries for int8 rows: dimension %d, want at most %d", d, MaxDim8)
	}
	q.d, q.n = d, len(vs)
	if cap(q.groups) == 0 {
		q.groups = make([]group8, 0, MaxQueries/groupMax)
	}
	q.groups = q.groups[:0]
	size := (d + width8 - 1) / width8 * width8
	for first, n := range groups(len(vs)) {
		q.groups = q.groups[:len(q.groups)+1]
		g := &q.groups[len(q.groups)-1]
		g.first, g.n = first, n
		if cap(g.packed) < n*size {
			g.packed = make([]int16, groupMax*size)
		}
		g.packed = g.packed[:n*size]
		for j, v := range vs[first : first+n] {
			if g.scale[j], err = repack16(g.packed[j*width8:], n*width8, v); err != nil {
				return fmt.Errorf("packing query %d for int8 rows: %w", first+j, err)
			}
		}
	}
	return nil
}

// repack16 rounds v to int16 and lays it out as quantize16 and interleave do:
// chunks of width8 that lie stride apart.
func repack16(packed []int16, stride int, v []float32) (scale float32, err error) {
	var top uint32 // magnitudes of floats compare as their bits do
	for _, x := range v {
		top = max(top, math.Float32bits(x)&^(1<<31))
	}
	if top >= 0x7f800000 {
		return 0, ErrNotFinite
	}
	limit := min(math.MaxInt16, math.MaxInt32/(128*len(v)))
	scale = math.Float32frombits(top) / float32(limit)
	inverse := 1 / scale
	if scale == 0 || math.IsInf(float64(inverse), 1) {
		scale, inverse = 0, 0
	}
	for len(v) >= width8 {
		rounded16((*[width8]int16)(packed), (*[width8]float32)(v), inverse)
		packed, v = packed[min(stride, len(packed)):], v[width8:]
	}
	if len(v) > 0 { // the last chunk meets the last sixteen of a row
		var last [width8]float32
		copy(last[width8-len(v):], v)
		rounded16((*[width8]int16)(packed), &last, inverse)
	}
	return scale, nil
}

// rounded16 rounds inverse·v to the nearest integers, to even ones in between:
// a float of 1.5·2²³ more has them in its low bits. The conversion keeps the
// compiler from fusing the addition, which would round otherwise.
func rounded16(packed *[width8]int16, v *[width8]float32, inverse float32) {
	const shift = 3 << 22
	for i, x := range v {
		packed[i] = int16(math.Float32bits(float32(x*inverse) + shift))
	}
}
