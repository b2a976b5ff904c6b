package server

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nsfl-go/nsfl/internal/ingest"
	"github.com/nsfl-go/nsfl/server/auth"
)

// BenchmarkFair measures how long the searches of one key take, alone and while another key
// sends requests of one kind over 64 connections, on a server with the least memory:
//
//	go test -run '^$' -bench Fair -benchtime 1x ./server
func BenchmarkFair(b *testing.B) {
	dir := b.TempDir()
	keys := filepath.Join(dir, "keys")
	greedy, admin, err := auth.NewKey(auth.Admin, "")
	if err != nil {
		b.Fatal(err)
	}
	other, read, err := auth.NewKey(auth.Read, "")
	if err != nil {
		b.Fatal(err)
	}
	if err := os.WriteFile(keys, []byte(admin.String()+"\n"+read.String()+"\n"), 0o600); err != nil {
		b.Fatal(err)
	}
	root := filepath.Join(dir, "collections")
	if err := os.Mkdir(root, 0o700); err != nil {
		b.Fatal(err)
	}
	_, address := startChild(b, childEnv+"="+root, keysEnv+"="+keys)
	f := &fairness{base: "http://" + address, greedy: greedy, other: other, client: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 1000}}}
	f.fill(b)
	f.search(b.Context(), time.Second) // warm up
	for _, l := range greedyLoads() {
		b.Run(l.name, func(b *testing.B) {
			for b.Loop() {
				var idle, loaded times
				f.answered.Store(0)
				f.refused.Store(0)
				for range 3 { // in turns, because other programs use the machine too
					idle.add(f.search(b.Context(), 3*time.Second))
					loaded.add(f.searchBeside(b.Context(), l))
				}
				alone, beside := idle.p95(), loaded.p95()
				b.ReportMetric(0, "ns/op")
				b.ReportMetric(alone, "idle-p95-ms")
				b.ReportMetric(beside, "loaded-p95-ms")
				b.ReportMetric(beside/alone, "ratio")
				b.ReportMetric(float64(idle.refused+loaded.refused), "refused")
				b.ReportMetric(float64(f.answered.Load()), "greedy-answered")
				b.ReportMetric(float64(f.refused.Load()), "greedy-refused")
				if f.answered.Load() == 0 {
					b.Logf("the greedy key got no complete answer, but %v", f.refusal.Load())
				}
			}
		})
	}
}

// BenchmarkUpload measures the upload of one small file, parsed by the server or by a child.
func BenchmarkUpload(b *testing.B) {
	for name, parser := range map[string][]string{"server": nil, "child": {os.Args[0], ingest.ChildArgument}} {
		b.Run(name, func(b *testing.B) {
			s, err := New(Config{Root: b.TempDir(), Parser: parser})
			if err != nil {
				b.Fatal(err)
			}
			defer s.Close()
			send := func(path, contentType string, body []byte) {
				r := httptest.NewRequest(http.MethodPost, "http://localhost"+path, bytes.NewReader(body))
				r.Header.Set("Content-Type", contentType)
				r.RemoteAddr = "127.0.0.1:1"
				w := httptest.NewRecorder()
				if s.Handler().ServeHTTP(w, r); w.Code >= 300 {
					b.Fatalf("%s: got status %d: %s", path, w.Code, w.Body)
				}
			}
			send("/v1/collections", "application/json", []byte(`{"name": "pets"}`))
			contentType, body := form("notes.md", "# Boats\n\nA boat in the harbour.")
			for b.Loop() {
				send("/v1/collections/pets/files", contentType, body.Bytes())
			}
		})
	}
}

// fairness is a server and two keys: the greedy one takes what it gets, the other searches.
type fairness struct {
	base, greedy, other string
	client              *http.Client
	asked               int          // searches of the other key so far
	answered, refused   atomic.Int64 // requests of the greedy key
	refusal             atomic.Value // the last answer to one of them
}

// times are the durations of requests in milliseconds.
type times struct {
	ms      []float64
	refused int
}

func (t *times) add(o times) { t.ms, t.refused = append(t.ms, o.ms...), t.refused+o.refused }

func (t *times) p95() float64 {
	slices.Sort(t.ms)
	return t.ms[len(t.ms)*95/100]
}

// greedyLoad is a kind of request that one key sends over 64 connections.
type greedyLoad struct{ name, method, path, contentType, body string }

func posted(name, path, body string) greedyLoad {
	return greedyLoad{name, http.MethodPost, path, "application/json", body}
}

// greedyLoads returns requests of each kind, as large as a client would send them to be a burden.
func greedyLoads() []greedyLoad {
	const long = "/v1/collections/long"
	atoms := make([]string, 64)
	for i := range atoms {
		atoms[i] = fmt.Sprintf("number %d of many", i)
	}
	query := `"query": "` + strings.Join(atoms, " AND ") + `"`
	call := `{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "search", "arguments": {"collection": "long", ` + query + `}}}`
	file := "--b\r\nContent-Disposition: form-data; name=file; filename=notes.txt\r\n\r\n" + strings.Repeat("A dog runs free.\n\n", 4000) + "\r\n--b--\r\n"
	return []greedyLoad{
		posted("searches", long+"/search", `{`+query+`, "k": 100, "explain": true}`),
		{"lists", http.MethodGet, long + "/documents?limit=20", "", ""},
		{"documents", http.MethodGet, long + "/documents/7", "", ""},
		posted("embeddings", "/v1/embeddings", `{"model": "builtin", "input": ["`+strings.Join(atoms, `", "`)+`"]}`),
		posted("parse", "/v1/parse", `{`+query+`}`),
		posted("plan", "/v1/plan", `{`+query+`}`),
		posted("MCP-calls", "/mcp", call),
		posted("MCP-batches", "/mcp", "["+strings.Repeat(call+",", 39)+call+"]"),
		{"uploads", http.MethodPost, long + "/files", "multipart/form-data; boundary=b", file},
	}
}

// fill stores 20 documents of 5 MB.
func (f *fairness) fill(b *testing.B) {
	b.Helper()
	text := strings.Repeat("a dog runs free ", 5<<16)
	requests := []greedyLoad{posted("", "/v1/collections", `{"name": "long"}`)}
	for i := range 20 {
		requests = append(requests, posted("", "/v1/collections/long/documents", fmt.Sprintf(`{"id": "%d", "text": %q, "passages": ["dog %d"]}`, i, text, i)))
	}
	for _, r := range requests {
		if !f.call(b.Context(), f.greedy, r) {
			b.Fatalf("%s %s is refused", r.method, r.path)
		}
	}
}

// call sends a request, reads the whole answer and reports whether it succeeded.
func (f *fairness) call(ctx context.Context, key string, l greedyLoad) bool {
	r, err := http.NewRequestWithContext(ctx, l.method, f.base+l.path, strings.NewReader(l.body))
	if err != nil {
		return false
	}
	r.Header.Set("Authorization", "Bearer "+key)
	r.Header.Set("Accept", "application/json, text/event-stream")
	if l.contentType != "" {
		r.Header.Set("Content-Type", l.contentType)
	}
	response, err := f.client.Do(r)
	if err != nil {
		return false
	}
	defer response.Body.Close()
	if response.StatusCode >= 300 && key == f.greedy {
		text, _ := io.ReadAll(io.LimitReader(response.Body, 300))
		f.refusal.Store(string(text))
	}
	_, err = io.Copy(io.Discard, response.Body)
	return err == nil && response.StatusCode < 300
}

// search searches with the other key, one query after the other, each with a new word.
func (f *fairness) search(ctx context.Context, long time.Duration) (t times) {
	for until := time.Now().Add(long); time.Now().Before(until) && ctx.Err() == nil; {
		f.asked++
		began := time.Now()
		if !f.call(ctx, f.other, posted("", "/v1/collections/demo/search", fmt.Sprintf(`{"query": "dog AND w%d AND NOT ball"}`, f.asked))) {
			t.refused++
		}
		t.ms = append(t.ms, float64(time.Since(began).Microseconds())/1000)
	}
	return t
}

// searchBeside searches while the greedy key sends requests over all its connections. A refused
// connection waits for a moment, though not for as long as the server asks.
func (f *fairness) searchBeside(ctx context.Context, l greedyLoad) times {
	ctx, stop := context.WithCancel(ctx)
	var all sync.WaitGroup
	defer func() { stop(); all.Wait() }()
	for range 64 {
		all.Go(func() {
			for ctx.Err() == nil {
				if f.call(ctx, f.greedy, l) {
					f.answered.Add(1)
				} else if ctx.Err() == nil {
					f.refused.Add(1)
					time.Sleep(50 * time.Millisecond)
				}
			}
		})
	}
	time.Sleep(time.Second) // the queues fill
	return f.search(ctx, 3*time.Second)
}
