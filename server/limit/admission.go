package limit

import (
	"context"
	"math"
	"slices"
	"sync"
	"time"
)

// Admission limits how many requests of a kind run at once, and shares the slots among
// parties: keys or, without keys, addresses. A few more requests of each party wait for a
// short time; the rest are refused, because in a queue that only grows everyone waits and
// nobody succeeds.
//
// A free slot goes to the waiting party that holds the fewest, in turns. One party may hold
// all slots but those reserved for parties that hold none: a running request is not
// interrupted, and a new party must not wait until others are done.
type Admission struct {
	name  string
	slots int
	// Reserved is the number of slots for parties that hold none.
	Reserved int
	queue    int // requests of one party that may wait
	wait     time.Duration
	of       func(context.Context) string // the party of a request
	reject   func(name string)            // for the metrics

	mu      sync.Mutex
	parties map[string]*party // parties that hold a slot or wait
	turns   []*party          // waiting parties, next first
	held    int
	pace    time.Duration // moving average of how long slots were held
}

// party is a key or an address.
type party struct {
	name    string
	held    int
	waiting []chan struct{} // closed when a slot is granted
}

// NewAdmission returns an admission control with slots for requests of one kind, named in
// metrics. The function of returns the party of a request, and reject counts refusals.
func NewAdmission(name string, slots, queue int, wait time.Duration, of func(context.Context) string, reject func(string)) *Admission {
	t := &Admission{name: name, slots: slots, queue: queue, wait: wait, of: of, reject: reject, parties: map[string]*party{}}
	if slots > 1 {
		t.Reserved = (slots + 3) / 4
	}
	return t
}

// Enter waits for a slot, up to t.wait. The caller calls leave.
func (t *Admission) Enter(ctx context.Context) (leave func(), err error) {
	timer := time.NewTimer(t.wait)
	defer timer.Stop()
	return t.admit(ctx, t.queue, timer.C)
}

// Wait waits for a slot as long as the context allows. It is for batches of a stream that
// has been admitted: the server does not read from the client meanwhile.
func (t *Admission) Wait(ctx context.Context) (leave func(), err error) {
	return t.admit(ctx, math.MaxInt, nil)
}

func (t *Admission) admit(ctx context.Context, queue int, late <-chan time.Time) (leave func(), err error) {
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
	case at < 0 && ctx.Err() == nil: // granted meanwhile
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

func (t *Admission) partyOf(ctx context.Context) *party {
	name := t.of(ctx)
	p := t.parties[name]
	if p == nil {
		p = &party{name: name}
		t.parties[name] = p
	}
	return p
}

func (t *Admission) hasPlace(p *party) bool {
	free := t.slots - t.held
	return free > t.Reserved || free > 0 && p.held == 0
}

// give gives a slot to a party.
func (t *Admission) give(p *party) (leave func()) {
	t.held++
	p.held++
	return t.leaver(p)
}

func (t *Admission) leaver(p *party) func() {
	began := time.Now()
	return func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.pace += (time.Since(began) - t.pace) / 8
		t.takeBack(p)
	}
}

// takeBack takes a slot from a party, and gives free slots to waiting parties.
func (t *Admission) takeBack(p *party) {
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

// forget removes a party that neither holds a slot nor waits.
func (t *Admission) forget(p *party) {
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

// refuse returns the error for a request that is not admitted. Its Retry is an
// estimate of when the party's earlier requests will be done.
func (t *Admission) refuse(p *party) error {
	t.reject(t.name)
	share := max(1, t.slots/max(1, len(t.parties)))
	retry := t.pace * time.Duration(len(p.waiting)+1) / time.Duration(share)
	t.forget(p)
	return busy(retry, "too many requests of this key are in progress; try again in a moment")
}

// InUse returns how many slots are held and how many requests wait.
func (t *Admission) InUse() (held, waiting int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, p := range t.turns {
		waiting += len(p.waiting)
	}
	return t.held, waiting
}
