package milvus

import (
	"context"
	"encoding/json"
	"strconv"
	"testing"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/enginetest"
	"github.com/nsfl-go/nsfl/engine/milvus/wire"
)

// By an index the store finds at least this part of the exact answer.
const overlap = 0.99

// gathered are the parts of documents by which fields are filled.
func gathered[T any](docs []engine.Document, part func(i int, d *engine.Document) T) []T {
	out := make([]T, len(docs))
	for i := range docs {
		out[i] = part(i, &docs[i])
	}
	return out
}

func vectorsIn(docs []engine.Document, name string) *wire.FieldData {
	return vectors(name, len(docs[0].Vector), gathered(docs, func(_ int, d *engine.Document) []float32 { return d.Vector }))
}

func numbersOf(values []int64) *wire.ScalarField {
	return &wire.ScalarField{Data: &wire.ScalarField_LongData{LongData: &wire.LongArray{Data: values}}}
}

func primary(f *wire.FieldSchema) *wire.FieldSchema { f.IsPrimaryKey = true; return f }

func vectorsSchema(docs []engine.Document, name string) *wire.FieldSchema {
	return field(name, wire.DataType_FloatVector, "dim", strconv.Itoa(len(docs[0].Vector)))
}

// attacher attaches to what was made.
func attacher(t testing.TB, f *foreign, settings string) func(engine.Options) (enginetest.Store, error) {
	c := clientOf(t, sharedURL(t))
	at := enginetest.At(sharedURL(t), f.made(t, c)) + settings
	return func(o engine.Options) (enginetest.Store, error) { return Open(context.Background(), at, o) }
}

// loose is a collection with its texts in the dynamic field. Half of the entities have their
// metadata there, the others in a JSON column.
func loose(docs []engine.Document) *foreign {
	column := field("metadata", wire.DataType_JSON)
	column.Nullable = true
	inColumn := func(i int, d *engine.Document) bool { return i%2 == 0 && len(d.Metadata) > 0 }
	beside := objects("metadata", gathered(docs, func(i int, d *engine.Document) []byte {
		if inColumn(i, d) {
			return d.Metadata
		}
		return []byte("null")
	}))
	beside.ValidData = gathered(docs, inColumn)
	dynamic := objects(dynamicField, gathered(docs, func(i int, d *engine.Document) []byte {
		fields := map[string]json.RawMessage{}
		if len(d.Metadata) > 0 && !inColumn(i, d) {
			_ = json.Unmarshal(d.Metadata, &fields) // the suite's own
		}
		fields["headline"], _ = json.Marshal(d.Title)
		fields["body"], _ = json.Marshal(d.Text)
		out, _ := json.Marshal(fields)
		return out
	}))
	dynamic.IsDynamic = true
	return &foreign{
		schema: &wire.CollectionSchema{EnableDynamicField: true, Fields: []*wire.FieldSchema{
			primary(field("id", wire.DataType_VarChar, "max_length", "65535")), vectorsSchema(docs, "vector"), column,
		}},
		indexes: []*wire.CreateIndexRequest{indexed("vector", "HNSW", cosine)},
		rows:    len(docs),
		data: []*wire.FieldData{
			texts("id", gathered(docs, func(_ int, d *engine.Document) string { return d.ID })),
			vectorsIn(docs, "vector"), beside, dynamic,
		},
	}
}

func TestAttachedLoose(t *testing.T) {
	enginetest.Run(t, enginetest.Maker{
		Overlap: overlap, Unsearched: true, Slow: true, Mixed: true,
		Fill: func(t testing.TB, docs []engine.Document) func(engine.Options) (enginetest.Store, error) {
			return attacher(t, loose(docs), "&text=body&title=headline&metadata=metadata")
		},
	})
}

// library is a collection with numbers for keys, columns of several types, and an index of
// words; its vectors are compared by their inner products.
func library(docs []engine.Document) *foreign {
	body := field("body", wire.DataType_VarChar, "max_length", "1048576", "enable_analyzer", "true", "enable_match", "true")
	f := &foreign{
		schema: &wire.CollectionSchema{
			Fields: []*wire.FieldSchema{
				primary(field("pk", wire.DataType_Int64)), body, field("title", wire.DataType_VarChar, "max_length", "65535"),
				vectorsSchema(docs, "embedding"), field("sparse", wire.DataType_SparseFloatVector),
			},
			Functions: []*wire.FunctionSchema{{Name: "bm25", Type: wire.FunctionSchema_BM25, InputFieldNames: []string{"body"}, OutputFieldNames: []string{"sparse"}}},
		},
		indexes: []*wire.CreateIndexRequest{indexed("embedding", "FLAT", "IP"), indexed("sparse", "SPARSE_INVERTED_INDEX", "BM25")},
		rows:    len(docs),
		data: []*wire.FieldData{
			scalars("pk", wire.DataType_Int64, numbersOf(gathered(docs, func(_ int, d *engine.Document) int64 {
				n, _ := strconv.ParseInt(d.ID, 10, 64) // as the suite is told to have them
				return n
			}))),
			texts("body", gathered(docs, func(_ int, d *engine.Document) string { return d.Text })),
			texts("title", gathered(docs, func(_ int, d *engine.Document) string { return d.Title })),
			vectorsIn(docs, "embedding"),
		},
	}
	filled(f, docs, "n", wire.DataType_Int32, func(values []int32) *wire.ScalarField {
		return &wire.ScalarField{Data: &wire.ScalarField_IntData{IntData: &wire.IntArray{Data: values}}}
	})
	filled(f, docs, "even", wire.DataType_Bool, func(values []bool) *wire.ScalarField {
		return &wire.ScalarField{Data: &wire.ScalarField_BoolData{BoolData: &wire.BoolArray{Data: values}}}
	})
	filled(f, docs, "score", wire.DataType_Double, func(values []float64) *wire.ScalarField {
		return &wire.ScalarField{Data: &wire.ScalarField_DoubleData{DoubleData: &wire.DoubleArray{Data: values}}}
	})
	filled(f, docs, "name", wire.DataType_VarChar, textsOf)
	return f
}

// filled adds a field of the metadata, which a document need not have.
func filled[T any](f *foreign, docs []engine.Document, name string, kind wire.DataType, of func([]T) *wire.ScalarField) {
	schema := field(name, kind)
	if schema.Nullable = true; kind == wire.DataType_VarChar {
		schema.TypeParams = []*wire.KeyValuePair{pair("max_length", "65535")}
	}
	f.schema.Fields = append(f.schema.Fields, schema)
	var valid []bool
	values := gathered(docs, func(_ int, d *engine.Document) (value T) {
		var fields map[string]json.RawMessage
		_ = json.Unmarshal(d.Metadata, &fields) // the suite's own, or nothing
		valid = append(valid, fields[name] != nil)
		_ = json.Unmarshal(fields[name], &value)
		return value
	})
	data := scalars(name, kind, of(values))
	data.ValidData = valid
	f.data = append(f.data, data)
}

func numbered(i int) string { return strconv.Itoa(7*i - 50) }

func TestAttachedLibrary(t *testing.T) {
	enginetest.Run(t, enginetest.Maker{
		ID: numbered, Slow: true, Flat: true,
		Fill: func(t testing.TB, docs []engine.Document) func(engine.Options) (enginetest.Store, error) {
			return attacher(t, library(docs), "")
		},
	})
}
