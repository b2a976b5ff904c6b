// Package workers runs functions concurrently. It does not know what they do.
package workers

import (
	"context"
	"sync"
	"sync/atomic"
)

// Each calls f for 0 to n-1, at most atOnce at a time, and waits for all. After an error,
// or when the context is done, it starts no more calls and cancels f's context. It
// returns the context's error, or else the first error of f.
func Each(ctx context.Context, n, atOnce int, f func(ctx context.Context, i int) error) error {
	return Numbered(ctx, n, atOnce, func(ctx context.Context, _, i int) error { return f(ctx, i) })
}

// Numbered is Each, and also passes the number of the worker that calls f, which is below
// n and atOnce.
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
				stop(err) // the first error is kept
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

// Slots limits the number of concurrent calls.
type Slots chan struct{}

// Do calls f when a slot is free, unless the context is done first.
func (s Slots) Do(ctx context.Context, f func() error) error {
	select {
	case s <- struct{}{}:
		defer func() { <-s }()
		return f()
	case <-ctx.Done():
		return ctx.Err()
	}
}
