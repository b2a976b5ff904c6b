package sphere_test

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/nsfl-go/nsfl/logic"
	"github.com/nsfl-go/nsfl/sphere"
)

var (
	instances = flag.Int("instances", 40, "random instances per formula and dimension; make sphere-check runs 10,000")
	seed      = flag.Uint64("seed", 1, "seed of the random instances")
)

// count returns the number of instances, fewer in a short run.
func count() int {
	if testing.Short() {
		return min(4, *instances)
	}
	return *instances
}

// Exact is never below the best of 20 runs of RSGD by more than 1e-6.
func TestExactAgainstRSGD(t *testing.T) {
	for _, d := range []int{64, 384, 1024} {
		for _, formula := range append(templates, nested...) {
			t.Run(fmt.Sprintf("%s/d=%d", formula, d), func(t *testing.T) {
				compare(t, count(), func(i int) instance {
					random := rand.New(rand.NewPCG(*seed, uint64(i)))
					if i%4 == 3 {
						return independent(t, formula, d, random)
					}
					return correlated(t, formula, d, random)
				})
			})
		}
	}
}

// The same with the vectors of real queries, gated and ungated.
func TestExactAgainstRSGDOnRealVectors(t *testing.T) {
	for name, o := range map[string]logic.Options{
		"gated":   {},
		"bound":   {Gate: logic.Gate{Kind: logic.ByBound, Bound: 0.6}},
		"ungated": {Gate: logic.Gate{Kind: logic.Ungated}},
		"c=0.5":   {And: logic.C(0.5), Not: logic.C(1.5)},
	} {
		t.Run(name, func(t *testing.T) {
			all := real(t, o)
			step := max(1, len(all)/max(1, count()))
			compare(t, len(all)/step, func(i int) instance { return all[i*step] })
		})
	}
}

// compare runs both methods on n instances and reports the largest shortfall.
func compare(t *testing.T, n int, make func(i int) instance) {
	const runs, tolerance = 20, 1e-6
	var next, ahead atomic.Int64
	var mu sync.Mutex
	worst := math.Inf(-1)
	var wait sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wait.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				in := make(i)
				exact, err := sphere.Exact(in.objective, in.vectors)
				if err != nil {
					t.Errorf("instance %d: %v", i, err)
					return
				}
				best := math.Inf(-1)
				for run := range runs {
					r, err := sphere.RSGD(in.objective, in.vectors, uint64(run))
					if err != nil {
						t.Errorf("instance %d: %v", i, err)
						return
					}
					best = max(best, value(in, r.Vector))
				}
				if value(in, exact.Vector) > best {
					ahead.Add(1)
				}
				mu.Lock()
				if shortfall := best - value(in, exact.Vector); shortfall > worst {
					worst = shortfall
					if shortfall > tolerance {
						t.Errorf("instance %d (seed %d): exact (%s) reaches %.9f, but the best of %d rsgd runs %.9f", i, *seed, exact.Method, exact.Value, runs, best)
					}
				}
				mu.Unlock()
			}
		})
	}
	wait.Wait()
	t.Logf("%d instances: exact is above the best of %d rsgd runs in %.1f%%, below it by at most %.1e", n, runs, 100*float64(ahead.Load())/float64(n), max(0, worst))
}
