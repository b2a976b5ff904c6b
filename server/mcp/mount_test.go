package mcp

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/nsfl-go/nsfl/server"
	"github.com/nsfl-go/nsfl/server/auth"
)

// The collections of the HTTP server are offered as they are, and its keys decide.
func TestMounted(t *testing.T) {
	agents := func(c *server.Collections) http.Handler {
		return Handler(c, Options{AnyHost: true, RoleOf: server.RoleOf})
	}
	secrets := map[server.Role]string{}
	audit := filepath.Join(t.TempDir(), "audit")
	config := server.Config{Root: t.TempDir(), Audit: audit, Agents: agents}
	for _, role := range []server.Role{server.Read, server.Write, server.Admin} {
		secret, key, err := auth.NewKey(role, "")
		if err != nil {
			t.Fatal(err)
		}
		secrets[role] = secret
		config.Keys = append(config.Keys, key)
	}
	narrow, key, err := auth.NewKey(server.Admin, "")
	if err != nil {
		t.Fatal(err)
	}
	key.Collections = []string{"mine"}
	config.Keys = append(config.Keys, key)
	s, err := server.New(config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	web := httptest.NewServer(s.Handler())
	t.Cleanup(web.Close)
	session := func(role server.Role) *sdk.ClientSession {
		return connect(t, &sdk.StreamableClientTransport{Endpoint: web.URL + "/mcp", HTTPClient: &http.Client{Transport: keyed(secrets[role])}})
	}
	docs := []args{{"id": "n", "text": "The kettle is on."}}
	in := args{"collection": "notes", "create": true, "documents": docs}
	if text, failed, _ := call(t, session(server.Write), addName, in); !failed {
		t.Errorf("a write key has made a collection: %s", text)
	}
	answer[addAnswer](t, session(server.Admin), addName, in)
	answer[addAnswer](t, session(server.Write), addName, in)
	reader := session(server.Read)
	if _, err := reader.CallTool(t.Context(), &sdk.CallToolParams{Name: addName, Arguments: in}); err == nil {
		t.Error("a read key has written")
	}
	found, _ := answer[searchAnswer](t, reader, "search", args{"query": "tea"})
	if len(found.Hits) != 1 || found.Hits[0].ID != "n" {
		t.Errorf("got %+v, want n alone", found)
	}
	trail, err := os.ReadFile(audit)
	if err != nil || strings.Count(string(trail), `"action":"store"`) != 4 || !strings.Contains(string(trail), `"action":"make_collection","collection":"notes"`) || !strings.Contains(string(trail), `"key":"`+config.Keys[1].ID) {
		t.Errorf("the audit trail: %s, %v", trail, err)
	}
	// To a key that is for another collection there is none of these.
	own := connect(t, &sdk.StreamableClientTransport{Endpoint: web.URL + "/mcp", HTTPClient: &http.Client{Transport: keyed(narrow)}})
	if list, _ := answer[listAnswer](t, own, "list_collections", args{}); len(list.Collections) != 0 {
		t.Errorf("got %+v, want no collections", list)
	}
	for _, c := range []struct {
		tool string
		in   args
	}{
		{"search", args{"query": "tea", "collection": "notes"}}, {"get_document", args{"id": "n", "collection": "notes"}},
		{addName, args{"collection": "notes", "documents": docs}}, {addName, args{"collection": "notes", "create": true, "documents": docs}},
	} {
		if text, failed, _ := call(t, own, c.tool, c.in); !failed {
			t.Errorf("%s %v: %s", c.tool, c.in, text)
		}
	}
	answer[addAnswer](t, own, addName, args{"collection": "mine", "create": true, "documents": docs})
	client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil)
	if _, err := client.Connect(t.Context(), &sdk.StreamableClientTransport{Endpoint: web.URL + "/mcp"}, nil); err == nil {
		t.Error("nobody knows who that is, and it is let in")
	}
}
