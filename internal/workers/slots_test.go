package workers

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
)

func TestSlots(t *testing.T) {
	slots := make(Slots, 2)
	var now, most atomic.Int32
	failed := errors.New("failed")
	err := Each(t.Context(), 20, 8, func(ctx context.Context, i int) error {
		err := slots.Do(ctx, func() error {
			n := now.Add(1)
			defer now.Add(-1)
			for seen := most.Load(); n > seen && !most.CompareAndSwap(seen, n); seen = most.Load() {
			}
			return failed
		})
		if !errors.Is(err, failed) {
			t.Error(err)
		}
		return nil
	})
	if err != nil || most.Load() > 2 {
		t.Errorf("%v, %d at once", err, most.Load())
	}
	slots <- struct{}{}
	slots <- struct{}{}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := slots.Do(ctx, func() error { return nil }); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
