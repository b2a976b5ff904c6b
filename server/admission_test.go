package server

import (
	"context"
	"fmt"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// as is the context of a request that counts for a party.
func as(party string) context.Context {
	return context.WithValue(context.Background(), recordKey{}, &record{party: party})
}

// Places go round: who has many requests waiting gets one at a time, and nobody all.
func TestTurns(t *testing.T) {
	gate := newAdmission("x", 8, 5, time.Minute, func(string) {})
	var leaves []func()
	for range 6 {
		leave, err := gate.enter(as("greedy"))
		if err != nil {
			t.Fatal(err)
		}
		leaves = append(leaves, leave)
	}
	if gate.hasPlace(gate.partyOf(as("greedy"))) {
		t.Error("one party gets the places that are spared")
	}
	for range 2 { // others do, one each
		if _, err := gate.enter(as(fmt.Sprint("other", len(gate.parties)))); err != nil {
			t.Fatal(err)
		}
	}
	var mu sync.Mutex
	var order []string
	var done sync.WaitGroup
	wait := func(party string) {
		before := gate.queued()
		done.Go(func() {
			leave, err := gate.enter(as(party))
			if err != nil {
				t.Error(err)
				return
			}
			mu.Lock()
			order = append(order, party)
			mu.Unlock()
			leave()
		})
		for gate.queued() == before {
			runtime.Gosched()
		}
	}
	for range 5 {
		wait("greedy")
	}
	for _, party := range []string{"a", "b", "a"} {
		wait(party)
	}
	if _, err := gate.enter(as("greedy")); problemOf(err).Code != "busy" {
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
	gate := newAdmission("x", 2, 100, time.Minute, func(string) {})
	var done sync.WaitGroup
	for i := range 200 {
		ctx, cancel := context.WithCancel(as(fmt.Sprint("party", i%7)))
		done.Go(func() {
			leave, err := gate.stay(ctx)
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

// A key with 24 connections that never pause keeps no other key from searching.
func TestFairSearches(t *testing.T) {
	greedy, greedyKey, err := NewKey(Read, "")
	if err != nil {
		t.Fatal(err)
	}
	a := start(t, Config{Root: t.TempDir(), Keys: append(slices.Clone(testKeys), greedyKey), Limits: Limits{Searches: 4, QueueWait: time.Minute}})
	a.key = testSecrets[Admin]
	a.call(201, "POST", "/v1/collections", `{"name": "pets"}`)
	a.call(200, "POST", "/v1/collections/pets/documents", animals)
	var flood sync.WaitGroup
	over := make(chan struct{})
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 24}}
	defer client.CloseIdleConnections()
	for range 24 {
		flood.Go(func() {
			for {
				select {
				case <-over:
					return
				default:
				}
				r, err := http.NewRequest("POST", a.base+searchPath, strings.NewReader(`{"query": "dog AND NOT leash"}`))
				if err != nil {
					t.Error(err)
					return
				}
				r.Header.Set("X-Api-Key", greedy)
				if response, err := client.Do(r); err == nil {
					response.Body.Close()
				}
			}
		})
	}
	for a.server.searches.queued() < 16 {
		runtime.Gosched()
	}
	a.key = testSecrets[Read]
	refused := 0
	for range 56 {
		if response, _ := a.request("POST", searchPath, nil, strings.NewReader(`{"query": "cat"}`)); response.StatusCode != 200 {
			refused++
		}
	}
	close(over)
	flood.Wait()
	if refused > 0 {
		t.Errorf("%d of 56 searches of the other key were refused", refused)
	}
}

func TestRate(t *testing.T) {
	a := start(t, Config{Root: t.TempDir(), Keys: testKeys, Limits: Limits{Rate: 1, Burst: 3}})
	a.key = testSecrets[Read]
	for range 3 {
		a.call(200, "GET", "/v1/collections", "")
	}
	response, content := a.request("GET", "/v1/collections", nil, nil)
	if response.StatusCode != 429 || response.Header.Get("Retry-After") != "1" || !strings.Contains(string(content), "1 requests a second") {
		t.Errorf("the fourth: %d, %v: %s", response.StatusCode, response.Header, content)
	}
	a.call(200, "GET", "/healthz", "")
	a.key = testSecrets[Write]
	a.call(200, "GET", "/v1/collections", "")

	gate := newAdmission("x", 2, 0, time.Minute, func(string) {})
	for _, party := range []string{"a", "b"} {
		if _, err := gate.enter(as(party)); err != nil {
			t.Fatal(err)
		}
	}
	gate.pace = 7 * time.Second
	if _, err := gate.enter(as("b")); retryAfter(problemOf(err).retry) != 7 {
		t.Errorf("with one place for each: %v", problemOf(err).retry)
	}

	r, now := newRates(Limits{Rate: 2, Burst: 1}), time.Now()
	if err := r.take("a", now); err != nil {
		t.Fatal(err)
	}
	if p := problemOf(r.take("a", now)); p.retry != time.Second/2 || retryAfter(p.retry) != 1 {
		t.Errorf("come back after %s", p.retry)
	}
	if err := r.take("a", now.Add(time.Second/2)); err != nil {
		t.Errorf("coming back when told to: %v", err)
	}
	for i := range 3 * fewParties { // parties that rest are forgotten
		_ = r.take(fmt.Sprint(i), now.Add(time.Duration(i)*time.Second))
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
		if got := addressOf(remote); got != want {
			t.Errorf("%s: %s, want %s", remote, got, want)
		}
	}
}
