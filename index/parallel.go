package index

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
)

// workers is how many goroutines parallel starts for n units.
func workers(n int) int { return min(runtime.GOMAXPROCS(0), n) }

// parallel calls work for every unit below n, on all cores, and waits. When ctx
// is done it stops after the units in progress and returns ctx's error. worker
// is below workers(n) and tells apart what runs at the same time.
func parallel(ctx context.Context, n int, work func(worker, unit int)) error {
	var next atomic.Int64
	var wg sync.WaitGroup
	for worker := range workers(n) {
		wg.Go(func() {
			for {
				unit := int(next.Add(1)) - 1
				if unit >= n || ctx.Err() != nil {
					return
				}
				work(worker, unit)
			}
		})
	}
	wg.Wait()
	return context.Cause(ctx)
}
