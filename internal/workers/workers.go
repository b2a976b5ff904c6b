// Package workers does many things at once, each of them once. What they are it does
// not know.
package workers

import (
	"context"
	"sync"
	"sync/atomic"
)

// Each calls f for 0 to n-1, so many at once, and waits for all. After an error, or
// when the context is done, no more are begun, and f's context is done too. It
// returns the context's error, or else the first that f has returned.
func Each(ctx context.Context, n, atOnce int, f func(ctx context.Context, i int) error) error {
	return Numbered(ctx, n, atOnce, func(ctx context.Context, _, i int) error { return f(ctx, i) })
}

// Numbered is Each, and says too which of those that are at work f is called by: a
// number below n and atOnce.
func Numbered(ctx context.Context, n, atOnce int, f func(ctx context.Context, worker, i int) error) error {
	running, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var next atomic.Int64
	work := func(worker int) {
		for running.Err() == nil {
			i := int(next.Add(1)) - 1
			if i >= n {
				return
			}
			if err := f(running, worker, i); err != nil {
				stop(err) // the first error stays
			}
		}
	}
	var others sync.WaitGroup
	for worker := 1; worker < min(atOnce, n); worker++ {
		others.Go(func() { work(worker) })
	}
	work(0)
	others.Wait()
	if err := ctx.Err(); err != nil {
		return err
	}
	return context.Cause(running)
}

// Slots are as many as may be at work at once, of all calls together.
type Slots chan struct{}

// Do calls f when there is a slot for it, unless the context is done before.
func (s Slots) Do(ctx context.Context, f func() error) error {
	select {
	case s <- struct{}{}:
		defer func() { <-s }()
		return f()
	case <-ctx.Done():
		return ctx.Err()
	}
}
