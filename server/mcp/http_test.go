package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/nsfl-go/nsfl/server/auth"
)

// post sends a call as a client of a version before sessions were dropped does.
func post(ctx context.Context, url, tool string, in args) (*http.Response, error) {
	body, _ := json.Marshal(args{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": args{"name": tool, "arguments": in}})
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	r.Header.Set("MCP-Protocol-Version", "2025-06-18")
	return http.DefaultClient.Do(r)
}

func TestOlderClient(t *testing.T) {
	s := newShelf(t)
	server := httptest.NewServer(Handler(s, Options{}))
	defer server.Close()
	r, err := post(t.Context(), server.URL, "search", args{"collection": "pets", "query": "cat", "k": 1})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	text, err := io.ReadAll(r.Body)
	if err != nil || r.StatusCode != http.StatusOK {
		t.Errorf("%s, %v: %s", r.Status, err, text)
	}
	contains(t, "answer", string(text), `"structuredContent"`, "sill")

	// Whoever goes away takes the call along.
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() {
		r, err := post(ctx, server.URL, "search", args{"collection": "slow", "query": "dog"})
		if err == nil {
			r.Body.Close()
		}
		done <- err
	}()
	<-s.entered
	cancel()
	<-done
	if err := <-s.left; !errors.Is(err, context.Canceled) {
		t.Errorf("the call ended with %v", err)
	}
}

// keyed sends a header with every request.
type keyed string

func (k keyed) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("X-API-Key", string(k))
	return http.DefaultTransport.RoundTrip(r)
}

type roleKey struct{}

// The permission of a client is checked for each request.
func TestRoleOf(t *testing.T) {
	s := newShelf(t)
	roles := map[string]auth.Role{"reader": auth.Read, "writer": auth.Write, "maker": auth.Admin, "wizard": auth.Admin + 7}
	byKey := func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), roleKey{}, roles[r.Header.Get("X-API-Key")])))
		})
	}
	roleOf := func(ctx context.Context) auth.Role { return ctx.Value(roleKey{}).(auth.Role) }
	server := httptest.NewServer(byKey(Handler(s, Options{RoleOf: roleOf})))
	defer server.Close()
	for key, want := range map[string]struct{ write, create bool }{
		"": {}, "reader": {}, "writer": {true, false}, "maker": {true, true}, "wizard": {true, true},
	} {
		session := connect(t, &sdk.StreamableClientTransport{Endpoint: server.URL, HTTPClient: &http.Client{Transport: keyed(key)}})
		docs := []args{{"text": "x"}}
		adds := func(in args) bool { // without the role write, the tool does not exist
			r, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: addName, Arguments: in})
			return err == nil && !r.IsError
		}
		if got := adds(args{"collection": "pets", "documents": docs}); got != want.write {
			t.Errorf("%q writes: got %t, want %t", key, got, want.write)
		}
		if got := adds(args{"collection": "of-" + key, "create": true, "documents": docs}); got != want.create {
			t.Errorf("%q creates a collection: got %t, want %t", key, got, want.create)
		}
		answer[searchAnswer](t, session, "search", args{"collection": "pets", "query": "dog"})
	}
}

func TestHTTPRefusals(t *testing.T) {
	server := httptest.NewServer(Handler(newShelf(t), Options{Limits: Limits{Bytes: 2000}}))
	defer server.Close()
	const ping = `{"jsonrpc":"2.0","id":1,"method":"ping"}`
	for name, c := range map[string]struct {
		method, body, host, kind string
		want                     int
	}{
		"ping":         {"POST", ping, "", "application/json", http.StatusOK},
		"a stream":     {"GET", "", "", "application/json", http.StatusMethodNotAllowed},
		"a session":    {"DELETE", "", "", "application/json", http.StatusMethodNotAllowed},
		"a form":       {"POST", ping, "", "application/x-www-form-urlencoded", http.StatusUnsupportedMediaType},
		"not JSON":     {"POST", "{", "", "application/json", http.StatusBadRequest},
		"a batch":      {"POST", " [" + ping + "," + ping + "]", "", "application/json", http.StatusBadRequest},
		"deep":         {"POST", strings.Repeat("[", 1900), "", "application/json", http.StatusBadRequest},
		"large":        {"POST", `"` + strings.Repeat("x", 2000) + `"`, "", "application/json", http.StatusRequestEntityTooLarge},
		"another host": {"POST", ping, "example.com", "application/json", http.StatusForbidden},
	} {
		r, err := http.NewRequestWithContext(t.Context(), c.method, server.URL, strings.NewReader(c.body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", c.kind)
		r.Header.Set("Accept", "application/json, text/event-stream")
		if c.host != "" {
			r.Host = c.host
		}
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		if answer.StatusCode != c.want {
			t.Errorf("%s: %s, want %d", name, answer.Status, c.want)
		}
	}
}
