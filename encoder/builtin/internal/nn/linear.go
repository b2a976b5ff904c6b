package nn

import "fmt"

// The layout of weights, which tools/kernels has under the same names.
const (
	tileTokens = 6  // tokens that a kernel takes at a time
	blockRows  = 64 // rows whose weights lie together
)

// leastGroup is the least of columns that are rounded by one step, and what all columns
// must be a multiple of; mostGroups is how many groups a row has where that is possible.
const leastGroup, mostGroups = 64, 6

// groupOf is how many of so many columns are rounded by one step: the wider a row is, the
// more, since every group costs time.
func groupOf(columns int) int {
	if group := columns / mostGroups; group%leastGroup == 0 && group&(group-1) == 0 {
		return group
	}
	return leastGroup
}

// Linear is a layer out = weights·x + bias. It is immutable.
type Linear struct {
	rows, columns int
	// A block's chunks of columns one after the other, in each of them its rows.
	weights      []int8
	chunk        int     // columns in a chunk
	sums         []int32 // of each block, group and row
	scales, bias []float32
}

// NewLinear lays out weights of int8, row by row, each with a scale. Rows and columns must
// be multiples of 64.
func NewLinear(codes []int8, scales, bias []float32) (*Linear, error) {
	rows := len(bias)
	if rows == 0 || rows%blockRows != 0 || len(scales) != rows || len(codes) == 0 || len(codes)%(rows*leastGroup) != 0 {
		return nil, fmt.Errorf("laying out %d weights for %d rows: want a multiple of %d rows and of %d columns", len(codes), rows, blockRows, leastGroup)
	}
	l := &Linear{rows: rows, columns: len(codes) / rows, weights: make([]int8, len(codes)), chunk: 2, scales: scales, bias: bias}
	if best == vnni {
		l.chunk = 4
	}
	group := groupOf(l.columns)
	chunks, groups := l.columns/l.chunk, l.columns/group
	l.sums = make([]int32, rows*groups)
	for row := range rows {
		block, within := row/blockRows, row%blockRows
		from := codes[row*l.columns:][:l.columns]
		for c := range chunks {
			to := ((block*chunks+c)*blockRows + within) * l.chunk
			copy(l.weights[to:to+l.chunk], from[c*l.chunk:])
		}
		for i, w := range from {
			l.sums[(block*groups+i/group)*blockRows+within] += int32(w)
		}
	}
	return l, nil
}

// Apply sets out, token by token, to what the layer makes of x.
func (l *Linear) Apply(out []float32, x *Rounded) {
	if x.columns != l.columns || len(out) != x.tokens*l.rows {
		panic(fmt.Sprintf("nn: %d tokens of %d columns into %d numbers by a layer of %d × %d", x.tokens, x.columns, len(out), l.rows, l.columns))
	}
	groups := l.columns / x.group
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
	const chunk = 2
	chunks := x.group / chunk
	for t := range n {
		row := out[t*stride:][:blockRows]
		clear(row)
		for g := range x.columns / x.group {
			codes := x.codes16[(first+t)*x.columns+g*x.group:][:x.group]
			step := x.steps[g*x.stride+first+t]
			var sums [blockRows]int32
			for c := range chunks {
				d0, d1 := int32(codes[chunk*c]), int32(codes[chunk*c+1])
				w := b.weights[(g*chunks+c)*blockRows*chunk:][:blockRows*chunk]
				for i := range sums {
					sums[i] += d0*int32(w[chunk*i]) + d1*int32(w[chunk*i+1])
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
