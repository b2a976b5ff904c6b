//go:build linux

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nsfl-go/nsfl/internal/testserver"
)

// fairness is a server with little memory and two keys: one takes what it gets, the other
// searches.
type fairness struct {
	base                string
	greedy, other       string // keys
	connections, rounds int
	asked               int // searches of the other key so far
}

// load is a kind of request that one key sends over many connections.
type load struct {
	name, method, path, contentType string
	body                            []byte
}

// outcome is what became of the requests of one key.
type outcome struct {
	answered, refused int
	took              []time.Duration
}

// at returns a quantile of the times, in ms.
func (o *outcome) at(quantile float64) float64 {
	slices.Sort(o.took)
	return inMS(o.took[int(quantile*float64(len(o.took)))])
}

// fair prints how long the searches of one key take while another key sends requests of each
// kind.
func fair(ctx context.Context, args []string) error {
	f := flag.NewFlagSet("fair", flag.ExitOnError)
	binary := f.String("binary", "", "nsfl to measure; default: build it")
	memory := f.String("memory", "201326592", "--memory of the server; the default is the smallest that is accepted")
	only := f.String("only", "", "measure this kind of request only")
	s := &fairness{}
	f.IntVar(&s.connections, "connections", 64, "connections of the greedy key")
	f.IntVar(&s.rounds, "n", 60, "searches of the other key in each of five turns")
	_ = f.Parse(args) // it exits
	dir, err := os.MkdirTemp("", "nsfl-fair-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if *binary == "" {
		*binary = filepath.Join(dir, "nsfl")
		if out, err := exec.CommandContext(ctx, "go", "build", "-o", *binary, "./cmd/nsfl").CombinedOutput(); err != nil {
			return fmt.Errorf("building: %w\n%s", err, out)
		}
	}
	server, err := s.start(ctx, dir, *binary, *memory)
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
		if *only != "" && *only != l.name {
			continue
		}
		var idle, beside, greedy outcome
		for range 5 { // in turns, because other programs use the machine too
			s.search(ctx, &idle)
			s.searchBeside(ctx, l, &beside, &greedy)
		}
		fmt.Printf("| %s | %d, %d | %.1f | %.1f | %.1f | %d |\n", l.name, greedy.answered, greedy.refused, idle.at(0.95), beside.at(0.95),
			beside.at(0.95)/idle.at(0.95), idle.refused+beside.refused)
	}
	return ctx.Err()
}

// start makes the keys, and starts a server of the demo and an empty directory.
func (s *fairness) start(ctx context.Context, dir, binary, memory string) (*exec.Cmd, error) {
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
	output := &testserver.Tail{}
	c := exec.Command(binary, "serve", "--demo", "--collections", root, "--keys-file", keys, "--listen", "127.0.0.1:"+port, "--log", "off", "--memory", memory)
	c.Stderr = output
	if err := c.Start(); err != nil {
		return nil, err
	}
	ended := make(chan struct{})
	go func() { _ = c.Wait(); close(ended) }()
	return c, testserver.Wait(ctx, ended, output.String, func(ctx context.Context) bool { return testserver.Answers(ctx, s.base+"/readyz") })
}

// fill stores 20 documents of 5 MB.
func (s *fairness) fill(ctx context.Context) error {
	status, err := s.call(ctx, s.greedy, load{"", http.MethodPost, "/v1/collections", "application/json", []byte(`{"name": "long"}`)})
	for i := 0; i < 20 && err == nil && status < 300; i++ {
		body, _ := json.Marshal(map[string]any{ // strings are always marshalled
			"id": fmt.Sprint(i), "title": fmt.Sprint("dog ", i), "text": strings.Repeat("a dog runs free ", 5<<16), "passages": []string{fmt.Sprint("dog ", i)}})
		status, err = s.call(ctx, s.greedy, load{"", http.MethodPost, "/v1/collections/long/documents", "application/json", body})
	}
	if err == nil && status >= 300 {
		err = fmt.Errorf("storing documents: status %d", status)
	}
	return err
}

// loads returns requests of each kind, as large as a client would send them in order to be
// a burden.
func loads() []load {
	const post, asJSON, long = http.MethodPost, "application/json", "/v1/collections/long"
	atoms := make([]string, 64)
	for i := range atoms {
		atoms[i] = fmt.Sprintf("number %d of many", i)
	}
	formula := strings.Join(atoms, " AND ")
	texts, _ := json.Marshal(map[string]any{"model": "builtin", "input": atoms}) // strings are always marshalled
	call := `{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "search", "arguments": {"collection": "long", "query": "` + formula + `"}}}`
	var upload bytes.Buffer
	form := multipart.NewWriter(&upload)
	part, _ := form.CreateFormFile("file", "notes.txt") // a buffer takes all
	_, _ = io.WriteString(part, strings.Repeat("A dog runs free beside the sea.\n\n", 2000))
	_ = form.Close()
	return []load{
		{"searches", post, long + "/search", asJSON, []byte(`{"query": "` + formula + `", "k": 100, "explain": true}`)},
		{"lists", http.MethodGet, long + "/documents?limit=20", "", nil},
		{"documents", http.MethodGet, long + "/documents/7", "", nil},
		{"embeddings", post, "/v1/embeddings", asJSON, texts},
		{"parse", post, "/v1/parse", asJSON, []byte(`{"query": "` + formula + `"}`)},
		{"plan", post, "/v1/plan", asJSON, []byte(`{"query": "` + formula + `"}`)},
		{"MCP calls", post, "/mcp", asJSON, []byte(call)},
		{"MCP batches", post, "/mcp", asJSON, []byte("[" + strings.Repeat(call+",", 39) + call + "]")},
		{"uploads", post, long + "/files", form.FormDataContentType(), upload.Bytes()},
	}
}

// call sends a request and reads the whole answer.
func (s *fairness) call(ctx context.Context, key string, l load) (status int, err error) {
	request, err := http.NewRequestWithContext(ctx, l.method, s.base+l.path, bytes.NewReader(l.body))
	if err != nil {
		return 0, err
	}
	request.Header.Set("Authorization", "Bearer "+key)
	request.Header.Set("Accept", "application/json, text/event-stream")
	if l.contentType != "" {
		request.Header.Set("Content-Type", l.contentType)
	}
	response, err := fairClient.Do(request)
	if err != nil {
		return 0, err
	}
	defer response.Body.Close() //nolint:errcheck // it was only read
	_, err = io.Copy(io.Discard, response.Body)
	return response.StatusCode, err
}

var fairClient = &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 1000}}

// search searches with the other key, one query after the other, each with a new word.
func (s *fairness) search(ctx context.Context, o *outcome) {
	for range s.rounds {
		s.asked++
		body := fmt.Appendf(nil, `{"query": "dog AND w%d AND NOT ball"}`, s.asked)
		began := time.Now()
		if status, err := s.call(ctx, s.other, load{"", http.MethodPost, "/v1/collections/demo/search", "application/json", body}); err != nil || status != http.StatusOK {
			o.refused++
		}
		o.took = append(o.took, time.Since(began))
	}
}

// searchBeside searches while the greedy key sends requests over all its connections. A
// refused connection waits for a moment, though not for as long as the server asks.
func (s *fairness) searchBeside(ctx context.Context, l load, o, greedy *outcome) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	var all sync.WaitGroup
	var answered, refused atomic.Int64
	for range s.connections {
		all.Go(func() {
			for ctx.Err() == nil {
				if status, err := s.call(ctx, s.greedy, l); err == nil && status == http.StatusOK {
					answered.Add(1)
				} else if ctx.Err() == nil {
					refused.Add(1)
					time.Sleep(50 * time.Millisecond)
				}
			}
		})
	}
	time.Sleep(time.Second) // the queues fill
	s.search(ctx, o)
	stop()
	all.Wait()
	greedy.answered += int(answered.Load())
	greedy.refused += int(refused.Load())
}
