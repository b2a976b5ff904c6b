package nn

import "fmt"

// The layout of weights. tools/kernels defines the same names.
const (
	Tile      = 6  // tokens, or rows of a product, per kernel call
	blockRows = 64 // rows per block of weights
)

// leastGroup is the smallest number of columns quantized with one scale, and the number
// of columns must be a multiple of it. mostGroups is the preferred number of groups in a row.
const leastGroup, mostGroups = 64, 6

// groupOf returns how many columns share one scale. Wider rows have wider groups, since
// every group costs time.
func groupOf(columns int) int {
	if group := columns / mostGroups; group%leastGroup == 0 && group&(group-1) == 0 {
		return group
	}
	return leastGroup
}

// Linear is a layer out = weights·x + bias. It is immutable.
type Linear struct {
	rows, columns int
	// For each block, chunks of columns in order; within a chunk, its rows.
	weights      []int8
	chunk        int     // columns in a chunk
	sums         []int32 // per block, group and row
	scales, bias []float32
}

// NewLinear lays out int8 weights, given row by row with a scale for each row. Rows and
// columns must be multiples of 64.
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

// Apply computes the layer's output for each token of x.
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
		for first := 0; first < x.tokens; first += Tile {
			first = min(first, max(x.tokens-Tile, 0)) // a whole tile is faster, although it computes some tokens again
			linear(out[first*l.rows+at:], l.rows, &b, x, first, min(Tile, x.tokens-first))
		}
	}
}

// blockOf is a block of a layer's rows.
type blockOf struct {
	weights      []int8
	sums         []int32
	scales, bias []float32
}

// linearGo computes a block's rows for n tokens starting at first. Output rows are
// stride apart.
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
				row[i] += float32(float32(s) * step) // the conversion prevents a fused multiply-add
			}
		}
		for i, s := range b.scales {
			row[i] = float32(row[i]*s) + b.bias[i]
		}
	}
}
