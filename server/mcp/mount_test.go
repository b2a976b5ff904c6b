package mcp

import (
	"net/http"
	"net/http/httptest"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/nsfl-go/nsfl/server"
)

// The collections of the HTTP server are offered as they are, and its keys decide.
func TestMounted(t *testing.T) {
	access := map[server.Role]Access{server.Write: Write, server.Admin: Create}
	mount := server.Mount{Role: server.Read, Handler: func(c *server.Collections) http.Handler {
		return Handler(c, Options{AnyHost: true, AccessOf: func(r *http.Request) Access { return access[server.RoleOf(r.Context())] }})
	}}
	secrets := map[server.Role]string{}
	config := server.Config{Root: t.TempDir(), Mounts: map[string]server.Mount{"/mcp": mount}}
	for _, role := range []server.Role{server.Read, server.Write, server.Admin} {
		secret, key, err := server.NewKey(role, "")
		if err != nil {
			t.Fatal(err)
		}
		secrets[role] = secret
		config.Keys = append(config.Keys, key)
	}
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
	if text, failed, _ := call(t, reader, addName, in); !failed {
		t.Errorf("a read key has written: %s", text)
	}
	found, _ := answer[searchAnswer](t, reader, "search", args{"formula": "tea"})
	if len(found.Hits) != 1 || found.Hits[0].ID != "n" {
		t.Errorf("%+v", found)
	}
	client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil)
	if _, err := client.Connect(t.Context(), &sdk.StreamableClientTransport{Endpoint: web.URL + "/mcp"}, nil); err == nil {
		t.Error("nobody knows who that is, and it is let in")
	}
}
