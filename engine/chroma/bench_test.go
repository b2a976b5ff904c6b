package chroma

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/nsfl-go/nsfl/engine"
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

func centres(r *rand.Rand) [][]float32 {
	all := make([][]float32, 300)
	for i := range all {
		all[i] = make([]float32, benchDim)
		for j := range all[i] {
			all[i][j] = float32(r.NormFloat64()) + 0.3
		}
	}
	return all
}

// BenchmarkPool compares four vectors with pools near the first, with filters that
// pass much and little, and tells which part of the exact pool is found. A fifth
// of the documents has three passages.
func BenchmarkPool(b *testing.B) {
	ctx, url := context.Background(), sharedURL(b)
	r := rand.New(rand.NewPCG(1, 1))
	centres := centres(r)
	name := collection(b, url)
	s := opened(b, url, Options{Collection: name, Dimension: benchDim})
	all := make([]engine.Document, *size)
	for i := range all {
		all[i] = engine.Document{
			ID: fmt.Sprint(i), Vector: around(r, centres),
			Metadata: fmt.Appendf(nil, `{"year": %d, "tag": "t%d"}`, 1950+r.IntN(75), r.IntN(1000)),
		}
		for range 3 * (i % 5 / 4) {
			all[i].Passages = append(all[i].Passages, engine.Passage{Vector: around(r, centres)})
		}
		if n := i + 1; n%1000 == 0 || n == len(all) {
			if err := s.Upsert(ctx, all[(n-1)/1000*1000:n]); err != nil {
				b.Fatal(err)
			}
		}
	}
	for _, filter := range []string{"", "year:>=2000", "year:2000", "tag:t5 OR tag:t6", "NOT year:<2020"} {
		node := filterOf(b, filter)
		for _, k := range []int{10, 100, 1000} {
			b.Run(fmt.Sprintf("filter=%s/k=%d", filter, k), func(b *testing.B) {
				found, wanted := 0, 0
				for b.Loop() {
					b.StopTimer()
					vectors := [][]float32{around(r, centres), around(r, centres), around(r, centres), around(r, centres)}
					want := best(b, all, vectors[0], k, filter)
					b.StartTimer()
					got, err := s.Pool(ctx, vectors[:1], k, node, vectors)
					if err != nil {
						b.Fatal(err)
					}
					f, n := overlapping(got.Refs, want)
					found, wanted = found+f, wanted+n
				}
				b.ReportMetric(float64(found)/float64(max(1, wanted)), "overlap")
			})
		}
	}
}

// best are the k most similar documents that pass a filter, by the definition.
func best(b *testing.B, docs []engine.Document, v []float32, k int, filter string) []engine.Ref {
	b.Helper()
	q, err := newSearch(benchDim, [][]float32{v}, k, filterOf(b, filter), [][]float32{v})
	if err != nil {
		b.Fatal(err)
	}
	f := newFindings(q)
	for i := range docs {
		d := &docs[i]
		r := &record{saying: saying{Metadata: string(d.Metadata)}, ref: refOf(d.ID), vectors: [][]float32{d.Vector}}
		for _, p := range d.Passages {
			r.vectors = append(r.vectors, p.Vector)
		}
		if err := f.add(r); err != nil {
			b.Fatal(err)
		}
	}
	f.rank()
	return f.columns().Refs
}

// BenchmarkUpsert stores a hundred new documents, and a hundred in the place of
// others. To move a vector in an HNSW index costs more than to add one.
func BenchmarkUpsert(b *testing.B) {
	ctx, url := context.Background(), sharedURL(b)
	for _, replace := range []bool{false, true} {
		b.Run(fmt.Sprintf("replace=%t", replace), func(b *testing.B) {
			r := rand.New(rand.NewPCG(2, 2))
			centres := centres(r)
			s := opened(b, url, Options{Collection: collection(b, url), Dimension: benchDim})
			store := func(from int) {
				b.StopTimer()
				docs := make([]engine.Document, 100)
				for i := range docs {
					docs[i] = engine.Document{ID: fmt.Sprint(from + i), Vector: around(r, centres), Text: "text", Metadata: []byte(`{"year": 2000, "tag": "t"}`)}
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
