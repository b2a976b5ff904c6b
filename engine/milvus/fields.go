package milvus

import (
	"strconv"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/milvus/wire"
)

// The fields of documents, passages and notes in a collection of our own.
const (
	keyField      = "key"      // a hash of the id, or of the name
	idField       = "document" // of a document its id, of a passage the key of its document
	titleField    = "title"
	textField     = "text"
	metadataField = "metadata"
	passagesField = "passages" // texts and places, as JSON
	vectorsField  = "vectors"  // those of passages
	piecesField   = "pieces"   // of the words
	boundsField   = "bounds"   // see bounds.go
	versionField  = "version"  // which passages belong to a document
	vectorField   = "vector"
	wordsField    = "words" // which pieces there are
	nameField     = "name"
	valueField    = "value"
)

// maxText is how long a text can be in Milvus, and maxTexts how many of them an array has:
// what may be longer is an array of texts.
const maxText, maxTexts = 65_535, 4096

func documentFields(dim int) []*wire.FieldSchema {
	fields := []*wire.FieldSchema{
		keySchema(keyLength), textSchema(idField, engine.MaxIDBytes), textSchema(versionField, versionLength),
		jsonSchema(boundsField), vectorSchema(vectorField, dim), {Name: wordsField, DataType: wire.DataType_SparseFloatVector},
	}
	for _, name := range []string{titleField, textField, metadataField, passagesField, vectorsField, piecesField} {
		fields = append(fields, longSchema(name))
	}
	return fields
}

func passageFields(dim int) []*wire.FieldSchema {
	return []*wire.FieldSchema{
		keySchema(passageKeyLength), textSchema(idField, keyLength), textSchema(versionField, versionLength),
		jsonSchema(boundsField), vectorSchema(vectorField, dim),
	}
}

// noteFields have a vector since Milvus wants one.
func noteFields() []*wire.FieldSchema {
	return []*wire.FieldSchema{keySchema(keyLength), longSchema(nameField), longSchema(valueField), vectorSchema(vectorField, noteDimension)}
}

func keySchema(length int) *wire.FieldSchema {
	f := textSchema(keyField, length)
	f.IsPrimaryKey = true
	return f
}

func textSchema(name string, length int) *wire.FieldSchema {
	return &wire.FieldSchema{Name: name, DataType: wire.DataType_VarChar, TypeParams: []*wire.KeyValuePair{pair("max_length", strconv.Itoa(length))}}
}

func longSchema(name string) *wire.FieldSchema {
	return &wire.FieldSchema{Name: name, DataType: wire.DataType_Array, ElementType: wire.DataType_VarChar, TypeParams: []*wire.KeyValuePair{
		pair("max_length", strconv.Itoa(maxText)), pair("max_capacity", strconv.Itoa(maxTexts)),
	}}
}

func jsonSchema(name string) *wire.FieldSchema {
	return &wire.FieldSchema{Name: name, DataType: wire.DataType_JSON}
}

func vectorSchema(name string, dim int) *wire.FieldSchema {
	return &wire.FieldSchema{Name: name, DataType: wire.DataType_FloatVector, TypeParams: []*wire.KeyValuePair{pair("dim", strconv.Itoa(dim))}}
}

const indexKind = "HNSW"

// indexes are those of fields by their types.
var indexes = map[wire.DataType][]*wire.KeyValuePair{
	wire.DataType_FloatVector: {
		pair("index_type", indexKind), pair("metric_type", cosine), pair("params", `{"M": 16, "efConstruction": 200}`),
	},
	wire.DataType_SparseFloatVector: {pair("index_type", "SPARSE_INVERTED_INDEX"), pair("metric_type", "IP"), pair("params", "{}")},
}
