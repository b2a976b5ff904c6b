package vectors

import (
	"encoding/binary"
	"math"
	"slices"
)

var little = binary.LittleEndian

// element is how a number lies in a file.
type element struct {
	size  int
	value func(b []byte) float32 // little-endian; nil: a float32
	big   bool                   // the bytes lie the other way round
}

var (
	int8s     = element{size: 1, value: func(b []byte) float32 { return float32(int8(b[0])) }}
	uint8s    = element{size: 1, value: func(b []byte) float32 { return float32(b[0]) }}
	int32s    = element{size: 4, value: func(b []byte) float32 { return float32(int32(little.Uint32(b))) }}
	bfloat16s = element{size: 2, value: func(b []byte) float32 { return math.Float32frombits(uint32(little.Uint16(b)) << 16) }}
	float16s  = element{size: 2, value: func(b []byte) float32 { return fromHalf(little.Uint16(b)) }}
	float32s  = element{size: 4}
	float64s  = element{size: 8, value: func(b []byte) float32 { return float32(math.Float64frombits(little.Uint64(b))) }}
)

// decode reads the numbers in src, which it may change.
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
