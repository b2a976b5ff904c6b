package logic

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// BenchmarkScore scores K = 1000 candidates by a formula of six vectors, alternating with
// a sort of 1000 floats; the ratio of the two is what matters.
func BenchmarkScore(b *testing.B) {
	p := compile(b, "A AND B AND NOT C", Options{})
	r := rand.New(rand.NewPCG(1, 1))
	const k = 1000
	columns, _ := randomPool(r, p.Formula(), k)
	if len(columns) != 6 {
		b.Fatalf("%d columns", len(columns))
	}
	// Many different arrays, to keep the branch predictor from learning one.
	unsorted := make([][]float32, 256)
	for i := range unsorted {
		unsorted[i] = make([]float32, k)
		for j := range unsorted[i] {
			unsorted[i][j] = r.Float32()
		}
	}
	out, sorted := make([]float32, k), make([]float32, k)
	var scoring, sorting time.Duration
	b.ReportAllocs()
	for i := range b.N {
		start := time.Now()
		if _, err := p.Rank(out, columns); err != nil {
			b.Fatal(err)
		}
		middle := time.Now()
		copy(sorted, unsorted[i%len(unsorted)])
		slices.Sort(sorted)
		scoring += middle.Sub(start)
		sorting += time.Since(middle)
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64(scoring.Nanoseconds())/float64(b.N)/1e3, "score-µs")
	b.ReportMetric(float64(sorting.Nanoseconds())/float64(b.N)/1e3, "sort-µs")
	b.ReportMetric(float64(scoring)/float64(sorting), "score/sort")
}

// BenchmarkScoreBy does the same with other options.
func BenchmarkScoreBy(b *testing.B) {
	for _, o := range []Options{{}, {GateCap: 0.5}, {Similarity: Affine}} {
		name, err := json.Marshal(o)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(string(name), func(b *testing.B) {
			p := compile(b, "A AND B AND NOT C", o)
			columns, _ := randomPool(rand.New(rand.NewPCG(1, 1)), p.Formula(), 1000)
			out := make([]float32, 1000)
			b.ReportAllocs()
			for b.Loop() {
				if _, err := p.Rank(out, columns); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
