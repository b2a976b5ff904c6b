package server

import (
	"context"
	"sync/atomic"
	"time"
)

// turnstile bounds how many requests of a kind are worked on. Some more wait for a
// short while; the rest is told to come back, since a queue that only grows makes
// everyone wait and no one succeed.
type turnstile struct {
	name    string
	slots   chan struct{}
	queue   int64
	wait    time.Duration
	waiting atomic.Int64
	reject  func(name string) // for the metrics
}

func newTurnstile(name string, slots, queue int, wait time.Duration, reject func(string)) *turnstile {
	return &turnstile{name: name, slots: make(chan struct{}, slots), queue: int64(queue), wait: wait, reject: reject}
}

// enter waits for a place, at most as long as it allows. The caller leaves.
func (t *turnstile) enter(ctx context.Context) (leave func(), err error) {
	select {
	case t.slots <- struct{}{}:
		return t.leave, nil
	default:
	}
	if t.waiting.Add(1) > t.queue {
		t.waiting.Add(-1)
		return nil, t.refuse()
	}
	defer t.waiting.Add(-1)
	timer := time.NewTimer(t.wait)
	defer timer.Stop()
	select {
	case t.slots <- struct{}{}:
		return t.leave, nil
	case <-timer.C:
		return nil, t.refuse()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// stay waits for a place as long as the context allows: for a batch of a stream
// that has been let in, whose client is held up meanwhile by not being read.
func (t *turnstile) stay(ctx context.Context) (leave func(), err error) {
	select {
	case t.slots <- struct{}{}:
		return t.leave, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (t *turnstile) leave() { <-t.slots }

func (t *turnstile) refuse() error {
	t.reject(t.name)
	return newProblem("busy", "the server has as much to do as it can; try again in a moment")
}
