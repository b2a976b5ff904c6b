package chroma

import (
	"testing"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/remote"
	"github.com/nsfl-go/nsfl/internal/predicate"
)

func FuzzRecords(f *testing.F) {
	f.Add([]byte(`{"ids": ["a"], "embeddings": [[1,2,3]], "documents": ["x"], "metadatas": [{"title": "t", "n": 1, "list": ["a"], "no": null}]}`))
	f.Add([]byte(`{"ids": ["a", ""], "embeddings": [[0,0,0], [1e30,1e30,-1e38]], "documents": [null, "x"], "metadatas": [null, {"title": 7}]}`))
	f.Add([]byte(`{"ids": ["a"], "embeddings": null}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		for _, parts := range []engine.Parts{engine.NoParts, engine.Vectors, engine.AllParts} {
			d := &driver{dim: 3, roles: remote.Roles{Text: theDocument, Title: "title"}}
			want := remote.Want{Parts: parts}
			a, err := decode(raw, d.include(want), d.dim)
			if err != nil {
				continue
			}
			fields := map[string]remote.Kinds{}
			for i := range a.IDs {
				remote.AddKinds(fields, a.Metadatas[i])
				doc, err := d.entry(a, i, want)
				if err != nil {
					continue
				}
				if _, err := predicate.Values(doc.Metadata); err != nil || doc.ID == "" || doc.Vector != nil && len(doc.Vector) != d.dim {
					t.Errorf("got %+v, %v, want an id, metadata and a vector of dimension %d", doc, err, d.dim)
				}
			}
			remote.KindColumns(fields)
		}
	})
}

func FuzzHits(f *testing.F) {
	f.Add([]byte(`{"ids": [["a", "b"]], "distances": [[0.1, 0.2]]}`))
	f.Add([]byte(`{"ids": [["a"], []], "distances": [[null], []]}`))
	f.Add([]byte(`{"ids": [[""]]}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		hits, err := decodeHits(raw)
		for _, h := range hits {
			if err != nil || h.Ref.Key == "" {
				t.Errorf("got %+v, %v", h, err)
			}
		}
	})
}

func FuzzMark(f *testing.F) {
	f.Add(`{"at":7,"last":["a","b"]}`)
	f.Add(`{"at":-1,"last":["<"]}`)
	f.Fuzz(func(t *testing.T, text string) {
		if m, ok := readMark(text); ok && (m.At < len(m.Last) || len(m.Last) == 0 || m.String() != text) {
			t.Errorf("%q is %+v", text, m)
		}
	})
}
