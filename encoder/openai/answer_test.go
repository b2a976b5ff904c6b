package openai

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/nsfl-go/nsfl/internal/vec"
)

// FuzzDecode checks that decode does not panic whatever a server sends, and that accepted
// vectors are unit vectors of the right number and dimension.
func FuzzDecode(f *testing.F) {
	for _, content := range []string{
		`{"data":[{"index":0,"embedding":[3,4]}]}`,
		`{"data":[{"index":1,"embedding":[3,4]},{"index":0,"embedding":[ 1e-3 , -2.5E+2 ]}]}`,
		`{"data":[{"index":0,"embedding":"AABAQAAAgEA="}]}`,
		`{"data":[{"index":0,"embedding":[null,1]}]}`,
		`{"data":[{"index":0,"embedding":[[1],[2]]}]}`,
		`{"data":[{"index":0,"embedding":["a,b",{"c":1}]}]}`,
		`{"data":[{"index":0,"embedding":[]}]}`,
		`{"data":[{"index":0,"embedding":""}]}`,
		`{"data":[{"index":0,"embedding":[1e39,1e-46]}]}`,
		`{"data":[{"index":9,"embedding":[1]},{"index":-1,"embedding":[1]}]}`,
		`{"data":[null]}`, `{"data":{}}`, `[]`, `{}`, `null`, ``, `<html>`, `{"error":{"message":"no"}}`,
	} {
		f.Add([]byte(content), 1, 2)
		f.Add([]byte(content), 2, 0)
	}
	f.Fuzz(func(t *testing.T, content []byte, n, dim int) {
		n, dim = n&7, dim&15
		vectors, err := decode(content, n, dim)
		if err != nil {
			return
		}
		if len(vectors) != n {
			t.Fatalf("got %d vectors, want %d", len(vectors), n)
		}
		for _, v := range vectors {
			if dim > 0 && len(v) != dim || math.Abs(vec.Norm(v)-1) > 1e-6 {
				t.Fatalf("got %v, want a unit vector of dimension %d", v, dim)
			}
		}
	})
}

// BenchmarkDecode decodes a batch of 32 vectors of 1,024 dimensions.
func BenchmarkDecode(b *testing.B) {
	data := make([]element, 32)
	for i := range data {
		v := make([]float32, 1024)
		for j := range v {
			v[j] = float32(i-j) / 777
		}
		data[i] = element{"embedding", i, v}
	}
	content, err := json.Marshal(map[string]any{"data": data})
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(content)))
	for b.Loop() {
		if _, err := decode(content, len(data), 1024); err != nil {
			b.Fatal(err)
		}
	}
}
