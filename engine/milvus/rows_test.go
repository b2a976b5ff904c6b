package milvus

import (
	"encoding/json"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/milvus/wire"
)

func TestNulls(t *testing.T) {
	keys := scalars("pk", wire.DataType_Int64, numbersOf([]int64{-3, 5, 7}))
	for name, values := range map[string][]string{"with nulls": {"a", "", "c"}, "without": {"a", "c"}} {
		column := texts("t", values)
		column.ValidData = []bool{true, false, true}
		r, err := readRows([]*wire.FieldData{column, keys}, "pk")
		if err != nil {
			t.Fatal(err)
		}
		for i, want := range []string{`"a"`, "", `"c"`} {
			if got := string(r.value(i, "t")); got != want || r.keys[0] != "-3" {
				t.Errorf("%s: value %d of %v is %s, want %s", name, i, r.keys, got, want)
			}
		}
	}
	for name, data := range map[string][]*wire.FieldData{
		"no key":           {texts("t", []string{"a"})},
		"too few":          {keys, texts("t", []string{"a"})},
		"no values":        {keys, {FieldName: "t"}},
		"too many vectors": {keys, vectors("v", 2, make([][]float32, 4))},
	} {
		if r, err := readRows(data, "pk"); err == nil {
			t.Errorf("%s: %+v", name, r)
		}
	}
}

// FuzzRows checks that an answer is refused or decoded to JSON.
func FuzzRows(f *testing.F) {
	docs := []engine.Document{{ID: "1", Text: "a", Metadata: []byte(`{"n": 1, "even": true, "name": "x", "score": 0.5}`), Vector: []float32{1, 0}}, {ID: "2", Vector: []float32{0, 1}}}
	for _, data := range [][]*wire.FieldData{
		library(docs).data, loose(docs).data,
		{texts("id", []string{"a"}), scalars("l", wire.DataType_Array, &wire.ScalarField{Data: &wire.ScalarField_ArrayData{
			ArrayData: &wire.ArrayArray{Data: []*wire.ScalarField{textsOf([]string{"b", "c"})}, ElementType: wire.DataType_VarChar},
		}})},
	} {
		b, err := proto.Marshal(&wire.QueryResults{FieldsData: data})
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		answer := new(wire.QueryResults)
		if proto.Unmarshal(b, answer) != nil {
			return
		}
		for _, key := range []string{"pk", "id"} {
			r, err := readRows(answer.GetFieldsData(), key)
			if err != nil {
				continue
			}
			for name := range r.fields {
				for i := range r.keys {
					if value := r.value(i, name); value != nil && !json.Valid(value) {
						t.Errorf("%s has %q", name, value)
					}
					r.vector(i, name)
				}
			}
		}
	})
}
