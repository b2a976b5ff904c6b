package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/nsfl-go/nsfl"
	"github.com/nsfl-go/nsfl/internal/workspace"
	"github.com/nsfl-go/nsfl/server/auth"
)

// FuzzArguments calls tools with arbitrary arguments: they return a result or an error with a
// message.
func FuzzArguments(f *testing.F) {
	tools := []string{"search", "explain", "get_document", "list_collections", addName}
	for i, in := range []string{
		`{"query": "dog AND NOT ball", "k": 3, "compare": true, "detail": "high"}`,
		`{"query": "(dog", "id": "park"}`,
		`{"id": "long", "offset": 20001}`,
		`{"collection": "pets"}`,
		`{"documents": [{"id": "x", "text": "y", "metadata": {"a": {"b": [1e400, null, "c"]}}}], "create": true}`,
	} {
		f.Add(uint8(i), []byte(in))
	}
	dir := f.TempDir()
	c, err := nsfl.Open(context.Background(), dir, nil)
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { c.Close() })
	if err := c.Add(context.Background(), pets...); err != nil {
		f.Fatal(err)
	}
	handler := Handler(single{c}, Options{Role: auth.Write})
	f.Fuzz(func(t *testing.T, tool uint8, in []byte) {
		if !json.Valid(in) {
			return
		}
		body, err := json.Marshal(args{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": args{"name": tools[int(tool)%len(tools)], "arguments": json.RawMessage(in)}})
		if err != nil {
			t.Fatal(err)
		}
		r := httptest.NewRequest(http.MethodPost, "http://localhost/", bytes.NewReader(body))
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", "application/json, text/event-stream")
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		var answer struct {
			Result *sdk.CallToolResult
			Error  *struct {
				Code    int
				Message string
			}
		}
		if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil {
			t.Fatalf("%s: %d %s", body, w.Code, w.Body)
		}
		switch {
		case answer.Result == nil || len(answer.Result.Content) != 1:
			t.Errorf("%s: %d %s", body, w.Code, w.Body)
		case answer.Result.IsError && answer.Result.Content[0].(*sdk.TextContent).Text == "":
			t.Errorf("%s: an error without words", body)
		}
	})
}

// single is one collection.
type single struct{ *nsfl.Collection }

func (s single) Names(context.Context) ([]string, error) { return []string{"pets"}, nil }

func (s single) Use(context.Context, string, bool) (*workspace.Handle, func(), error) {
	return &workspace.Handle{Collection: s.Collection}, func() {}, nil
}

func (s single) Make(context.Context, string, string) error { panic("there is one already") }
