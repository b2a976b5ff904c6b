package milvus

import (
	"encoding/binary"
	"maps"
	"math"
	"slices"

	"github.com/nsfl-go/nsfl/engine/milvus/wire"
)

// Fields of several entities, as they are sent.

func texts(field string, values []string) *wire.FieldData {
	return scalars(field, wire.DataType_VarChar, textsOf(values))
}

func textsOf(values []string) *wire.ScalarField {
	return &wire.ScalarField{Data: &wire.ScalarField_StringData{StringData: &wire.StringArray{Data: values}}}
}

func scalars(field string, kind wire.DataType, values *wire.ScalarField) *wire.FieldData {
	return &wire.FieldData{FieldName: field, Type: kind, Field: &wire.FieldData_Scalars{Scalars: values}}
}

// vectors are those of a dimension.
func vectors(field string, dim int, values [][]float32) *wire.FieldData {
	flat := make([]float32, 0, dim*len(values))
	for _, v := range values {
		flat = append(flat, v...)
	}
	return &wire.FieldData{FieldName: field, Type: wire.DataType_FloatVector, Field: &wire.FieldData_Vectors{Vectors: &wire.VectorField{
		Dim: int64(dim), Data: &wire.VectorField_FloatVector{FloatVector: &wire.FloatArray{Data: flat}},
	}}}
}

// lists are arrays of texts.
func lists(field string, values [][]string) *wire.FieldData {
	rows := make([]*wire.ScalarField, len(values))
	for i, v := range values {
		rows[i] = textsOf(v)
	}
	return scalars(field, wire.DataType_Array, &wire.ScalarField{Data: &wire.ScalarField_ArrayData{
		ArrayData: &wire.ArrayArray{Data: rows, ElementType: wire.DataType_VarChar},
	}})
}

// objects are JSON.
func objects(field string, values [][]byte) *wire.FieldData {
	return scalars(field, wire.DataType_JSON, &wire.ScalarField{Data: &wire.ScalarField_JsonData{JsonData: &wire.BytesArray{Data: values}}})
}

// weights are a sparse vector: numbers of dimensions, and what stands there.
type weights map[uint32]float32

// packed is a sparse vector as it is sent: by the numbers of its dimensions.
func (w weights) packed() []byte {
	var b []byte
	for _, at := range slices.Sorted(maps.Keys(w)) {
		b = binary.LittleEndian.AppendUint32(b, at)
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(w[at]))
	}
	return b
}

// everywhere is a dimension that no piece has and every document: a sparse vector of nothing
// is none.
const everywhere = 1 << 16

// sparse are pieces of words as vectors that have 1 where a piece is.
func sparse(field string, values [][]uint16) *wire.FieldData {
	contents := make([][]byte, len(values))
	for i, pieces := range values {
		w := weights{everywhere: 1}
		for _, p := range pieces {
			w[uint32(p)] = 1
		}
		contents[i] = w.packed()
	}
	return &wire.FieldData{FieldName: field, Type: wire.DataType_SparseFloatVector, Field: &wire.FieldData_Vectors{Vectors: &wire.VectorField{
		Dim: everywhere + 1, Data: &wire.VectorField_SparseFloatVector{SparseFloatVector: &wire.SparseFloatArray{Contents: contents, Dim: everywhere + 1}},
	}}}
}
