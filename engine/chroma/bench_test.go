package chroma

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/nsfl-go/nsfl/engine"
)

// BenchmarkUpsert stores a hundred new documents, and a hundred in the place of
// others. To move a vector in an HNSW index costs more than to add one.
func BenchmarkUpsert(b *testing.B) {
	ctx, url := context.Background(), sharedURL(b)
	for _, replace := range []bool{false, true} {
		b.Run(fmt.Sprintf("replace=%t", replace), func(b *testing.B) {
			r := rand.New(rand.NewPCG(2, 2))
			random := func() []float32 {
				v := make([]float32, 384)
				for i := range v {
					v[i] = float32(r.NormFloat64())
				}
				return v
			}
			s := opened(b, collection(b, url), engine.Options{Dimension: 384})
			store := func(from int) {
				b.StopTimer()
				docs := make([]engine.Document, 100)
				for i := range docs {
					docs[i] = engine.Document{ID: fmt.Sprint(from + i), Vector: random(), Text: "text", Metadata: []byte(`{"year": 2000, "tag": "t"}`)}
				}
				b.StartTimer()
				if err := s.Upsert(ctx, docs); err != nil {
					b.Fatal(err)
				}
			}
			for i := range 10 {
				store(100 * i)
			}
			b.ResetTimer()
			for n := 10; b.Loop(); n++ {
				if replace {
					store(n % 10 * 100)
				} else {
					store(100 * n)
				}
			}
		})
	}
}
