package server

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nsfl-go/nsfl"
	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/index"
	"github.com/nsfl-go/nsfl/internal/testserver"
	"github.com/nsfl-go/nsfl/internal/testserver/postgrestest"
	"github.com/nsfl-go/nsfl/internal/workspace"
	"github.com/nsfl-go/nsfl/profile"
	"github.com/nsfl-go/nsfl/query"
)

// journal is a log that can be read while it is written.
type journal struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (j *journal) Write(p []byte) (int, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.b.Write(p)
}

func (j *journal) String() string {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.b.String()
}

// A collection in a store elsewhere: the store is down, comes up, falls silent and
// comes back, and others are served all the time.
func TestStoreElsewhere(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a server")
	}
	srv := postgrestest.New(t)
	proxy := testserver.NewProxy(t, srv.Address())
	proxy.Closed.Store(true)
	log := &journal{}
	a := start(t, Config{
		Root:   t.TempDir(),
		Stores: map[string]string{"films": strings.Replace(srv.DSN(), srv.Address(), proxy.Address(), 1) + "&collection=films"},
		Limits: Limits{SearchTime: 16 * time.Second, WriteTime: 16 * time.Second},
		Log:    slog.New(slog.NewTextHandler(log, nil)),
	})
	look := func(down int) { // the store is looked at every few seconds
		t.Helper()
		for deadline := time.Now().Add(time.Minute); a.server.collections.Down() != down; time.Sleep(10 * time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatalf("%d stores are down, want %d", a.server.collections.Down(), down)
			}
		}
	}
	const films, search = "/v1/collections/films", "/v1/collections/films/search"

	look(1)
	a.fails("unavailable", `the store of collection "films" cannot be reached`, "POST", search, `{"query": "dog"}`)
	a.fails("unavailable", "cannot be reached", "POST", "/v1/collections", `{"name": "films"}`)
	if h := a.call(200, "GET", "/readyz", ""); h["status"] != "ready" || h["stores_down"] != 1.0 {
		t.Errorf("while a store is down: %v", h)
	}
	a.call(201, "POST", "/v1/collections", `{"name": "pets"}`)
	a.call(200, "POST", "/v1/collections/pets/documents", animals)
	list := a.call(200, "GET", "/v1/collections", "")
	if at(list, "collections", 0, "name") != "films" || at(list, "collections", 0, "engine") != "postgres" ||
		!strings.Contains(fmt.Sprint(at(list, "collections", 0, "problem")), "cannot be reached") || at(list, "collections", 1, "documents") != 4.0 {
		t.Errorf("while a store is down: %v", list)
	}

	proxy.Closed.Store(false)
	look(0)
	if h := a.call(200, "GET", "/readyz", ""); h["stores_down"] != nil {
		t.Errorf("a store that is back: %v", h)
	}
	a.fails("unavailable", "has not been created yet", "GET", films, "")
	made := a.call(201, "POST", "/v1/collections", `{"name": "films"}`)
	if made["engine"] != "postgres" || made["encoder"] != "builtin" || made["read_only"] != false {
		t.Errorf("made: %v", made)
	}
	a.fails("exists", "already", "POST", "/v1/collections", `{"name": "films"}`)
	a.call(200, "POST", films+"/documents", animals)
	if c := a.call(200, "GET", films, ""); c["documents"] != 4.0 || c["dimension"] != 384.0 {
		t.Errorf("described: %v", c)
	}
	answer := a.call(200, "POST", search, `{"query": "dog AND NOT leash", "k": 2, "columns": true, "compare": true}`)
	if ids(answer)[0] != "free" || answer["mode"] != "hybrid" || !strings.Contains(fmt.Sprint(answer["reason"]), "cannot compare all documents") {
		t.Errorf("search: %v", answer)
	}
	far := a.call(200, "POST", films+"/explain", `{"query": "dog AND NOT leash", "mode": "baseline", "k": 1, "id": "soup"}`)
	if far["candidate"] != false || at(far, "hits", 0, "rank") != 4.0 || far["mode"] != "rerank" || !strings.Contains(fmt.Sprint(far["reason"]), "all documents are ranked") {
		t.Errorf("explained: %v", far)
	}
	a.fails("not_found", "does not match the filter", "POST", films+"/explain", `{"query": "dog AND NOT leash kind:photo", "id": "soup"}`)
	a.fails("not_found", "no document", "POST", films+"/explain", `{"query": "dog", "id": "nobody"}`)
	if exact := a.call(200, "POST", search, `{"query": "dog AND NOT leash", "mode": "exact"}`); ids(exact)[0] != "free" || exact["mode"] != "exact" {
		t.Errorf("exact: got %v, want the document free first", exact)
	}
	listed := 0
	for next := ""; ; {
		page := a.call(200, "GET", films+"/documents?limit=3&after="+next, "")
		listed += len(page["documents"].([]any))
		if page["next"] == nil {
			break
		}
		next = page["next"].(string)
	}
	if listed != 4 {
		t.Errorf("%d documents are listed", listed)
	}
	a.fails("invalid", "is not the next of a page", "GET", films+"/documents?after=x", "")
	a.call(204, "DELETE", films+"/documents/soup", "")
	a.fails("not_found", "no document", "GET", films+"/documents/soup", "")
	a.fails("read_only", "delete it there", "DELETE", films, "")

	// It falls silent: a call ends in time to say so.
	proxy.Stuck.Store(true)
	a.fails("unavailable", "does not answer", "POST", search, `{"query": "dog"}`)
	look(1)
	proxy.Stuck.Store(false)
	look(0)
	proxy.Closed.Store(true)
	proxy.Cut()
	// Who looks after it may have found it silent before it was gone.
	a.fails("unavailable", `the store of collection "films"`, "POST", films+"/documents", animals)
	look(1)
	a.fails("unavailable", `the store of collection "films"`, "GET", films+"/documents/free", "")
	_, content := a.request("GET", "/metrics", nil, nil)
	if !strings.Contains(string(content), "\nnsfl_stores_down 1\n") {
		t.Error("there is no metric of it")
	}
	a.call(200, "POST", "/v1/collections/pets/search", `{"query": "dog AND NOT leash"}`)
	proxy.Closed.Store(false)
	look(0)
	if got := ids(a.call(200, "POST", search, `{"query": "dog AND NOT leash"}`)); len(got) != 3 || got[0] != "free" {
		t.Errorf("after it is back: %v", got)
	}
	for _, words := range []string{`msg="a store is down" collection=films`, `msg="a store is back" collection=films`} {
		if !strings.Contains(log.String(), words) {
			t.Errorf("the log has no %s", words)
		}
	}
	if strings.Contains(log.String(), postgrestest.Password) {
		t.Error("the log shows the password")
	}
}

// Names of stores must not hide other collections.
func TestStoreNames(t *testing.T) {
	root := t.TempDir()
	a := start(t, Config{Root: root})
	a.call(201, "POST", "/v1/collections", `{"name": "pets"}`)
	const address = "postgres://user:hunter2@127.0.0.1:1/db"
	for words, c := range map[string]Config{
		"lower-case letters":      {Stores: map[string]string{"Films": address}},
		"no store for mysql://":   {Stores: map[string]string{"films": "mysql://user:hunter2@host/db"}},
		"the built-in collection": {Stores: map[string]string{"demo": address}, Demo: demoCollection(t)},
		"of that name in":         {Stores: map[string]string{"pets": address}, Root: root},
	} {
		if s, err := New(c); err == nil || !strings.Contains(err.Error(), words) || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%v, want %q", err, words)
			if err == nil {
				s.Close()
			}
		}
	}
}

// halved is a store with a part that does not answer.
type halved struct{ *index.Collection }

const halfGone = "node n2 with shards 1 and 2 does not answer"

func (h halved) Pool(ctx context.Context, near [][]float32, k int, filter query.Node, vectors [][]float32) (*engine.Columns, error) {
	c, err := h.Collection.Pool(ctx, near, k, filter, vectors)
	if err == nil {
		c.Degraded = []string{halfGone}
	}
	return c, err
}

func (h halved) Scan(ctx context.Context, vectors [][]float32, filter query.Node) (*engine.Columns, error) {
	c, err := h.Collection.Scan(ctx, vectors, filter)
	if err == nil {
		c.Degraded = []string{halfGone}
	}
	return c, err
}

// reader is a store that notes which parts of documents are read.
type reader struct {
	*index.Collection
	parts *[]engine.Parts
}

func (r reader) Documents(ctx context.Context, refs []engine.Ref, parts engine.Parts) ([]engine.Document, error) {
	*r.parts = append(*r.parts, parts)
	return r.Collection.Documents(ctx, refs, parts)
}

// Columns need the titles of many documents, and nothing else of them.
func TestColumnsReadTitles(t *testing.T) {
	whole := demoCollection(t)
	var parts []engine.Parts
	demo, err := nsfl.New(t.Context(), reader{whole.Store().(*index.Collection), &parts}, &nsfl.Config{Encoder: whole.Encoder(), Profile: profile.Paper()})
	if err != nil {
		t.Fatal(err)
	}
	a := start(t, Config{Demo: &workspace.Handle{Collection: demo}})
	a.call(200, "POST", "/v1/collections/demo/search", `{"query": "fox AND snow"}`)
	before := len(parts)
	parts = nil
	a.call(200, "POST", "/v1/collections/demo/search", `{"query": "fox AND snow", "columns": true}`)
	if len(parts) != before+1 || parts[before] != engine.Titles {
		t.Errorf("read: %v, %d without columns", parts, before)
	}
}

// Degraded answers are marked and counted.
func TestDegraded(t *testing.T) {
	whole := demoCollection(t)
	demo, err := nsfl.New(t.Context(), halved{whole.Store().(*index.Collection)}, &nsfl.Config{Encoder: whole.Encoder()})
	if err != nil {
		t.Fatal(err)
	}
	a := start(t, Config{Demo: &workspace.Handle{Collection: demo}})
	for path, body := range map[string]string{
		"search": `{"query": "fox AND snow"}`, "explain": `{"query": "fox AND snow", "id": "1"}`,
	} {
		answer := a.call(200, "POST", "/v1/collections/demo/"+path, body)
		if got := fmt.Sprint(answer["degraded"]); got != "["+halfGone+"]" || ids(answer)[0] != "1" {
			t.Errorf("%s: degraded %s, %v", path, got, answer)
		}
	}
	_, content := a.request("GET", "/metrics", nil, nil)
	if !strings.Contains(string(content), "\nnsfl_degraded_answers_total 2\n") {
		t.Error("they are not counted")
	}
}
