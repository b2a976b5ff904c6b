package weaviate

import (
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/remote"
	"github.com/nsfl-go/nsfl/engine/weaviate/wire"
	"github.com/nsfl-go/nsfl/internal/predicate"
)

// FuzzValues: whatever a server sends, what is read of it is a document or an error.
func FuzzValues(f *testing.F) {
	text := func(s string) *wire.Value { return &wire.Value{Kind: &wire.Value_TextValue{TextValue: s}} }
	list := &wire.Value{Kind: &wire.Value_ListValue{ListValue: &wire.ListValue{Kind: &wire.ListValue_NumberValues{NumberValues: &wire.NumberValues{Values: make([]byte, 17)}}}}}
	seed, err := proto.Marshal(&wire.SearchResult{
		Metadata: &wire.MetadataResult{Id: key{1}.String(), Vectors: []*wire.Vectors{{Name: "v", VectorBytes: vectorMessage("", []float32{1, 2, 3}).VectorBytes}}},
		Properties: &wire.PropertiesResult{NonRefProps: &wire.Properties{Fields: map[string]*wire.Value{
			"title": text("t"), "list": list, "inner": {Kind: &wire.Value_ObjectValue{ObjectValue: &wire.Properties{Fields: map[string]*wire.Value{"x": text("y"), "none": {}}}}},
			"number": {Kind: &wire.Value_NumberValue{NumberValue: 1e300}},
		}}},
	})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(seed)
	f.Fuzz(func(t *testing.T, raw []byte) {
		r := new(wire.SearchResult)
		if proto.Unmarshal(raw, r) != nil {
			return
		}
		for _, id := range []string{objectID, "ref"} {
			d := &driver{dim: 3, class: &class{}, roles: remote.Roles{ID: id, Title: "title", Text: "text", Vector: "v", Metadata: "inner"}}
			e, err := d.entry(r, remote.Want{Parts: engine.AllParts})
			if err != nil {
				continue
			}
			if _, err := predicate.Values(e.Metadata); err != nil || e.Vector != nil && len(e.Vector) != 3 {
				t.Errorf("got %+v and error %v, want metadata that can be read and a vector of 3 dimensions, if any", e, err)
			}
		}
	})
}
