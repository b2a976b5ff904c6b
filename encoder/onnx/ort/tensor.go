package ort

import (
	"fmt"
	"math"
	"strings"
	"unsafe"
)

// Type is the type of a tensor's elements, using ONNX's numbers.
type Type int32

// The supported element types. Float16 occurs in outputs only, which are converted to
// float32.
const (
	Float32 Type = 1
	Int32   Type = 6
	Int64   Type = 7
	Float16 Type = 10
)

var typeNames = [...]string{
	"no tensor", "float32", "uint8", "int8", "uint16", "int16", "int32", "int64", "string", "bool",
	"float16", "float64", "uint32", "uint64", "complex64", "complex128", "bfloat16",
}

func (t Type) String() string {
	if t < 0 || int(t) >= len(typeNames) {
		return fmt.Sprintf("type %d", int32(t))
	}
	return typeNames[t]
}

// Port is an input or an output of a model.
type Port struct {
	Name  string
	Type  Type
	Shape []int64 // -1 for a variable size
}

func (p Port) String() string { return fmt.Sprintf("%s (%s %s)", p.Name, p.Type, dimensions(p.Shape)) }

// Tensor is the value of an input or output. One of the slices holds its elements in
// row-major order.
type Tensor struct {
	Name   string
	Shape  []int64
	Floats []float32
	Ints   []int64
	Int32s []int32
}

// memory returns the address, size in bytes and type of a tensor's elements. It fails if
// their number does not match the shape; ONNX Runtime checks the rest.
func (t *Tensor) memory() (data unsafe.Pointer, bytes uintptr, kind Type, err error) {
	n := 0
	switch {
	case t.Floats != nil:
		data, n, bytes, kind = pointer(t.Floats), len(t.Floats), 4, Float32
	case t.Ints != nil:
		data, n, bytes, kind = pointer(t.Ints), len(t.Ints), 8, Int64
	case t.Int32s != nil:
		data, n, bytes, kind = pointer(t.Int32s), len(t.Int32s), 4, Int32
	}
	want := int64(1)
	for _, d := range t.Shape {
		if d < 1 || d > math.MaxInt32 || want > math.MaxInt32 {
			return nil, 0, 0, fmt.Errorf("bad shape %s", dimensions(t.Shape))
		}
		want *= d
	}
	if int64(n) != want {
		return nil, 0, 0, fmt.Errorf("%d elements for the shape %s, want %d", n, dimensions(t.Shape), want)
	}
	return data, bytes * uintptr(n), kind, nil
}

// dimensions formats a shape as [2 ? 384].
func dimensions(shape []int64) string {
	var words []string
	for _, d := range shape {
		if d < 0 {
			words = append(words, "?")
		} else {
			words = append(words, fmt.Sprint(d))
		}
	}
	return "[" + strings.Join(words, " ") + "]"
}

// half converts a 16-bit float: one sign bit, five exponent bits, ten fraction bits.
func half(h uint16) float32 {
	sign, exponent, fraction := uint32(h>>15)<<31, uint32(h>>10)&31, uint32(h)&1023
	switch exponent {
	case 0: // zero or subnormal
		x := float32(fraction) / (1 << 24)
		return math.Float32frombits(math.Float32bits(x) | sign)
	case 31: // infinity or NaN
		return math.Float32frombits(sign | 255<<23 | fraction<<13)
	}
	return math.Float32frombits(sign | (exponent+127-15)<<23 | fraction<<13)
}
