package server

import (
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl/server/auth"
	"github.com/nsfl-go/nsfl/server/limit"
)

// TestMetricsScope: a key for some collections does not learn of the others.
func TestMetricsScope(t *testing.T) {
	secret, key, err := auth.NewKey(Admin, "")
	if err != nil {
		t.Fatal(err)
	}
	key.Collections = []string{"mine"}
	a := start(t, Config{Root: t.TempDir(), Keys: append(testKeys[:len(testKeys):len(testKeys)], key)})
	a.server.keeper.metrics.damaged.WithLabelValues("others").Set(1)
	a.key = secret
	a.fails("forbidden", "limited to collections", "GET", "/metrics", "")
	a.key = testSecrets[Read]
	if _, content := a.request("GET", "/metrics", nil, nil); !strings.Contains(string(content), `{collection="others"} 1`) {
		t.Errorf("with a key for all collections: %s", content)
	}
}

// TestNoBody: a body where none is expected is rejected.
func TestNoBody(t *testing.T) {
	a := start(t, Config{Root: t.TempDir(), Upkeep: Upkeep{BackupTo: filepath.Join(t.TempDir(), "backups")}})
	a.call(201, "POST", "/v1/collections", `{"name": "pets"}`)
	a.fails("invalid", "takes no body", "POST", "/v1/collections/pets/backups", `{"to": "/elsewhere"}`)
	a.call(201, "POST", "/v1/collections/pets/backups", `{}`)
}

// TestReserve: lists that take all the memory they get leave enough for another key's
// search, at the least memory that a server accepts.
func TestReserve(t *testing.T) {
	l, err := Limits{Memory: leastMemory}.withDefaults()
	if err != nil {
		t.Fatal(err)
	}
	b := limit.NewMemory(l.Memory, l.reserve(), l.QueueWait, func() {})
	for i := range 64 {
		s := &limit.Share{Memory: b, Party: "lists"}
		if err := s.Draw(l.listCost(100)); err != nil && i == 0 {
			t.Fatalf("the first list: %v", err)
		}
	}
	if err := (&limit.Share{Memory: b, Party: "one large request"}).Draw(l.Memory); err == nil {
		t.Error("one request may take all")
	}
	if err := (&limit.Share{Memory: b, Party: "search"}).Draw(l.searchCost()); err != nil {
		t.Errorf("another key's search: %v", err)
	}
}

// TestIdleConnections: where the system allows few files, connections that ask for nothing
// leave enough of them for a search.
func TestIdleConnections(t *testing.T) {
	root := t.TempDir()
	first := start(t, Config{Root: root})
	names := []string{"one", "two", "three", "four"}
	for _, name := range names {
		first.call(201, "POST", "/v1/collections", `{"name": "`+name+`"}`)
		first.call(200, "POST", "/v1/collections/"+name+"/documents", animals)
	}
	first.stop()
	if err := <-first.ended; err != nil {
		t.Fatal(err)
	}
	first.ended <- nil
	_, address := startChild(t, childEnv+"="+root, filesEnv+"=64")
	for range 100 {
		c, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
	}
	for _, name := range append(names, names...) {
		response, err := http.Post(fmt.Sprintf("http://%s/v1/collections/%s/search", address, name), "application/json", strings.NewReader(`{"query": "dog"}`))
		if err != nil {
			t.Fatal(err)
		}
		if response.Body.Close(); response.StatusCode != 200 {
			t.Errorf("a search with 100 idle connections: %s", response.Status)
		}
	}
}

// failingParser makes the test binary a parser of uploads that crashes.
const failingParser = "fail-to-parse"

// TestParserFails: if the process that parses an upload crashes, the answer says so, other files
// of the upload are answered too, and the server goes on.
func TestParserFails(t *testing.T) {
	a := start(t, Config{Root: t.TempDir(), Parser: []string{os.Args[0], failingParser}})
	a.call(201, "POST", "/v1/collections", `{"name": "pets"}`)
	contentType, body := form("a.txt", "a dog", "b.txt", "a cat")
	response, content := a.request("POST", "/v1/collections/pets/files", http.Header{"Content-Type": {contentType}}, body)
	if got := strings.Count(string(content), "its reader fails"); response.StatusCode != 200 || got != 2 {
		t.Errorf("got status %d and %d files that are skipped for their reader, want 2:\n%s", response.StatusCode, got, content)
	}
	a.call(200, "POST", "/v1/collections/pets/documents", animals)
}
