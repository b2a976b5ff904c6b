package vec

import (
	"fmt"
	"math"
)

// MaxDim8 is the largest dimension of int8 rows. A query's components are rounded to int16
// of at most 2³¹/(128·d), so no sum of d products overflows int32; beyond MaxDim8 that would
// be coarser than the rows.
const MaxDim8 = 1 << 16

// width8 is the number of int16 in a register of the assembly.
const width8 = 16

// Quantize8 writes src to dst as integers from -127 to 127 and returns the scale: src[i] is
// scale·dst[i] to within scale/2. The scale of a zero vector is 0. The scale of a vector
// with a NaN or infinite component is NaN, which makes every estimate with it NaN. Quantize8
// panics if the lengths differ.
func Quantize8(dst []int8, src []float32) (scale float32) {
	if len(dst) != len(src) {
		panic(fmt.Sprintf("vec: codes of %d bytes for dimension %d", len(dst), len(src)))
	}
	top := largest(src)
	scale = top / 127
	if math.IsInf(float64(top), 1) {
		scale = float32(math.NaN())
	}
	if !(scale > 0) {
		clear(dst)
		return scale
	}
	inverse := 127 / float64(top)
	for i, x := range src {
		dst[i] = int8(math.RoundToEven(float64(x) * inverse))
	}
	return scale
}

// largest returns the largest magnitude in v, or NaN if v contains one.
func largest(v []float32) float32 {
	var top float32
	for _, x := range v {
		top = max(top, x, -x)
	}
	return top
}

// Queries8 holds one to eight query vectors packed for a single pass over int8 rows. It is
// immutable and safe for concurrent use.
type Queries8 struct {
	d, n   int
	groups []group8
}

type group8 struct {
	group[int16]
	scale [groupMax]float32
}

// Pack8 packs one to eight finite vectors of the same dimension, at most MaxDim8. Components
// are rounded to int16 and packed in whole chunks of width8. If elements are left, a last
// chunk covers the last sixteen elements of a row and is zero where it overlaps the previous
// chunk.
func Pack8(vs ...[]float32) (*Queries8, error) {
	d, err := dimension(vs)
	if err != nil {
		return nil, err
	}
	if d > MaxDim8 {
		return nil, fmt.Errorf("packing queries for int8 rows: dimension %d, want at most %d", d, MaxDim8)
	}
	q := &Queries8{d: d, n: len(vs)}
	size := (d + width8 - 1) / width8 * width8
	for first, n := range groups(len(vs)) {
		g := group8{group: group[int16]{first: first, n: n, packed: make([]int16, n*size)}}
		for j, v := range vs[first : first+n] {
			if g.scale[j], err = quantize16(g.packed[j*width8:], n*width8, v); err != nil {
				return nil, fmt.Errorf("packing query %d for int8 rows: %w", first+j, err)
			}
		}
		q.groups = append(q.groups, g)
	}
	return q, nil
}

// Slack8 bounds the error of the product of v and a coded row of length 1, as computed by
// Dots. A component of the row is off by up to half its scale, and a component of v by up
// to half its rounding step.
func Slack8(v []float32, scale float32) float32 {
	sum := 0.0
	for _, x := range v {
		sum += math.Abs(float64(x))
	}
	half, d := float64(scale)/2, float64(len(v))
	step := float64(largest(v)) / float64(limit16(len(v)))
	const rounding = 1e-5 // error of single precision
	return float32(sum*half + step/2*math.Sqrt(d)*(1+math.Sqrt(d)*half) + rounding)
}

// limit16 returns the largest magnitude of a rounded query component in dimension d.
func limit16(d int) int { return min(math.MaxInt16, math.MaxInt32/(128*d)) }

// quantize16 rounds v in double precision into zeroed memory.
func quantize16(packed []int16, stride int, v []float32) (scale float32, err error) {
	top := float64(largest(v))
	if math.IsNaN(top) || math.IsInf(top, 0) {
		return 0, ErrNotFinite
	}
	limit := float64(limit16(len(v)))
	if scale = float32(top / limit); scale == 0 {
		return 0, nil
	}
	whole := len(v) / width8 * width8
	for i, x := range v {
		at := i
		if i >= whole {
			at += whole + width8 - len(v)
		}
		packed[at/width8*stride+at%width8] = int16(math.RoundToEven(float64(x) / top * limit))
	}
	return scale, nil
}

// Dots sets out[j][i] to an estimate of the inner product of query j and the vector with
// code row i and scale scales[i], reading rows once. The integer product of the code and the
// rounded query is exact, followed by two roundings to float32. The shapes are those of
// Queries.Dots.
func (q *Queries8) Dots(out [][]float32, rows []int8, scales []float32) {
	n := rowCount(len(rows), q.d)
	checkColumns(out, q.n, n)
	checkScales(scales, n)
	step := blockRows(q.d)
	for at := 0; at < n; at += step {
		end := min(at+step, n)
		for i := range q.groups {
			g := &q.groups[i]
			dots8(out[g.first:g.first+g.n], at, g.packed, &g.scale, rows[at*q.d:end*q.d], scales[at:end], q.d)
		}
	}
}

func checkScales(scales []float32, n int) {
	if len(scales) != n {
		panic(fmt.Sprintf("vec: %d scales for %d rows", len(scales), n))
	}
}
