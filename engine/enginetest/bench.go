package enginetest

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/vec"
)

var size = flag.Int("documents", 5000, "documents in the benchmark of pools")

// Benchmark compares four vectors with pools near the first, with selective and unselective
// filters, and reports the share of the exact pool that is found. A fifth of the documents has
// three passages.
func Benchmark(b *testing.B, m Maker) {
	const dim = 384
	ctx, r := context.Background(), rand.New(rand.NewPCG(1, 1))
	centres := make([][]float32, 300)
	for i := range centres {
		centres[i] = make([]float32, dim)
		for j := range centres[i] {
			centres[i][j] = float32(r.NormFloat64()) + 0.3
		}
	}
	// around is a unit vector near one of the centres, and rather far from it.
	around := func() []float32 {
		v := append([]float32(nil), centres[r.IntN(len(centres))]...)
		for i := range v {
			v[i] += 0.9 * float32(r.NormFloat64())
		}
		if err := vec.Normalize(v); err != nil {
			b.Fatal(err)
		}
		return v
	}
	docs := make([]engine.Document, *size)
	for i := range docs {
		docs[i] = engine.Document{
			ID: fmt.Sprint(i), Vector: around(),
			Metadata: fmt.Appendf(nil, `{"year": %d, "tag": "t%d", "date": "%d-%02d-01"}`, 1950+r.IntN(75), r.IntN(1000), 1950+r.IntN(75), 1+r.IntN(12)),
		}
		for range 3 * (i % 5 / 4) {
			docs[i].Passages = append(docs[i].Passages, engine.Passage{Vector: around()})
		}
	}
	s := m.filled(b, dim, docs)
	for _, filter := range []string{"", "year:>=2000", "year:2000", "date:<1960-06", "tag:t5 OR tag:t6", "NOT year:<2020"} {
		for _, k := range []int{10, 100, 1000} {
			b.Run(fmt.Sprintf("filter=%s/k=%d", filter, k), func(b *testing.B) {
				found, all := 0, 0
				for b.Loop() {
					b.StopTimer()
					vectors := [][]float32{around(), around(), around(), around()}
					want, err := definition(docs).Pool(ctx, vectors[:1], k, filterOf(b, filter), vectors[:1])
					if err != nil {
						b.Fatal(err)
					}
					b.StartTimer()
					got, err := s.Pool(ctx, vectors[:1], k, filterOf(b, filter), vectors)
					if err != nil {
						b.Fatal(err)
					}
					b.StopTimer()
					there := map[string]bool{}
					read, err := s.Documents(ctx, got.Refs, engine.NoParts)
					if err != nil {
						b.Fatal(err)
					}
					for _, d := range read {
						there[d.ID] = true
					}
					for _, ref := range want.Refs {
						if all++; there[docs[ref.Number].ID] {
							found++
						}
					}
					b.StartTimer()
				}
				b.ReportMetric(float64(found)/float64(max(1, all)), "overlap")
			})
		}
	}
}
