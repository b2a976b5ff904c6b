package weaviate

import (
	"encoding/binary"
	"math"

	"github.com/nsfl-go/nsfl/engine/weaviate/wire"
)

// vectorMessage returns the message that searches for the vector of a name, its components
// in little-endian order.
func vectorMessage(name string, v []float32) *wire.Vectors {
	return &wire.Vectors{Name: name, Type: wire.Vectors_VECTOR_TYPE_SINGLE_FP32, VectorBytes: appendVector(nil, v)}
}

func appendVector(b []byte, v []float32) []byte {
	for _, x := range v {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
	}
	return b
}

// readVector reads what appendVector has written.
func readVector(b []byte) []float32 {
	v := make([]float32, len(b)/4)
	for i := range v {
		v[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
	}
	return v
}
