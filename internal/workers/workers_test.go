package workers

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
)

// TestEach: each number is processed once, within the limit of concurrency.
func TestEach(t *testing.T) {
	for _, n := range []int{0, 1, 2, 100} {
		done := make([]atomic.Int32, n)
		var now, most atomic.Int32
		err := Each(t.Context(), n, 3, func(_ context.Context, i int) error {
			most.Store(max(most.Load(), now.Add(1)))
			done[i].Add(1)
			now.Add(-1)
			return nil
		})
		if err != nil || most.Load() > 3 {
			t.Errorf("%d: %v, %d at once", n, err, most.Load())
		}
		for i := range done {
			if done[i].Load() != 1 {
				t.Errorf("%d of %d was done %d times", i, n, done[i].Load())
			}
		}
	}
}

// TestError: after an error nothing more is started, running calls are cancelled, and the
// error is returned.
func TestError(t *testing.T) {
	wrong := errors.New("wrong")
	var begun atomic.Int32
	err := Each(t.Context(), 1000, 2, func(ctx context.Context, i int) error {
		begun.Add(1)
		if i == 3 {
			return wrong
		}
		if i > 3 {
			<-ctx.Done()
			return ctx.Err()
		}
		return nil
	})
	if !errors.Is(err, wrong) || begun.Load() > 6 {
		t.Errorf("%v, %d were begun", err, begun.Load())
	}
}

// TestCancel: cancellation takes precedence over all errors.
func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	err := Each(ctx, 1000, 2, func(context.Context, int) error {
		cancel()
		return errors.New("wrong")
	})
	if !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
