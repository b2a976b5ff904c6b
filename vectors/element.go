package vectors

import (
	"encoding/binary"
	"math"
)

// element is how a number lies in a file.
type element struct {
	size   int
	decode func(dst []float32, src []byte)
}

var little, big = binary.LittleEndian, binary.BigEndian

var (
	int8s  = element{1, func(dst []float32, src []byte) { each(dst, func(i int) float32 { return float32(int8(src[i])) }) }}
	uint8s = element{1, func(dst []float32, src []byte) { each(dst, func(i int) float32 { return float32(src[i]) }) }}
	int32s = element{4, func(dst []float32, src []byte) {
		each(dst, func(i int) float32 { return float32(int32(little.Uint32(src[4*i:]))) })
	}}
	bfloat16 = element{2, func(dst []float32, src []byte) {
		each(dst, func(i int) float32 { return math.Float32frombits(uint32(little.Uint16(src[2*i:])) << 16) })
	}}
	// This is what nearly all files hold, hence a loop without a function.
	float32s = element{4, func(dst []float32, src []byte) {
		for i := range dst {
			dst[i] = math.Float32frombits(little.Uint32(src))
			src = src[4:]
		}
	}}
)

// floats are those of IEEE 754 in a byte order.
type floats struct{ binary.ByteOrder }

func (order floats) f32() element {
	if order.ByteOrder == little {
		return float32s
	}
	return element{4, func(dst []float32, src []byte) {
		each(dst, func(i int) float32 { return math.Float32frombits(order.Uint32(src[4*i:])) })
	}}
}

func (order floats) f16() element {
	return element{2, func(dst []float32, src []byte) {
		each(dst, func(i int) float32 { return fromHalf(order.Uint16(src[2*i:])) })
	}}
}

func (order floats) f64() element {
	return element{8, func(dst []float32, src []byte) {
		each(dst, func(i int) float32 { return float32(math.Float64frombits(order.Uint64(src[8*i:]))) })
	}}
}

func each(dst []float32, value func(i int) float32) {
	for i := range dst {
		dst[i] = value(i)
	}
}
