package ort

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// Type is the type of a tensor's elements, by ONNX's number.
type Type int32

// The types that tensors can have here. Float16 is a type of results only, which
// become float32.
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
	Shape []int64 // -1 where any size will do
}

func (p Port) String() string { return fmt.Sprintf("%s (%s %s)", p.Name, p.Type, dimensions(p.Shape)) }

// Tensor is the value of an input or an output. One of the slices holds its
// elements, row by row.
type Tensor struct {
	Name   string
	Shape  []int64
	Floats []float32
	Ints   []int64
	Int32s []int32
}

// elements are a tensor's type and the number of its elements; an error unless
// exactly one slice is set.
func (t *Tensor) elements() (kind Type, n int, err error) {
	set := 0
	for _, slice := range []struct {
		kind Type
		n    int
		set  bool
	}{
		{Float32, len(t.Floats), t.Floats != nil},
		{Int64, len(t.Ints), t.Ints != nil},
		{Int32, len(t.Int32s), t.Int32s != nil},
	} {
		if slice.set {
			kind, n = slice.kind, slice.n
			set++
		}
	}
	if set != 1 {
		return 0, 0, fmt.Errorf("%d of Floats, Ints and Int32s are set, want one", set)
	}
	return kind, n, nil
}

// fits is an error unless a tensor can be given to a port.
func (t *Tensor) fits(p Port) error {
	kind, n, err := t.elements()
	if err != nil {
		return err
	}
	if p.Type != Float32 && p.Type != Int64 && p.Type != Int32 {
		return fmt.Errorf("the model wants %s there, which is not supported; use one that takes float32, int64 or int32", p.Type)
	}
	if kind != p.Type {
		return fmt.Errorf("its elements are %s, the model wants %s", kind, p.Type)
	}
	if len(t.Shape) != len(p.Shape) || slices.ContainsFunc(t.Shape, func(d int64) bool { return d < 1 }) {
		return fmt.Errorf("its shape is %s, the model wants %s with no size below 1", dimensions(t.Shape), dimensions(p.Shape))
	}
	product := int64(1)
	for i, d := range t.Shape {
		if p.Shape[i] >= 0 && d != p.Shape[i] {
			return fmt.Errorf("its shape is %s, the model wants %s", dimensions(t.Shape), dimensions(p.Shape))
		}
		if d > math.MaxInt32 || product > math.MaxInt32 {
			return fmt.Errorf("its shape %s is too large", dimensions(t.Shape))
		}
		product *= d
	}
	if product != int64(n) {
		return fmt.Errorf("%d elements for the shape %s, want %d", n, dimensions(t.Shape), product)
	}
	return nil
}

// dimensions prints a shape as [2 ? 384].
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

// half is the value of a number of 16 bits: one of sign, five of exponent, ten of
// fraction.
func half(h uint16) float32 {
	sign, exponent, fraction := uint32(h>>15)<<31, uint32(h>>10)&31, uint32(h)&1023
	switch exponent {
	case 0: // zero, or less than the least number with all its digits
		x := float32(fraction) / (1 << 24)
		return math.Float32frombits(math.Float32bits(x) | sign)
	case 31: // infinite, or not a number
		return math.Float32frombits(sign | 255<<23 | fraction<<13)
	}
	return math.Float32frombits(sign | (exponent+127-15)<<23 | fraction<<13)
}
