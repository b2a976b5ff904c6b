package limit

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"
)

type partyKey struct{}

// as is the context of a request that counts for a party.
func as(party string) context.Context {
	return context.WithValue(context.Background(), partyKey{}, party)
}

func partyOf(ctx context.Context) string {
	party, _ := ctx.Value(partyKey{}).(string)
	return party
}

func waiting(a *Admission) int {
	_, n := a.InUse()
	return n
}

// refusal returns the refusal in an error, or an empty one.
func refusal(err error) *Refusal {
	r := &Refusal{}
	errors.As(err, &r)
	return r
}

// Places go round: who has many requests waiting gets one at a time, and nobody all.
func TestTurns(t *testing.T) {
	gate := NewAdmission("x", 8, 5, time.Minute, partyOf, func(string) {})
	var leaves []func()
	for range 6 {
		leave, err := gate.Enter(as("greedy"))
		if err != nil {
			t.Fatal(err)
		}
		leaves = append(leaves, leave)
	}
	if gate.hasPlace(gate.partyOf(as("greedy"))) {
		t.Error("one party gets the places that are spared")
	}
	for range 2 { // others do, one each
		if _, err := gate.Enter(as(fmt.Sprint("other", len(gate.parties)))); err != nil {
			t.Fatal(err)
		}
	}
	var mu sync.Mutex
	var order []string
	var done sync.WaitGroup
	wait := func(party string) {
		before := waiting(gate)
		done.Go(func() {
			leave, err := gate.Enter(as(party))
			if err != nil {
				t.Error(err)
				return
			}
			mu.Lock()
			order = append(order, party)
			mu.Unlock()
			leave()
		})
		for waiting(gate) == before {
			runtime.Gosched()
		}
	}
	for range 5 {
		wait("greedy")
	}
	for _, party := range []string{"a", "b", "a"} {
		wait(party)
	}
	if _, err := gate.Enter(as("greedy")); refusal(err).Kind != "busy" {
		t.Errorf("a queue that is full: %v", err)
	}
	leaves[0]()
	had := func() int {
		mu.Lock()
		defer mu.Unlock()
		return len(order)
	}
	for had() < 3 {
		runtime.Gosched()
	}
	for _, leave := range leaves[1:] {
		leave()
	}
	done.Wait()
	if want := []string{"a", "b", "a", "greedy", "greedy", "greedy", "greedy", "greedy"}; !slices.Equal(order, want) {
		t.Errorf("the turns: %v", order)
	}
	if gate.held != 2 || len(gate.turns) != 0 || len(gate.parties) != 2 {
		t.Errorf("%d places are held, %d wait, %d parties are known", gate.held, len(gate.turns), len(gate.parties))
	}
}

// Who goes away while a place is given leaves it to the next.
func TestTurnsGoneMeanwhile(t *testing.T) {
	gate := NewAdmission("x", 2, 100, time.Minute, partyOf, func(string) {})
	var done sync.WaitGroup
	for i := range 200 {
		ctx, cancel := context.WithCancel(as(fmt.Sprint("party", i%7)))
		done.Go(func() {
			leave, err := gate.Wait(ctx)
			if err == nil {
				runtime.Gosched()
				leave()
			}
		})
		done.Go(cancel)
	}
	done.Wait()
	if gate.held != 0 || len(gate.turns) != 0 || len(gate.parties) != 0 {
		t.Errorf("%d places are held, %d wait, %d parties are known", gate.held, len(gate.turns), len(gate.parties))
	}
}

// A refused request comes back when its party's earlier requests are done.
func TestRetry(t *testing.T) {
	gate := NewAdmission("x", 2, 0, time.Minute, partyOf, func(string) {})
	for _, party := range []string{"a", "b"} {
		if _, err := gate.Enter(as(party)); err != nil {
			t.Fatal(err)
		}
	}
	gate.pace = 7 * time.Second
	if _, err := gate.Enter(as("b")); refusal(err).Retry.Round(time.Second) != 7*time.Second {
		t.Errorf("with one place for each: %v", refusal(err).Retry)
	}
}

func TestRates(t *testing.T) {
	r, now := NewRates(2, 1), time.Now()
	if err := r.Take("a", now); err != nil {
		t.Fatal(err)
	}
	if p := refusal(r.Take("a", now)); p.Retry != time.Second/2 {
		t.Errorf("come back after %s", p.Retry)
	}
	if err := r.Take("a", now.Add(time.Second/2)); err != nil {
		t.Errorf("coming back when told to: %v", err)
	}
	for i := range 3 * fewParties { // parties that rest are forgotten
		_ = r.Take(fmt.Sprint(i), now.Add(time.Duration(i)*time.Second))
	}
	if len(r.parties) > fewParties {
		t.Errorf("%d parties are known", len(r.parties))
	}
}

func TestAddressOf(t *testing.T) {
	for remote, want := range map[string]string{
		"192.0.2.7:80": "192.0.2.7", "[::ffff:192.0.2.7]:80": "192.0.2.7", "[::1]:80": "::1",
		"[2001:db8:1:2:3::4]:80": "2001:db8:1:2::/64", "[fe80::1%eth0]:80": "fe80::/64", "pipe": "pipe", "": "",
	} {
		if got := AddressOf(remote); got != want {
			t.Errorf("%s: %s, want %s", remote, got, want)
		}
	}
}
