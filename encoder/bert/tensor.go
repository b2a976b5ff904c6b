package bert

import (
	"encoding/binary"
	"fmt"
	"math"
)

// tensor is an array of numbers in a file.
type tensor struct {
	kind       kind
	shape      []int
	data       []byte
	transposed bool // a matrix with a column per output
	// For quantized numbers: an element is scale·(code − zero). Both have one element or, for a
	// transposed matrix, one per output.
	scale, zero *tensor
}

// kind is the type of a tensor's elements.
type kind struct {
	size  int
	value func(b []byte) float32
}

var (
	int8s    = kind{1, func(b []byte) float32 { return float32(int8(b[0])) }}
	uint8s   = kind{1, func(b []byte) float32 { return float32(b[0]) }}
	float16s = kind{2, func(b []byte) float32 { return half(binary.LittleEndian.Uint16(b)) }}
	bfloats  = kind{2, func(b []byte) float32 {
		return math.Float32frombits(uint32(binary.LittleEndian.Uint16(b)) << 16)
	}}
	float32s = kind{4, func(b []byte) float32 { return math.Float32frombits(binary.LittleEndian.Uint32(b)) }}
)

// half converts a float16.
func half(h uint16) float32 {
	sign, exponent, fraction := uint32(h&0x8000)<<16, uint32(h>>10&0x1f), uint32(h&0x3ff)
	switch exponent {
	case 0:
		return math.Float32frombits(sign | math.Float32bits(float32(fraction)*0x1p-24))
	case 0x1f:
		return math.Float32frombits(sign | 0x7f800000 | fraction<<13)
	}
	return math.Float32frombits(sign | (exponent+112)<<23 | fraction<<13)
}

// count returns the number of elements, or an error if the data do not have as many.
func (t *tensor) count() (int, error) {
	n := 1
	for _, d := range t.shape {
		if d < 0 || d > 0 && n > math.MaxInt32/d {
			return 0, fmt.Errorf("the shape %v is too large", t.shape)
		}
		n *= d
	}
	if t.kind.size == 0 || len(t.data) != n*t.kind.size {
		return 0, fmt.Errorf("%d bytes do not fit the shape %v", len(t.data), t.shape)
	}
	return n, nil
}

// matrix returns the elements of a tensor of rows × columns, row by row.
func (t *tensor) matrix(rows, columns int) ([]float32, error) {
	n, err := t.count()
	if err != nil {
		return nil, err
	}
	shape := [2]int{1, n}
	if len(t.shape) == 2 {
		shape = [2]int(t.shape)
	}
	if t.transposed {
		shape[0], shape[1] = shape[1], shape[0]
	}
	if len(t.shape) > 2 || shape != [2]int{rows, columns} {
		return nil, fmt.Errorf("it has the shape %v, want %d × %d", t.shape, rows, columns)
	}
	scale, err := t.parameter(t.scale, rows, 1)
	if err != nil {
		return nil, fmt.Errorf("its scale: %w", err)
	}
	zero, err := t.parameter(t.zero, rows, 0)
	if err != nil {
		return nil, fmt.Errorf("its zero point: %w", err)
	}
	out := make([]float32, n)
	for r := range rows {
		row, at, step := out[r*columns:][:columns], r*columns, 1
		if t.transposed {
			at, step = r, rows
		}
		for c := range row {
			i := (at + c*step) * t.kind.size
			row[c] = (t.kind.value(t.data[i:i+t.kind.size]) - zero[r]) * scale[r]
		}
	}
	return out, nil
}

// parameter returns a scale or zero point for each row.
func (t *tensor) parameter(p *tensor, rows int, otherwise float32) ([]float32, error) {
	out := make([]float32, rows)
	n := 1
	if p != nil {
		var err error
		if n, err = p.count(); err != nil {
			return nil, err
		}
		if n != 1 && !(t.transposed && n == rows) {
			return nil, fmt.Errorf("%d numbers for %d rows", n, rows)
		}
	}
	for i := range out {
		if out[i] = otherwise; p != nil {
			at := i % n * p.kind.size
			out[i] = p.kind.value(p.data[at : at+p.kind.size])
		}
	}
	return out, nil
}
