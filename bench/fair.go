//go:build linux

package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nsfl-go/nsfl/internal/testserver"
)

// fairness is a server with little memory and two keys: one takes what it gets, the other
// searches.
type fairness struct {
	base          string
	greedy, other string // keys
	asked         int    // searches of the other key so far
}

// load is a kind of request that one key sends over 64 connections.
type load struct {
	name, method, path, contentType string
	body                            []byte
}

// outcome is what became of the requests of one key.
type outcome struct {
	answered, refused atomic.Int64
	took              []float64 // ms
}

// fair prints how long the searches of one key take while another key sends requests of each
// kind.
func fair(ctx context.Context, args []string) error {
	f := flag.NewFlagSet("fair", flag.ExitOnError)
	binary := f.String("binary", "", "nsfl to measure; default: build it")
	s := &fairness{}
	_ = f.Parse(args) // it exits
	dir, err := os.MkdirTemp("", "nsfl-fair-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if *binary == "" {
		if *binary, err = build(ctx, dir); err != nil {
			return err
		}
	}
	server, err := s.start(ctx, dir, *binary)
	if err != nil {
		return err
	}
	defer server.Process.Kill() //nolint:errcheck // it may have ended
	if err := s.fill(ctx); err != nil {
		return err
	}
	s.search(ctx, &outcome{}) // warm up
	fmt.Println("| requests of the greedy key | answered, refused | searches alone, ms | beside them, ms | times | refused |\n|---|---:|---:|---:|---:|---:|")
	for _, l := range loads() {
		var idle, beside, greedy outcome
		for range 3 { // in turns, because other programs use the machine too
			s.search(ctx, &idle)
			s.searchBeside(ctx, l, &beside, &greedy)
		}
		alone, loaded := spreadOf(idle.took).P95, spreadOf(beside.took).P95
		fmt.Printf("| %s | %d, %d | %.1f | %.1f | %.1f | %d |\n", l.name, greedy.answered.Load(), greedy.refused.Load(), alone, loaded, loaded/alone, idle.refused.Load()+beside.refused.Load())
	}
	return ctx.Err()
}

// start makes the keys, and starts a server of the demo and an empty directory.
func (s *fairness) start(ctx context.Context, dir, binary string) (*exec.Cmd, error) {
	root, keys := filepath.Join(dir, "collections"), filepath.Join(dir, "keys")
	if err := os.Mkdir(root, 0o700); err != nil {
		return nil, err
	}
	for role, key := range map[string]*string{"admin": &s.greedy, "read": &s.other} {
		out, err := exec.CommandContext(ctx, binary, "serve", "key", "--role", role, "--keys-file", keys).Output()
		if err != nil {
			return nil, fmt.Errorf("making a key: %w", err)
		}
		*key = strings.TrimSpace(string(out))
	}
	port, err := testserver.FreePort()
	if err != nil {
		return nil, err
	}
	s.base = "http://127.0.0.1:" + port
	return serve(ctx, binary, port, "--demo", "--collections", root, "--keys-file", keys, "--memory", "201326592") // the least that it accepts
}

// fill stores 20 documents of 5 MB.
func (s *fairness) fill(ctx context.Context) error {
	if !s.call(ctx, s.greedy, post("", "/v1/collections", `{"name": "long"}`)) {
		return errors.New("the server does not make a collection")
	}
	text := strings.Repeat("a dog runs free ", 5<<16)
	for i := range 20 {
		if !s.call(ctx, s.greedy, post("", "/v1/collections/long/documents", fmt.Sprintf(`{"id": "%d", "text": %q, "passages": ["dog %d"]}`, i, text, i))) {
			return errors.New("the server does not store documents")
		}
	}
	return nil
}

func post(name, path, body string) load {
	return load{name, http.MethodPost, path, "application/json", []byte(body)}
}

// loads returns requests of each kind, as large as a client would send them in order to be
// a burden.
func loads() []load {
	const long = "/v1/collections/long"
	atoms := make([]string, 64)
	for i := range atoms {
		atoms[i] = fmt.Sprintf("number %d of many", i)
	}
	query := `"query": "` + strings.Join(atoms, " AND ") + `"`
	call := `{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "search", "arguments": {"collection": "long", ` + query + `}}}`
	file := "--b\r\nContent-Disposition: form-data; name=file; filename=notes.txt\r\n\r\n" + strings.Repeat("A dog runs free.\n\n", 4000) + "\r\n--b--\r\n"
	return []load{
		post("searches", long+"/search", `{`+query+`, "k": 100, "explain": true}`),
		{"lists", http.MethodGet, long + "/documents?limit=20", "", nil},
		{"documents", http.MethodGet, long + "/documents/7", "", nil},
		post("embeddings", "/v1/embeddings", `{"model": "builtin", "input": ["`+strings.Join(atoms, `", "`)+`"]}`),
		post("parse", "/v1/parse", `{`+query+`}`),
		post("plan", "/v1/plan", `{`+query+`}`),
		post("MCP calls", "/mcp", call),
		post("MCP batches", "/mcp", "["+strings.Repeat(call+",", 39)+call+"]"),
		{"uploads", http.MethodPost, long + "/files", "multipart/form-data; boundary=b", []byte(file)},
	}
}

// call sends a request, reads the whole answer and reports whether it succeeded.
func (s *fairness) call(ctx context.Context, key string, l load) bool {
	request, err := http.NewRequestWithContext(ctx, l.method, s.base+l.path, bytes.NewReader(l.body))
	if err != nil {
		return false
	}
	request.Header.Set("Authorization", "Bearer "+key)
	request.Header.Set("Accept", "application/json, text/event-stream")
	if l.contentType != "" {
		request.Header.Set("Content-Type", l.contentType)
	}
	response, err := fairClient.Do(request)
	if err != nil {
		return false
	}
	defer response.Body.Close() //nolint:errcheck // it was only read
	_, err = io.Copy(io.Discard, response.Body)
	return err == nil && response.StatusCode < 300
}

var fairClient = &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 1000}}

// search searches with the other key, one query after the other, each with a new word.
func (s *fairness) search(ctx context.Context, o *outcome) {
	for until := time.Now().Add(5 * time.Second); time.Now().Before(until) && ctx.Err() == nil; {
		s.asked++
		began := time.Now()
		if !s.call(ctx, s.other, post("", "/v1/collections/demo/search", fmt.Sprintf(`{"query": "dog AND w%d AND NOT ball"}`, s.asked))) {
			o.refused.Add(1)
		}
		o.took = append(o.took, inMS(time.Since(began)))
	}
}

// searchBeside searches while the greedy key sends requests over all its connections. A
// refused connection waits for a moment, though not for as long as the server asks.
func (s *fairness) searchBeside(ctx context.Context, l load, o, greedy *outcome) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	var all sync.WaitGroup
	for range 64 {
		all.Go(func() {
			for ctx.Err() == nil {
				if s.call(ctx, s.greedy, l) {
					greedy.answered.Add(1)
				} else if ctx.Err() == nil {
					greedy.refused.Add(1)
					time.Sleep(50 * time.Millisecond)
				}
			}
		})
	}
	time.Sleep(time.Second) // the queues fill
	s.search(ctx, o)
	stop()
	all.Wait()
}
