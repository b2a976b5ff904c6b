package weaviate

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/nsfl-go/nsfl/engine/pooling"
	"github.com/nsfl-go/nsfl/engine/weaviate/wire"
)

// The names of an object's vectors: of the whole document, and of its passages.
const (
	wholeVector    = "whole"
	passageVectors = "passages"
)

// vectorMessage is one vector as it is sent, its components in little-endian order.
func vectorMessage(v []float32) *wire.Vectors {
	return &wire.Vectors{Name: wholeVector, Type: wire.Vectors_VECTOR_TYPE_SINGLE_FP32, VectorBytes: appendVector(nil, v)}
}

// vectorsMessage is several in one, with their dimension, of 16 bits, before them.
func vectorsMessage(vs [][]float32) *wire.Vectors {
	b := make([]byte, 0, 2+4*len(vs)*len(vs[0]))
	b = binary.LittleEndian.AppendUint16(b, uint16(len(vs[0])))
	for _, v := range vs {
		b = appendVector(b, v)
	}
	return &wire.Vectors{Name: passageVectors, Type: wire.Vectors_VECTOR_TYPE_MULTI_FP32, VectorBytes: b}
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
	copyVector(v, b)
	return v
}

func copyVector(v []float32, b []byte) {
	for i := range v {
		v[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
	}
}

// decodeVectors reads the vectors of an object: the first is that of the whole,
// the others are those of passages.
func decodeVectors(messages []*wire.Vectors, dim int) ([][]float32, error) {
	var whole, passages []byte
	for _, m := range messages {
		switch m.GetName() {
		case wholeVector:
			whole = m.GetVectorBytes()
		case passageVectors:
			passages = m.GetVectorBytes()
		}
	}
	if len(whole) != 4*dim {
		return nil, fmt.Errorf("a stored vector has %d bytes, the collection's have %d", len(whole), 4*dim)
	}
	if len(passages) > 0 {
		if len(passages) < 2 || int(binary.LittleEndian.Uint16(passages)) != dim || (len(passages)-2)%(4*dim) != 0 {
			return nil, fmt.Errorf("the vectors of a document's passages have %d bytes, which are none of dimension %d", len(passages), dim)
		}
		passages = passages[2:]
	}
	rows := make([][]float32, 1+len(passages)/(4*dim))
	flat := make([]float32, len(rows)*dim)
	for i := range rows {
		rows[i] = flat[i*dim : (i+1)*dim : (i+1)*dim]
		source := whole
		if i > 0 {
			source = passages[(i-1)*4*dim:]
		}
		copyVector(rows[i], source)
		if err := pooling.CheckUnit(rows[i], dim); err != nil {
			return nil, err
		}
	}
	return rows, nil
}
