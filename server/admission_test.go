package server

import (
	"context"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nsfl-go/nsfl/server/auth"
	"github.com/nsfl-go/nsfl/server/limit"
)

// as is the context of a request that counts for a party.
func as(party string) context.Context {
	return context.WithValue(context.Background(), recordKey{}, &record{party: party})
}

// queued is how many requests wait.
func queued(a *limit.Admission) int {
	_, waiting := a.InUse()
	return waiting
}

// A key with 24 connections that never pause keeps no other key from searching.
func TestFairSearches(t *testing.T) {
	greedy, greedyKey, err := auth.NewKey(Read, "")
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
	for queued(a.server.searches) < 16 {
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
}
