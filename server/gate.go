package server

import (
	"context"
	"sync/atomic"
	"time"
)

// gate bounds how many requests of a kind are worked on. Some more wait for a
// short while; the rest is told to come back, since a queue that only grows makes
// everyone wait and no one succeed.
type gate struct {
	name    string
	slots   chan struct{}
	queue   int64
	wait    time.Duration
	waiting atomic.Int64
	reject  func(gate string) // for the metrics
}

func newGate(name string, slots, queue int, wait time.Duration, reject func(string)) *gate {
	return &gate{name: name, slots: make(chan struct{}, slots), queue: int64(queue), wait: wait, reject: reject}
}

// enter waits for a place, at most as long as the gate allows. The caller leaves.
func (g *gate) enter(ctx context.Context) (leave func(), err error) {
	select {
	case g.slots <- struct{}{}:
		return g.leave, nil
	default:
	}
	if g.waiting.Add(1) > g.queue {
		g.waiting.Add(-1)
		return nil, g.refuse()
	}
	defer g.waiting.Add(-1)
	timer := time.NewTimer(g.wait)
	defer timer.Stop()
	select {
	case g.slots <- struct{}{}:
		return g.leave, nil
	case <-timer.C:
		return nil, g.refuse()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// stay waits for a place as long as the context allows: for a batch of a stream
// that has been let in, whose client is held up meanwhile by not being read.
func (g *gate) stay(ctx context.Context) (leave func(), err error) {
	select {
	case g.slots <- struct{}{}:
		return g.leave, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (g *gate) leave() { <-g.slots }

func (g *gate) refuse() error {
	g.reject(g.name)
	return newProblem("busy", "the server has as much to do as it can; try again in a moment")
}
