package nn

import "fmt"

// The layout of weights, which tools/kernels has under the same names.
const (
	blockRows    = 64  // rows whose weights lie together
	groupColumns = 128 // columns that are rounded by one step
	chunkColumns = 4   // columns that lie together
	tileTokens   = 6   // tokens that a kernel takes at a time
)

// Linear is a layer out = weights·x + bias. It is immutable.
type Linear struct {
	rows, columns int
	// A block's chunks one after the other, in each of them its rows.
	weights      []int8
	sums         []int32 // of each block, group and row
	scales, bias []float32
}

// NewLinear lays out weights of int8, row by row, each with a scale. Their rows must be a
// multiple of 64, their columns of 128.
func NewLinear(codes []int8, scales, bias []float32) (*Linear, error) {
	rows := len(bias)
	if rows == 0 || rows%blockRows != 0 || len(scales) != rows || len(codes) == 0 || len(codes)%(rows*groupColumns) != 0 {
		return nil, fmt.Errorf("laying out %d weights for %d rows: want a multiple of %d rows and of %d columns", len(codes), rows, blockRows, groupColumns)
	}
	l := &Linear{rows: rows, columns: len(codes) / rows, weights: make([]int8, len(codes)), scales: scales, bias: bias}
	chunks, groups := l.columns/chunkColumns, l.columns/groupColumns
	l.sums = make([]int32, rows*groups)
	for row := range rows {
		block, within := row/blockRows, row%blockRows
		from := codes[row*l.columns:][:l.columns]
		for c := range chunks {
			to := ((block*chunks+c)*blockRows + within) * chunkColumns
			*(*[chunkColumns]int8)(l.weights[to:]) = [chunkColumns]int8(from[c*chunkColumns:])
		}
		for i, w := range from {
			l.sums[(block*groups+i/groupColumns)*blockRows+within] += int32(w)
		}
	}
	return l, nil
}

// Rows is how many numbers the layer makes of a token.
func (l *Linear) Rows() int { return l.rows }

// Apply sets out, token by token, to what the layer makes of x.
func (l *Linear) Apply(out []float32, x *Rounded) {
	if x.columns != l.columns || len(out) != x.tokens*l.rows {
		panic(fmt.Sprintf("nn: %d tokens of %d columns into %d numbers by a layer of %d × %d", x.tokens, x.columns, len(out), l.rows, l.columns))
	}
	groups := l.columns / groupColumns
	for block := range l.rows / blockRows {
		at := block * blockRows
		b := blockOf{
			weights: l.weights[at*l.columns:][:blockRows*l.columns],
			sums:    l.sums[at*groups:][:blockRows*groups],
			scales:  l.scales[at:][:blockRows],
			bias:    l.bias[at:][:blockRows],
		}
		for first := 0; first < x.tokens; first += tileTokens {
			linear(out[first*l.rows+at:], l.rows, &b, x, first, min(tileTokens, x.tokens-first))
		}
	}
}

// blockOf is a block of a layer's rows.
type blockOf struct {
	weights      []int8
	sums         []int32
	scales, bias []float32
}

// linearGo sets n numbers' rows of out, stride apart, to a block's value at as many tokens
// from first on.
func linearGo(out []float32, stride int, b *blockOf, x *Rounded, first, n int) {
	const chunks = groupColumns / chunkColumns
	for t := range n {
		row := out[t*stride:][:blockRows]
		clear(row)
		for g := range x.columns / groupColumns {
			codes := x.codes16[(first+t)*x.columns+g*groupColumns:][:groupColumns]
			step := x.steps[g*x.stride+first+t]
			var sums [blockRows]int32
			for c := range chunks {
				d0, d1, d2, d3 := int32(codes[4*c]), int32(codes[4*c+1]), int32(codes[4*c+2]), int32(codes[4*c+3])
				w := b.weights[(g*chunks+c)*blockRows*chunkColumns:][:blockRows*chunkColumns]
				for i := range sums {
					sums[i] += d0*int32(w[4*i]) + d1*int32(w[4*i+1]) + d2*int32(w[4*i+2]) + d3*int32(w[4*i+3])
				}
			}
			for i, s := range sums {
				row[i] += float32(float32(s) * step) // the conversion keeps the compiler from fusing
			}
		}
		for i, s := range b.scales {
			row[i] = float32(row[i]*s) + b.bias[i]
		}
	}
}
