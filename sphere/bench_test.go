package sphere_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/nsfl-go/nsfl/sphere"
)

// BenchmarkSQO times Exact and one run of RSGD in turn on the same instances with d = 1024,
// and reports their ratio. Exact runs several times, so both find the vectors in the CPU
// cache, as they would when they come from an encoder.
func BenchmarkSQO(b *testing.B) {
	for _, formula := range templates[:4] {
		b.Run(formula, func(b *testing.B) {
			random := rand.New(rand.NewPCG(1, 1))
			var all []instance
			for range 64 {
				all = append(all, correlated(b, formula, 1024, random))
			}
			const repeats = 8
			var exact, rsgd time.Duration
			steps := 0
			b.ResetTimer()
			for i := range b.N {
				in := all[i%len(all)]
				start := time.Now()
				for range repeats {
					if _, err := sphere.Exact(in.objective, in.vectors); err != nil {
						b.Fatal(err)
					}
				}
				middle := time.Now()
				r, err := sphere.RSGD(in.objective, in.vectors, uint64(i))
				if err != nil {
					b.Fatal(err)
				}
				exact += middle.Sub(start) / repeats
				rsgd += time.Since(middle)
				steps += r.Steps
			}
			n := float64(b.N)
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(float64(exact.Nanoseconds())/n/1e3, "exact-µs")
			b.ReportMetric(float64(rsgd.Nanoseconds())/n/1e3, "rsgd-µs")
			b.ReportMetric(float64(steps)/n, "rsgd-steps")
			b.ReportMetric(float64(rsgd)/float64(exact), "rsgd/exact")
		})
	}
}
