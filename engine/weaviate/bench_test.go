package weaviate

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/query"
	"github.com/nsfl-go/nsfl/vec"
)

var size = flag.Int("documents", 5000, "documents in BenchmarkPool")

const benchDim = 384

// around is a unit vector near one of several centres, and rather far from it.
func around(r *rand.Rand, centres [][]float32) []float32 {
	v := append([]float32(nil), centres[r.IntN(len(centres))]...)
	for i := range v {
		v[i] += 0.9 * float32(r.NormFloat64())
	}
	if err := vec.Normalize(v); err != nil {
		panic(err)
	}
	return v
}

// filled stores documents, a fifth of which has three passages.
func filled(b *testing.B, r *rand.Rand, centres [][]float32) *Store {
	ctx, c := context.Background(), sharedCluster(b)
	s, err := Open(ctx, c.URL(), Options{Collection: collection(b, c), Dimension: benchDim})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { s.Close() })
	for at := 0; at < *size; at += 1000 {
		docs := make([]engine.Document, min(1000, *size-at))
		for i := range docs {
			docs[i] = engine.Document{
				ID: fmt.Sprint(at + i), Vector: around(r, centres),
				Metadata: fmt.Appendf(nil, `{"year": %d, "tag": "t%d", "date": "%d-%02d-01"}`, 1950+r.IntN(75), r.IntN(1000), 1950+r.IntN(75), 1+r.IntN(12)),
			}
			for range 3 * (i % 5 / 4) {
				docs[i].Passages = append(docs[i].Passages, engine.Passage{Vector: around(r, centres)})
			}
		}
		if err := s.Upsert(ctx, docs); err != nil {
			b.Fatal(err)
		}
	}
	return s
}

// BenchmarkPool compares four vectors with pools near the first, with filters that
// pass much and little, and tells which part of the exact pool is found.
func BenchmarkPool(b *testing.B) {
	ctx, r := context.Background(), rand.New(rand.NewPCG(1, 1))
	centres := make([][]float32, 300)
	for i := range centres {
		centres[i] = make([]float32, benchDim)
		for j := range centres[i] {
			centres[i][j] = float32(r.NormFloat64()) + 0.3
		}
	}
	s := filled(b, r, centres)
	for _, filter := range []string{"", "year:>=2000", "year:2000", "date:<1960-06", "tag:t5 OR tag:t6", "NOT year:<2020"} {
		var node query.Node
		if filter != "" {
			f, err := query.ParseFormula(filter)
			if err != nil {
				b.Fatal(err)
			}
			node = f.Filter
		}
		for _, k := range []int{10, 100, 1000} {
			b.Run(fmt.Sprintf("filter=%s/k=%d", filter, k), func(b *testing.B) {
				found, all := 0, 0
				for b.Loop() {
					b.StopTimer()
					vectors := [][]float32{around(r, centres), around(r, centres), around(r, centres), around(r, centres)}
					q, err := s.newSearch(vectors[:1], k, node, vectors)
					if err != nil {
						b.Fatal(err)
					}
					want, err := q.everything(ctx, s.hosts[0])
					if err != nil {
						b.Fatal(err)
					}
					b.StartTimer()
					got, err := s.Pool(ctx, vectors[:1], k, node, vectors)
					if err != nil {
						b.Fatal(err)
					}
					in := map[engine.Ref]bool{}
					for _, ref := range got.Refs {
						in[ref] = true
					}
					for _, best := range want.best(0) {
						all++
						if in[best.ref()] {
							found++
						}
					}
				}
				b.ReportMetric(float64(found)/float64(max(1, all)), "overlap")
			})
		}
	}
}

// BenchmarkNodes asks which nodes answer, as every search does in the end.
func BenchmarkNodes(b *testing.B) {
	ctx, c := context.Background(), sharedCluster(b)
	s, err := Open(ctx, c.URL(), Options{Collection: collection(b, c), Dimension: dim})
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	for b.Loop() {
		if err := s.at.intact(ctx, s.hosts[0]); err != nil {
			b.Fatal(err)
		}
	}
}
