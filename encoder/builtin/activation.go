package builtin

import (
	"math"

	"github.com/nsfl-go/nsfl/vec"
)

// normEpsilon keeps a constant row from being divided by zero, as in BERT.
const normEpsilon = 1e-12

// apply brings row to mean 0 and variance 1, then to the norm's own weight and
// bias. ones is as long as row.
func (n layerNorm) apply(row, ones []float32) {
	mean := vec.Dot(row, ones) / float32(len(row))
	for i := range row {
		row[i] -= mean
	}
	variance := float64(vec.Dot(row, row)) / float64(len(row))
	scale := float32(1 / math.Sqrt(variance+normEpsilon))
	weight, bias := n.weight[:len(row)], n.bias[:len(row)]
	for i, x := range row {
		row[i] = x*scale*weight[i] + bias[i]
	}
}

// softmax turns row, times scale, into shares that add up to 1.
func softmax(row []float32, scale float32) {
	top := row[0]
	for _, x := range row {
		top = max(top, x)
	}
	var sum float32
	for i, x := range row {
		row[i] = exp((x - top) * scale)
		sum += row[i]
	}
	inverse := 1 / sum
	for i := range row {
		row[i] *= inverse
	}
}

// exp is eˣ for x <= 0, to within 4e-7 of itself, and 0 below -87, where it would
// leave the normal numbers. x = k·ln 2 + r: the polynomial gives eʳ,
// the exponent 2ᵏ.
func exp(x float32) float32 {
	if !(x > -87) {
		return 0
	}
	const (
		log2e = 1.44269504088896341
		ln2Hi = 0.693359375 // its products with small integers are exact
		ln2Lo = -2.12194440e-4
	)
	k := float32(int32(x*log2e - 0.5))
	r := x - k*ln2Hi - k*ln2Lo
	p := ((((1.9875691500e-4*r+1.3981999507e-3)*r+8.3334519073e-3)*r+4.1665795894e-2)*r+1.6666665459e-1)*r + 5.0000001201e-1
	return math.Float32frombits(math.Float32bits(p*r*r+r+1) + uint32(int32(k))<<23)
}

// GELU, x·Φ(x), is interpolated between geluSteps values a unit. Its second
// derivative is below 0.8, so the error is below 0.1/geluSteps² = 1.6e-6: an
// activation is rounded to steps far larger before it meets the next weights.
const (
	geluSteps = 256
	geluEnd   = 6 // where GELU is x, and 0 on the other side, to within 1e-8
)

var geluTable = func() (table [2*geluEnd*geluSteps + 2]float32) {
	for i := range table {
		x := float64(i)/geluSteps - geluEnd
		table[i] = float32(x / 2 * math.Erfc(-x/math.Sqrt2))
	}
	return table
}()

// gelu applies GELU to all of x.
func gelu(x []float32) {
	for i, v := range x {
		switch {
		case v >= geluEnd:
		case v > -geluEnd:
			at := (v + geluEnd) * geluSteps
			k := int32(at)
			low, high := geluTable[k], geluTable[k+1]
			x[i] = low + (at-float32(k))*(high-low)
		default: // zero, and NaN for what is none
			x[i] = 0 * v
		}
	}
}
