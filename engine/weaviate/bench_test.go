package weaviate

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/remote"
	"github.com/nsfl-go/nsfl/internal/vec"
)

// BenchmarkTransport compares a search over gRPC with the same search over GraphQL, Weaviate's
// only search over HTTP: the nearest objects with their vectors, as a pool needs them.
func BenchmarkTransport(b *testing.B) {
	const seed, n, dim = 7, 5000, 384
	r := rand.New(rand.NewPCG(seed, seed))
	random := func() []float32 {
		v := make([]float32, dim)
		for i := range v {
			v[i] = float32(r.NormFloat64())
		}
		if err := vec.Normalize(v); err != nil {
			b.Fatal(err)
		}
		return v
	}
	docs := make([]engine.Document, n)
	for i := range docs {
		docs[i] = engine.Document{ID: fmt.Sprint(i), Title: "title", Text: fmt.Sprint("text ", i), Vector: random()}
	}
	c := sharedCluster(b)
	class := filled(b, c, cosine, docs)
	d, s, err := open(context.Background(), c.URL()+"&collection="+class+"&vector=dense&id=ref", engine.Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	for _, limit := range []int{100, 1000} {
		b.Run(fmt.Sprint("grpc/", limit), func(b *testing.B) {
			for b.Loop() {
				hits, err := d.Nearest(context.Background(), random(), limit, remote.Where{}, remote.Want{Parts: engine.Vectors}, false)
				if err != nil || len(hits) != limit || len(hits[0].Entry.Vector) != dim {
					b.Fatalf("got %d objects, %v, want %d", len(hits), err, limit)
				}
			}
		})
		b.Run(fmt.Sprint("graphql/", limit), func(b *testing.B) {
			for b.Loop() {
				vector := strings.ReplaceAll(fmt.Sprint(random()), " ", ",")
				query := fmt.Sprintf("{Get{%s(nearVector:{vector:%s,targetVectors:[\"dense\"]},limit:%d){_additional{id vectors{dense}}}}}", class, vector, limit)
				var answer struct {
					Data struct {
						Get map[string][]struct {
							Additional struct {
								ID      string
								Vectors struct{ Dense []float32 }
							} `json:"_additional"`
						}
					}
				}
				post(b, c, "graphql", map[string]any{"query": query}, &answer)
				if found := answer.Data.Get[class]; len(found) != limit || len(found[0].Additional.Vectors.Dense) != dim {
					b.Fatalf("got %d objects, want %d", len(found), limit)
				}
			}
		})
	}
}
