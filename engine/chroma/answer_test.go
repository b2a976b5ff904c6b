package chroma

import (
	"math"
	"testing"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/attached"
	"github.com/nsfl-go/nsfl/engine/enginetest"
	"github.com/nsfl-go/nsfl/engine/pooling"
)

func FuzzRecords(f *testing.F) {
	f.Add([]byte(`{"ids": ["a"], "embeddings": [[1,2,3]], "documents": ["x"], "metadatas": [{"title": "t", "n": 1, "list": ["a"], "no": null}]}`))
	f.Add([]byte(`{"ids": ["a", ""], "embeddings": [[0,0,0], [1e30,1e30,-1e38]], "documents": [null, "x"], "metadatas": [null, {"title": 7}]}`))
	f.Add([]byte(`{"ids": ["a"], "embeddings": null}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		for _, parts := range []engine.Parts{engine.NoParts, engine.Vectors, engine.AllParts} {
			s := &Store{dim: 3, roles: attached.Roles{Text: theDocument, Title: "title"}}
			a, err := decode(raw, s.include(parts), s.dim)
			if err != nil {
				continue
			}
			fields := map[string]kind{}
			for i := range a.IDs {
				kindsOf(fields, a.Metadatas[i])
				d, err := s.document(a, i, parts)
				if err != nil {
					continue
				}
				if _, err := engine.Values(d.Metadata); err != nil || d.ID == "" {
					t.Errorf("%+v, %v", d, err)
				}
				if d.Vector != nil {
					if x := pooling.Similarity([][]float32{d.Vector}, enginetest.Leaning(1, 0, 3)); !(math.Abs(float64(x)) < 1.01) {
						t.Errorf("a similarity of %g", x)
					}
				}
			}
			columnsOf(fields)
		}
	})
}

func FuzzLists(f *testing.F) {
	f.Add([]byte(`{"ids": [["a", "b"], []], "distances": [[0.1, 0.2], []]}`))
	f.Add([]byte(`{"ids": [["a"], []], "distances": [[null], []]}`))
	f.Add([]byte(`{"ids": [[], []], "distances": null}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		for _, space := range []string{cosine, inner, square} {
			lists, err := decodeLists(raw, 2, space)
			if err != nil {
				continue
			}
			for _, l := range lists {
				if len(lists) != 2 || math.IsNaN(l.last) || l.last > 1 {
					t.Errorf("%+v", l)
				}
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
