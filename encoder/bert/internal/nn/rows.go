package nn

import (
	"fmt"
	"math"
)

// lanes is the number that row lengths must be a multiple of.
const lanes = 8

func checkLanes(n int) {
	if n%lanes != 0 {
		panic(fmt.Sprintf("nn: a row of %d numbers, want a multiple of %d", n, lanes))
	}
}

// Matrix is a matrix whose rows start Stride numbers apart.
type Matrix struct {
	Data   []float32
	Stride int
}

// productWidth is the number that the columns of a product must be a multiple of.
const productWidth = 16

// Product sets the first columns of c's rows to a·b, where a's rows and b's columns
// have k numbers.
func Product(c, a, b Matrix, rows, k, columns int) {
	if columns%productWidth != 0 {
		panic(fmt.Sprintf("nn: a product of %d columns, want a multiple of %d", columns, productWidth))
	}
	if rows == 0 || k == 0 || columns == 0 {
		return
	}
	// Touch the last elements: a slice that is too short panics here.
	_, _, _ = c.Data[(rows-1)*c.Stride+columns-1], a.Data[(rows-1)*a.Stride+k-1], b.Data[(k-1)*b.Stride+columns-1]
	for first := 0; first < rows; first += Tile {
		if rows >= Tile {
			first = min(first, rows-Tile) // a whole tile is faster, although it computes some rows again
		}
		product(Matrix{c.Data[first*c.Stride:], c.Stride}, Matrix{a.Data[first*a.Stride:], a.Stride}, b, min(Tile, rows-first), k, columns)
	}
}

func productGo(c, a, b Matrix, rows, k, columns int) {
	for i := range rows {
		out := c.Data[i*c.Stride:][:columns]
		clear(out)
		for j, x := range a.Data[i*a.Stride:][:k] {
			for l, y := range b.Data[j*b.Stride:][:columns] {
				out[l] += x * y
			}
		}
	}
}

// Softmax replaces the first n numbers of each row of m by the softmax of the numbers
// times scale. The row must extend to the next multiple of 16; that padding is overwritten.
func Softmax(m Matrix, rows, n int, scale float32) {
	wide := (n + productWidth - 1) / productWidth * productWidth
	for i := range rows {
		row := m.Data[i*m.Stride:][:wide]
		for j := n; j < wide; j++ {
			row[j] = float32(math.Inf(-1))
		}
		softmax(row, scale)
	}
}

func softmaxGo(row []float32, scale float32) {
	top := row[0]
	for _, x := range row {
		top = max(top, x)
	}
	var sums [lanes]float32
	for i, x := range row {
		row[i] = exp((x - top) * scale)
		sums[i%lanes] += row[i]
	}
	inverse := 1 / total(&sums)
	for i := range row {
		row[i] *= inverse
	}
}

// total adds the running sums of the lanes in the same order as the kernels.
func total(s *[lanes]float32) float32 {
	return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]))
}

// exp returns eˣ for x <= 0 with a relative error below 4e-7, and e⁻⁸⁷ below -87. With
// x = k·ln 2 + r, the polynomial gives eʳ and the exponent bits 2ᵏ.
func exp(x float32) float32 {
	const (
		ln2Hi = 0.693359375 // its products with small integers are exact
		ln2Lo = -2.12194440e-4
	)
	x = max(x, -87)
	k := float32(math.RoundToEven(float64(x * math.Log2E)))
	r := x - k*ln2Hi - k*ln2Lo
	p := ((((1.9875691500e-4*r+1.3981999507e-3)*r+8.3334519073e-3)*r+4.1665795894e-2)*r+1.6666665459e-1)*r + 5.0000001201e-1
	return math.Float32frombits(math.Float32bits(p*r*r+r+1) + uint32(int32(k))<<23)
}

// GELU applies x·Φ(x) to each x, to within 3e-7 or, for large x, a few roundings.
func GELU(x []float32) {
	checkLanes(len(x))
	if len(x) > 0 {
		gelu(x)
	}
}

// logit holds the coefficients of a polynomial p with Φ(x) ≈ 1/(1 + exp(-x·p(x²))), lowest
// power first. It minimizes the largest error of x·Φ(x) for |x| <= 6.5. Above 36, x² is
// replaced by 36.
var logit = [...]float32{
	1.5957729816436768, 0.07266166061162949, -6.309687887551263e-05, -0.00011106742749689147,
	7.983840987435542e-06, -2.6805321340361843e-07, 3.6065999076129174e-09,
}

func geluGo(x []float32) {
	for i, v := range x {
		square := min(v*v, 36)
		u := logit[len(logit)-1]
		for j := len(logit) - 2; j >= 0; j-- {
			u = u*square + logit[j]
		}
		u *= v
		power, above := exp(-max(u, -u)), v
		if u < 0 {
			above *= power
		}
		x[i] = above / (1 + power)
	}
}

// Expand sets out to codes times scale.
func Expand(out []float32, codes []int8, scale float32) {
	for i, c := range codes {
		out[i] = scale * float32(c)
	}
}

// AddNorm adds the rows of add to those of x, normalizes the first columns of each to mean 0
// and variance 1, and applies a weight and a bias per column. Rows start stride numbers apart.
// epsilon keeps a constant row from being divided by zero.
func AddNorm(x, add []float32, stride int, weight, bias []float32, epsilon float32) {
	n := len(weight)
	checkLanes(n)
	if n == 0 || n > stride || len(bias) != n || len(add) != len(x) || len(x)%stride != 0 {
		panic(fmt.Sprintf("nn: adding %d numbers to %d in rows of %d, of which %d and %d count", len(add), len(x), stride, n, len(bias)))
	}
	for at := 0; at < len(x); at += stride {
		addNorm(x[at:at+n], add[at:at+n], weight, bias, epsilon)
	}
}

func addNormGo(x, add, weight, bias []float32, epsilon float32) {
	var sums, squares [lanes]float32
	for i := range x {
		x[i] += add[i]
		sums[i%lanes] += x[i]
	}
	inverse := 1 / float32(len(x))
	mean := float32(total(&sums) * inverse) // rounded, so equal numbers have exactly their value as mean and variance 0
	for i, v := range x {
		squares[i%lanes] += (v - mean) * (v - mean)
	}
	scale := 1 / float32(math.Sqrt(float64(total(&squares)*inverse+epsilon)))
	for i, v := range x {
		x[i] = (v-mean)*scale*weight[i] + bias[i]
	}
}
