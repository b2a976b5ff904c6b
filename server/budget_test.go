package server

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"
)

func TestBudget(t *testing.T) {
	refused := 0
	b := newBudget(&Limits{Memory: 100 << 20}, func() { refused++ })
	b.reserve = 25 << 20
	one, two, more := &share{budget: b, party: "a"}, &share{budget: b, party: "b"}, &share{budget: b, party: "a"}
	code := func(err error) string {
		var p *Problem
		if errors.As(err, &p) {
			return p.Code
		}
		return fmt.Sprint(err)
	}
	for _, c := range []struct {
		of   *share
		mib  int64
		want string
		used int
	}{
		{one, 60, "<nil>", 60}, {more, 16, "busy", 60}, {two, 50, "busy", 60}, {two, 20, "<nil>", 80}, {two, 70, "too_large", 80}, {one, 1, "busy", 80},
		{two, 5, "<nil>", 85}, {two, 1, "busy", 85},
	} {
		if got := code(c.of.draw(c.mib << 20)); got != c.want || b.inUse() != c.used<<20 {
			t.Errorf("%d MiB: %s with %d in use, want %s and %d MiB", c.mib, got, b.inUse(), c.want, c.used)
		}
	}
	one.give(10 << 20)
	two.end()
	two.end()
	if b.inUse() != 50<<20 || refused != 5 {
		t.Errorf("%d are in use, %d were refused", b.inUse(), refused)
	}
	// A party that has nothing waits for what it needs.
	b.wait = time.Minute
	if err := two.draw(25 << 20); err != nil {
		t.Fatal(err)
	}
	if err := (&share{budget: b, party: "d"}).draw(20 << 20); err != nil {
		t.Fatal(err)
	}
	waiting := &share{budget: b, party: "e"}
	drawn := make(chan error)
	go func() { drawn <- waiting.draw(10 << 20) }()
	two.end()
	if err := <-drawn; err != nil {
		t.Error(err)
	}
	waiting.end()
	b.wait = 0
	b.used, b.of = 50<<20, map[string]int64{"a": 50 << 20}
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 1000 {
				s := &share{budget: b, party: "c"}
				_ = s.draw(20 << 20)
				s.end()
			}
		})
	}
	if all.Wait(); b.inUse() != 50<<20 {
		t.Errorf("%d are in use", b.inUse())
	}
}

// What there is no memory for is refused, with a word which memory, and comes through when
// others are done.
func TestMemory(t *testing.T) {
	if _, err := New(Config{Limits: Limits{Memory: 1 << 20}}); err == nil || !strings.Contains(err.Error(), "memory") {
		t.Errorf("a server with a mebibyte: %v", err)
	}
	a := start(t, Config{Root: t.TempDir(), Limits: Limits{Memory: leastMemory, QueueWait: time.Millisecond}})
	if l := a.server.limits; l.AnswerBytes != leastMemory/8 || l.KeptBytes != leastMemory/4 {
		t.Errorf("answers of %d bytes, %d are kept", l.AnswerBytes, l.KeptBytes)
	}
	a.call(201, "POST", "/v1/collections", `{"name": "pets"}`)
	a.call(200, "POST", "/v1/collections/pets/documents", animals)
	var others []*share // as many as it takes
	for i := range int64(4) {
		s := &share{budget: a.server.memory, party: fmt.Sprint(i)}
		if err := s.draw(min(50<<20, leastMemory-1<<20-50<<20*i)); err != nil {
			t.Fatal(err)
		}
		others = append(others, s)
	}
	for _, c := range [][3]string{
		{"POST", searchPath, `{"query": "dog AND NOT leash"}`}, {"POST", "/v1/collections/pets/explain", `{"query": "dog", "id": "cat"}`},
		{"GET", "/v1/collections/pets/documents", ""}, {"GET", "/v1/collections/pets/documents/cat", ""},
		{"POST", "/v1/collections/pets/documents/lookup", `{"ids": ["cat"]}`},
		{"POST", "/v1/collections/pets/documents", `{"text": "` + strings.Repeat("long ", 1<<18) + `"}`},
	} {
		a.fails("busy", "--memory", c[0], c[1], c[2])
	}
	response, _ := a.request("POST", searchPath, http.Header{"Content-Type": {"application/json"}}, strings.NewReader(`{"query": "dog"}`))
	if response.Header.Get("Retry-After") != "1" {
		t.Errorf("%v", response.Header)
	}
	if response, _ := a.request("POST", "/v1/collections/pets/documents/bulk", http.Header{"Content-Type": {ndjson}}, strings.NewReader(`{"text": "one more"}`)); response.StatusCode != 429 {
		t.Errorf("a bulk request: %s", response.Status)
	}
	_, metrics := a.request("GET", "/metrics", nil, nil)
	for _, want := range []string{`nsfl_rejected_total{kind="memory"} 8`, fmt.Sprintf("nsfl_memory_bytes %v", float64(leastMemory-1<<20))} {
		if !strings.Contains(string(metrics), want) {
			t.Errorf("the metrics do not have %s", want)
		}
	}
	for _, s := range others {
		s.end()
	}
	a.call(200, "POST", searchPath, `{"query": "dog AND NOT leash", "keep": true, "columns": true, "compare": true}`)
	if n := a.server.memory.inUse(); n != 0 {
		t.Errorf("%d bytes are in use when nobody asks", n)
	}
	a.fails("too_large", "memory", "POST", "/v1/collections/pets/documents", `{"passages": [""`+strings.Repeat(`,""`, 2<<20)+`]}`)
}
