package milvus

import (
	"context"

	"google.golang.org/protobuf/proto"

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

// objects are JSON.
func objects(field string, values [][]byte) *wire.FieldData {
	return scalars(field, wire.DataType_JSON, &wire.ScalarField{Data: &wire.ScalarField_JsonData{JsonData: &wire.BytesArray{Data: values}}})
}

// tell sends a request whose answer is only a status.
func (c *client) tell(ctx context.Context, method string, request proto.Message) error {
	return c.Ask(ctx, method, request, new(wire.Status))
}
