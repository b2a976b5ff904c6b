package server

import (
	"context"
	"math"
	"slices"
	"sync"
	"time"
)

// turnstile bounds how many requests of a kind are worked on, and shares the places
// among the parties that ask: keys or, without keys, addresses. Some more wait for a
// short while; the rest is told to come back, since a queue that only grows makes
// everyone wait and no one succeed.
//
// A place that is free goes to the party that has the fewest, in turns. One party may
// take all but those that are spared for parties that have none: a place cannot be
// taken back, and who comes next does not wait for as long as others like to work.
type turnstile struct {
	name   string
	slots  int
	spared int
	queue  int // requests of one party that wait
	wait   time.Duration
	reject func(name string) // for the metrics

	mu      sync.Mutex
	parties map[string]*party // those that hold a place or wait
	turns   []*party          // those that wait, who is next first
	held    int
	pace    time.Duration // how long places were held of late
}

// party is who shares the places with others.
type party struct {
	name    string
	held    int
	waiting []chan struct{} // closed when a place is given
}

func newTurnstile(name string, slots, queue int, wait time.Duration, reject func(string)) *turnstile {
	t := &turnstile{name: name, slots: slots, queue: queue, wait: wait, reject: reject, parties: map[string]*party{}}
	if slots > 1 {
		t.spared = (slots + 3) / 4
	}
	return t
}

// enter waits for a place, at most as long as it allows. The caller leaves.
func (t *turnstile) enter(ctx context.Context) (leave func(), err error) {
	timer := time.NewTimer(t.wait)
	defer timer.Stop()
	return t.admit(ctx, t.queue, timer.C)
}

// stay waits for a place as long as the context allows: for a batch of a stream
// that has been let in, whose client is held up meanwhile by not being read.
func (t *turnstile) stay(ctx context.Context) (leave func(), err error) {
	return t.admit(ctx, math.MaxInt, nil)
}

func (t *turnstile) admit(ctx context.Context, queue int, late <-chan time.Time) (leave func(), err error) {
	t.mu.Lock()
	p := t.partyOf(ctx)
	if t.hasPlace(p) {
		defer t.mu.Unlock()
		return t.give(p), nil
	}
	if len(p.waiting) >= queue {
		defer t.mu.Unlock()
		return nil, t.refuse(p)
	}
	given := make(chan struct{})
	if p.waiting = append(p.waiting, given); len(p.waiting) == 1 {
		t.turns = append(t.turns, p)
	}
	t.mu.Unlock()
	select {
	case <-given:
		return t.leaver(p), nil
	case <-late:
	case <-ctx.Done():
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	at := slices.Index(p.waiting, given)
	switch {
	case at < 0 && ctx.Err() == nil: // given meanwhile
		return t.leaver(p), nil
	case at < 0:
		t.takeBack(p)
	default:
		p.waiting = slices.Delete(p.waiting, at, at+1)
		t.forget(p)
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return nil, t.refuse(p)
}

func (t *turnstile) partyOf(ctx context.Context) *party {
	name := partyOf(ctx)
	p := t.parties[name]
	if p == nil {
		p = &party{name: name}
		t.parties[name] = p
	}
	return p
}

func (t *turnstile) hasPlace(p *party) bool {
	free := t.slots - t.held
	return free > t.spared || free > 0 && p.held == 0
}

// give gives a place to a party.
func (t *turnstile) give(p *party) (leave func()) {
	t.held++
	p.held++
	return t.leaver(p)
}

func (t *turnstile) leaver(p *party) func() {
	began := time.Now()
	return func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.pace += (time.Since(began) - t.pace) / 8
		t.takeBack(p)
	}
}

// takeBack takes a place from a party, and gives what is free to those who wait.
func (t *turnstile) takeBack(p *party) {
	t.held--
	p.held--
	t.forget(p)
	for {
		var next *party
		for _, p := range t.turns {
			if t.hasPlace(p) && (next == nil || p.held < next.held) {
				next = p
			}
		}
		if next == nil {
			return
		}
		t.give(next)
		close(next.waiting[0])
		next.waiting = next.waiting[1:]
		at := slices.Index(t.turns, next)
		t.turns = slices.Delete(t.turns, at, at+1)
		if len(next.waiting) > 0 {
			t.turns = append(t.turns, next)
		}
	}
}

// forget forgets a party where nothing is known of it any more.
func (t *turnstile) forget(p *party) {
	if len(p.waiting) > 0 {
		return
	}
	if at := slices.Index(t.turns, p); at >= 0 {
		t.turns = slices.Delete(t.turns, at, at+1)
	}
	if p.held == 0 {
		delete(t.parties, p.name)
	}
}

// refuse tells a party when its requests before this one will have been worked on, if
// others go on as they do.
func (t *turnstile) refuse(p *party) error {
	t.reject(t.name)
	share := max(1, t.slots/max(1, len(t.parties)))
	problem := newProblem("busy", "the server has as much to do for you as it can; try again in a moment")
	problem.retry = t.pace * time.Duration(len(p.waiting)+1) / time.Duration(share)
	t.forget(p)
	return problem
}

// queued is how many requests wait.
func (t *turnstile) queued() (n int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, p := range t.turns {
		n += len(p.waiting)
	}
	return n
}
