package ort

import (
	"fmt"
	"math"
	"strings"
	"unsafe"
)

// Type is the type of a tensor's elements, using ONNX's numbers.
type Type int32

// The supported element types.
const (
	Float32 Type = 1
	Int64   Type = 7
)

func (t Type) String() string {
	switch t {
	case Float32:
		return "float32"
	case Int64:
		return "int64"
	}
	return fmt.Sprintf("type %d of ONNX", int32(t))
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
