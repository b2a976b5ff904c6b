package server

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/nsfl-go/nsfl/server/limit"
)

// Too much at once is refused, and goes on when there is room.
func TestOverload(t *testing.T) {
	a := start(t, Config{Root: t.TempDir(), Limits: Limits{Searches: 1, Streams: 1, Writes: 1, Queue: 1, QueueWait: time.Minute}})
	a.call(201, "POST", "/v1/collections", `{"name": "pets"}`)
	a.call(200, "POST", "/v1/collections/pets/documents", animals)
	for _, c := range []struct {
		entry      *limit.Admission
		path, body string
	}{
		{a.server.searches, searchPath, `{"query": "dog"}`},
		{a.server.streams, "/v1/collections/pets/documents", `{"text": "x"}`},
		{a.server.streams, "/v1/collections/pets/documents/bulk", `{"text": "x"}`},
	} {
		leave, err := c.entry.Enter(as("someone")) // who is inside
		if err != nil {
			t.Fatal(err)
		}
		waited := make(chan int)
		go func() { // and one waits
			response, err := http.Post(a.base+c.path, "application/json", strings.NewReader(c.body))
			if err != nil {
				waited <- 0
				return
			}
			response.Body.Close()
			waited <- response.StatusCode
		}()
		for queued(c.entry) == 0 {
			runtime.Gosched()
		}
		response, _ := a.request("POST", c.path, nil, strings.NewReader(c.body))
		if response.StatusCode != 429 || response.Header.Get("Retry-After") != "1" {
			t.Errorf("%s: %d, %v", c.path, response.StatusCode, response.Header)
		}
		a.call(200, "GET", "/healthz", "") // still
		leave()
		if status := <-waited; status != 200 {
			t.Errorf("%s: who waited got %d", c.path, status)
		}
		if response, content := a.request("POST", c.path, nil, strings.NewReader(c.body)); response.StatusCode != 200 {
			t.Errorf("%s, later: %d: %s", c.path, response.StatusCode, content)
		}
	}
	_, content := a.request("GET", "/metrics", nil, nil)
	if !strings.Contains(string(content), `nsfl_rejected_total{kind="search"} 1`) || !strings.Contains(string(content), `nsfl_rejected_total{kind="stream"} 2`) {
		t.Errorf("metrics: %s", content)
	}
	impatient := limit.NewAdmission("x", 1, 1, time.Nanosecond, partyOf, func(string) {})
	if _, err := impatient.Enter(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := impatient.Enter(t.Context()); problemOf(err).Code != "busy" {
		t.Errorf("waited too long: %v", err)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := impatient.Wait(gone); problemOf(err).Code != "cancelled" {
		t.Errorf("left meanwhile: %v", err)
	}
}

func TestLimits(t *testing.T) {
	a := start(t, Config{Root: t.TempDir(), Limits: Limits{QueryBytes: 2000, WriteBytes: 3000, StreamBytes: 4000, Results: 5}})
	a.call(201, "POST", "/v1/collections", `{"name": "pets"}`)
	a.server.limits.SearchTime = time.Nanosecond
	a.fails("timeout", "longer", "POST", searchPath, `{"query": "x"}`)
	a.fails("timeout", "longer", "GET", "/v1/collections", "")
	a.server.limits.SearchTime = time.Minute
	long := func(n int) string { return `{"text": "` + strings.Repeat("x ", n/2) + `"}` }
	a.fails("too_large", "2000", "POST", searchPath, `{"query": "`+long(3000)+`"}`)
	a.fails("too_large", "3000", "POST", "/v1/collections/pets/documents", long(5000))
	a.fails("invalid", "between 1 and 5", "POST", searchPath, `{"query": "x", "k": 6}`)
	// The decompressed size counts, too.
	header := http.Header{"Content-Encoding": {"gzip"}}
	bomb := compress([]byte(long(1 << 20)))
	if response, content := a.request("POST", "/v1/collections/pets/documents", header, bytes.NewReader(bomb[:min(len(bomb), 2900)])); response.StatusCode != 413 && response.StatusCode != 400 {
		t.Errorf("a bomb: %d: %s", response.StatusCode, content)
	}
	lines := a.lines("/v1/collections/pets/documents/bulk", ndjson, nil, strings.NewReader(`{"id": "1", "text": "x"}`+"\n"+long(5000)))
	if last := lines[len(lines)-1]; last["ok"] != false || at(last, "error", "code") != "too_large" || last["documents"] != 1.0 {
		t.Errorf("a long stream: %v", lines)
	}
	if response, _ := a.request("POST", searchPath, http.Header{"Content-Encoding": {"br"}}, strings.NewReader("x")); response.StatusCode != 415 {
		t.Errorf("brotli: %d", response.StatusCode)
	}
	if response, _ := a.request("POST", searchPath, header, strings.NewReader("not gzip")); response.StatusCode != 400 {
		t.Errorf("not gzip: %d", response.StatusCode)
	}
	// A body that stops in the middle is not waited for.
	a.server.limits.StallTime = 200 * time.Millisecond
	for path, status := range map[string]int{searchPath: 504, "/v1/collections/pets/documents": 504, "/v1/collections/pets/documents/bulk": 200, "/nowhere": 404} {
		conn, err := net.Dial("tcp", strings.TrimPrefix(a.base, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(conn, "POST "+path+" HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{"); err != nil {
			t.Fatal(err)
		}
		response, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil || response.StatusCode != status {
			t.Errorf("half a body to %s: %v, %v", path, response, err)
		}
		conn.Close()
	}
	if _, err := New(Config{Limits: Limits{Results: -1}}); err == nil {
		t.Error("a negative limit was accepted")
	}
}

func compress(content []byte) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, _ = w.Write(content) // a buffer takes everything
	_ = w.Close()
	return b.Bytes()
}

func TestGzip(t *testing.T) {
	a := withAnimals(t)
	body := compress([]byte(`{"query": "dog AND NOT leash", "all": true, "explain": true}`))
	header := http.Header{"Content-Encoding": {"gzip"}, "Accept-Encoding": {"br, gzip"}}
	r, err := http.NewRequest("POST", a.base+searchPath, bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header = header
	response, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	z, err := gzip.NewReader(response.Body)
	if err != nil || response.Header.Get("Content-Encoding") != "gzip" {
		t.Fatal(response.Header, err)
	}
	var answer map[string]any
	if err := json.NewDecoder(z).Decode(&answer); err != nil || len(ids(answer)) != 4 {
		t.Errorf("unpacked: %v, %v", answer, err)
	}
	for accept, want := range map[string]bool{"gzip": true, "gzip;q=0.5": true, "br, gzip ; q=1": true, "": false, "gzip;q=0": false, "gzip; q=0.0": false, "br": false} {
		r, err := http.NewRequest("POST", a.base+searchPath, strings.NewReader(`{"query": "dog", "explain": true, "all": true, "k": 2}`))
		if err != nil {
			t.Fatal(err)
		}
		r.Header = http.Header{"Accept-Encoding": {accept}}
		response, err := http.DefaultTransport.RoundTrip(r)
		if err != nil {
			t.Fatal(err)
		}
		n, _ := io.Copy(io.Discard, response.Body)
		response.Body.Close()
		if got := response.Header.Get("Content-Encoding") == "gzip"; got != want || response.Header.Get("Vary") != "Accept-Encoding" || !got && response.ContentLength != n {
			t.Errorf("%q: %v", accept, response.Header)
		}
	}
}

// TestGzipSmall: what fits a packet is sent as it is.
func TestGzipSmall(t *testing.T) {
	a := start(t, Config{Root: t.TempDir()})
	response, content := a.request("GET", "/v1/collections", http.Header{"Accept-Encoding": {"gzip"}}, nil)
	if response.Header.Get("Content-Encoding") != "" || response.ContentLength != int64(len(content)) {
		t.Errorf("%v: %s", response.Header, content)
	}
}

func TestShutdown(t *testing.T) {
	a := withAnimals(t)
	a.server.searches = limit.NewAdmission("search", 1, 1, time.Minute, partyOf, func(string) {})
	leave, err := a.server.searches.Enter(as("someone"))
	if err != nil {
		t.Fatal(err)
	}
	answered := make(chan int)
	go func() {
		response, err := http.Post(a.base+searchPath, "application/json", strings.NewReader(`{"query": "dog"}`))
		if err != nil {
			answered <- 0
			return
		}
		response.Body.Close()
		answered <- response.StatusCode
	}()
	for queued(a.server.searches) == 0 {
		runtime.Gosched()
	}
	a.stop()
	for !a.server.stopping.Load() {
		runtime.Gosched()
	}
	w := httptest.NewRecorder()
	a.server.Handler().ServeHTTP(w, httptest.NewRequest("GET", "http://localhost/readyz", nil))
	if w.Code != 503 {
		t.Errorf("ready while it stops: %d", w.Code)
	}
	leave()
	if status := <-answered; status != 200 {
		t.Errorf("a request in flight got %d", status)
	}
	if err := <-a.ended; err != nil {
		t.Errorf("stopped: %v", err)
	}
	a.ended <- nil
	if _, err := http.Get(a.base + "/healthz"); err == nil {
		t.Error("it still answers")
	}
	if _, _, err := a.server.collections.Use(t.Context(), "pets", false); problemOf(err).Code != "unavailable" {
		t.Errorf("a collection of a closed server: %v", err)
	}
}

// logged collects log lines.
type logged struct {
	mu sync.Mutex
	bytes.Buffer
}

func (l *logged) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.Buffer.Write(p)
}

func (l *logged) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.Buffer.String()
}

func TestPageAgentsAndPanics(t *testing.T) {
	log := &logged{}
	var seen Role
	a := start(t, Config{
		Keys: testKeys, Log: slog.New(slog.NewJSONHandler(log, nil)),
		UI: fstest.MapFS{"index.html": {Data: []byte("<p>page</p>")}, "app/a.js": {Data: []byte(strings.Repeat("1;", 2000))}},
		Agents: func(c *Collections) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				seen = RoleOf(r.Context())
				if r.Method == "PUT" {
					panic("secret of the stack")
				}
				w.WriteHeader(202)
			})
		},
	})
	for path, want := range map[string]string{"/": "text/html; charset=utf-8", "/app/a.js": "text/javascript; charset=utf-8", "/docs": "text/html; charset=utf-8"} {
		response, content := a.request("GET", path, nil, nil)
		if response.StatusCode != 200 || response.Header.Get("Content-Type") != want || len(content) == 0 {
			t.Errorf("%s: %d, %v", path, response.StatusCode, response.Header)
		}
		if !strings.Contains(response.Header.Get("Content-Security-Policy"), "default-src 'self'") || response.Header.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s: %v", path, response.Header)
		}
		if tag := response.Header.Get("ETag"); tag != "" {
			if again, _ := a.request("GET", path, http.Header{"If-None-Match": {tag}}, nil); again.StatusCode != 304 {
				t.Errorf("%s again: %d", path, again.StatusCode)
			}
		}
	}
	a.fails("not_found", "nothing at", "GET", "/app/", "")
	a.fails("not_found", "nothing at", "GET", "/app/b.js", "")
	a.fails("not_found", "nothing at", "POST", "/", "")
	if response, _ := a.request("POST", "/mcp", nil, nil); response.StatusCode != 401 {
		t.Errorf("mounted, without a key: %d", response.StatusCode)
	}
	a.key = testSecrets[Write]
	if response, _ := a.request("POST", "/mcp", nil, nil); response.StatusCode != 202 || seen != Write {
		t.Errorf("mounted: %d as %s", response.StatusCode, seen)
	}
	header := http.Header{"X-Request-Id": {"mine-1.2_3"}}
	response, content := a.request("PUT", "/mcp", header, nil)
	if response.StatusCode != 500 || strings.Contains(string(content), "secret") || response.Header.Get("X-Request-Id") != "mine-1.2_3" || !strings.Contains(string(content), "mine-1.2_3") {
		t.Errorf("a panic: %d: %s", response.StatusCode, content)
	}
	if text := log.String(); !strings.Contains(text, "secret of the stack") || !strings.Contains(text, "operation_test.go") || !strings.Contains(text, `"request_id":"mine-1.2_3"`) || !strings.Contains(text, `"key":"`+testKeys[Write-1].ID) {
		t.Errorf("the log: %s", text)
	}
	if strings.Contains(log.String(), testSecrets[Write][14:]) {
		t.Error("a key was logged")
	}
	for _, insane := range []string{"a b", strings.Repeat("x", 65), "x\"y"} {
		if response, _ := a.request("GET", "/healthz", http.Header{"X-Request-Id": {insane}}, nil); response.Header.Get("X-Request-Id") == insane {
			t.Errorf("the id %q was taken", insane)
		}
	}
}

func TestHealth(t *testing.T) {
	a := withAnimals(t)
	a.call(200, "GET", "/healthz", "")
	if r := a.call(200, "GET", "/readyz", ""); r["collections"] != 1.0 {
		t.Errorf("ready: %v", r)
	}
	if v := a.call(200, "GET", "/version", ""); v["go"] == "" || v["version"] == "" {
		t.Errorf("version: %v", v)
	}
	a.call(200, "POST", searchPath, `{"query": "dog AND NOT leash", "explain": true, "compare": true}`)
	_, content := a.request("GET", "/metrics", nil, nil)
	for _, line := range []string{
		`nsfl_http_requests_total{code="200",method="POST",route="/v1/collections/{name}/search"} 1`,
		`nsfl_search_stage_seconds_count{stage="encode"} 1`, `nsfl_search_stage_seconds_count{stage="find"} 1`,
		`nsfl_search_stage_seconds_count{stage="rank"} 1`, `nsfl_search_stage_seconds_count{stage="compare"} 1`,
		`nsfl_search_stage_seconds_count{stage="read"} 1`, `nsfl_search_stage_seconds_count{stage="explain"} 1`,
		`nsfl_collections_open 1`, `nsfl_http_in_flight 1`,
	} {
		if !strings.Contains(string(content), line+"\n") {
			t.Errorf("no metric %s", line)
		}
	}
	response, _ := a.request("HEAD", "/healthz", nil, nil)
	if response.StatusCode != 200 {
		t.Errorf("HEAD: %d", response.StatusCode)
	}
	response, _ = a.request("DELETE", "/v1/collections", nil, nil)
	if allow := response.Header.Values("Allow"); response.StatusCode != 405 || !slices.Contains(allow, "POST") {
		t.Errorf("a method that is not there: %d, %v", response.StatusCode, allow)
	}
}
