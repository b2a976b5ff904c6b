package server

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/nsfl-go/nsfl/server/limit"
)

// What there is no memory for is refused, with a word which memory, and comes through when
// others are done.
func TestMemory(t *testing.T) {
	if _, err := New(Config{Limits: Limits{Memory: 1 << 20}}); err == nil || !strings.Contains(err.Error(), "memory") {
		t.Errorf("a server with a mebibyte: %v", err)
	}
	a := start(t, Config{Root: t.TempDir(), Limits: Limits{Memory: leastMemory, QueueWait: time.Millisecond}})
	if l := a.server.limits; l.AnswerBytes != leastMemory/8 {
		t.Errorf("answers of %d bytes", l.AnswerBytes)
	}
	a.call(201, "POST", "/v1/collections", `{"name": "pets"}`)
	a.call(200, "POST", "/v1/collections/pets/documents", animals)
	var others []*limit.Share // as many as it takes
	for i := range int64(4) {
		s := &limit.Share{Memory: a.server.memory, Party: fmt.Sprint(i)}
		if err := s.Draw(min(50<<20, leastMemory-1<<20-50<<20*i)); err != nil {
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
		t.Errorf("got the header %v, want Retry-After: 1", response.Header)
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
		s.End()
	}
	a.call(200, "POST", searchPath, `{"query": "dog AND NOT leash", "columns": true, "compare": true}`)
	if n := a.server.memory.InUse(); n != 0 {
		t.Errorf("%d bytes are in use when nobody asks", n)
	}
	a.fails("too_large", "memory", "POST", "/v1/collections/pets/documents", `{"passages": [""`+strings.Repeat(`,""`, 2<<20)+`]}`)
}
