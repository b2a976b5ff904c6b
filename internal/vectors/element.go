package vectors

import (
	"encoding/binary"
	"math"
	"slices"
)

var little = binary.LittleEndian

// element describes how a number is stored in a file.
type element struct {
	size  int
	value func(b []byte) float32 // little-endian; nil: a float32
	big   bool                   // the bytes lie the other way round
}

var (
	int8s    = element{size: 1, value: func(b []byte) float32 { return float32(int8(b[0])) }}
	uint8s   = element{size: 1, value: func(b []byte) float32 { return float32(b[0]) }}
	float16s = element{size: 2, value: func(b []byte) float32 { return fromHalf(little.Uint16(b)) }}
	float32s = element{size: 4}
	float64s = element{size: 8, value: func(b []byte) float32 { return float32(math.Float64frombits(little.Uint64(b))) }}
)

// decode decodes the numbers in src, which it may modify.
func (e element) decode(dst []float32, src []byte) {
	if e.big {
		for b := range slices.Chunk(src, e.size) {
			slices.Reverse(b)
		}
	}
	for i := range dst {
		if e.value == nil { // what nearly all files hold
			dst[i] = math.Float32frombits(little.Uint32(src))
		} else {
			dst[i] = e.value(src)
		}
		src = src[e.size:]
	}
}

func fromHalf(h uint16) float32 {
	sign := uint32(h&0x8000) << 16
	exponent, fraction := uint32(h>>10&0x1f), uint32(h&0x3ff)
	switch exponent {
	case 0: // zero, or fraction·2⁻²⁴
		return math.Float32frombits(sign | math.Float32bits(float32(fraction)*0x1p-24))
	case 0x1f:
		return math.Float32frombits(sign | 0x7f800000 | fraction<<13)
	}
	return math.Float32frombits(sign | (exponent+112)<<23 | fraction<<13)
}
