package postgres

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

// BenchmarkPool compares four vectors with pools near the first, with filters that
// pass much and little, and tells which part of the exact pool is found. A fifth
// of the documents has three passages.
func BenchmarkPool(b *testing.B) {
	ctx, dsn := context.Background(), sharedDSN(b)
	r := rand.New(rand.NewPCG(1, 1))
	centres := make([][]float32, 300)
	for i := range centres {
		centres[i] = make([]float32, 384)
		for j := range centres[i] {
			centres[i][j] = float32(r.NormFloat64()) + 0.3
		}
	}
	name := collection(b, dsn)
	exact, err := Open(ctx, dsn, Options{Collection: name, Dimension: 384, Exact: true})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { exact.Close() })
	for at := 0; at < *size; at += 1000 {
		docs := make([]engine.Document, min(1000, *size-at))
		for i := range docs {
			docs[i] = engine.Document{
				ID: fmt.Sprint(at + i), Vector: around(r, centres),
				Metadata: fmt.Appendf(nil, `{"year": %d, "tag": "t%d"}`, 1950+r.IntN(75), r.IntN(1000)),
			}
			for range 3 * (i % 5 / 4) {
				docs[i].Passages = append(docs[i].Passages, engine.Passage{Vector: around(r, centres)})
			}
		}
		if err := exact.Upsert(ctx, docs); err != nil {
			b.Fatal(err)
		}
	}
	indexed, err := Open(ctx, dsn, Options{Collection: name})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { indexed.Close() })
	run(b, dsn, "ANALYZE")
	for _, filter := range []string{"", "year:>=2000", "year:2000", "tag:t5 OR tag:t6", "NOT year:<2020"} {
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
					want, err := exact.Pool(ctx, vectors[:1], k, node, vectors)
					if err != nil {
						b.Fatal(err)
					}
					b.StartTimer()
					got, err := indexed.Pool(ctx, vectors[:1], k, node, vectors)
					if err != nil {
						b.Fatal(err)
					}
					f, n := overlapping(got.Refs, want.Refs)
					found, all = found+f, all+n
				}
				b.ReportMetric(float64(found)/float64(max(1, all)), "overlap")
			})
		}
	}
}

// overlapping counts those of want that are in got.
func overlapping(got, want []engine.Ref) (found, all int) {
	in := make(map[engine.Ref]bool, len(got))
	for _, r := range got {
		in[r] = true
	}
	for _, r := range want {
		if in[r] {
			found++
		}
	}
	return found, len(want)
}
