package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http/httptest"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/nsfl-go/nsfl"
	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/internal/workspace"
)

// shelf has collections for tests, some of which misbehave: slow blocks until its call is
// over, broken panics, secret fails with a path, fixed cannot be written.
type shelf struct {
	dir string

	mu   sync.Mutex
	open map[string]*nsfl.Collection

	entered chan struct{} // slow was asked for
	left    chan error    // its call is over
}

var odd = []string{"broken", "fixed", "secret", "slow"}

func newShelf(t *testing.T) *shelf {
	t.Helper()
	s := &shelf{dir: t.TempDir(), open: map[string]*nsfl.Collection{}, entered: make(chan struct{}, 8), left: make(chan error, 8)}
	t.Cleanup(func() {
		for _, c := range s.open {
			c.Close()
		}
	})
	if err := s.Make(t.Context(), "pets", ""); err != nil {
		t.Fatal(err)
	}
	if err := s.open["pets"].Add(t.Context(), pets...); err != nil {
		t.Fatal(err)
	}
	return s
}

var pets = []nsfl.Document{
	{ID: "park", Title: "In the park", Text: "A dog runs after a red ball on the grass.", Metadata: []byte(`{"kind": "photo", "year": 2016, "place": {"city": "New York"}}`)},
	{ID: "nap", Title: "Asleep", Text: "An old dog sleeps on a sofa in the sun.", Metadata: []byte(`{"kind": "photo", "year": 2020, "tags": ["indoors", "quiet"]}`)},
	{ID: "sill", Text: "A cat watches birds from the window sill.", Metadata: []byte(`{"kind": "note", "year": 2021}`)},
	{ID: "a/b c.md", Title: "Soup", Text: "Boil the carrots for twenty minutes, then stir in the cream."},
	{ID: "goal", Text: "The striker kicked the ball into the goal."},
	{ID: "long", Title: "Long", Text: strings.Repeat("Größe und Länge eines Textes. ", 1500), Passages: []nsfl.Passage{{Text: "A long text."}}},
}

func (s *shelf) Names(context.Context) ([]string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	names := slices.Clone(odd)
	for name := range s.open {
		names = append(names, name)
	}
	slices.Sort(names)
	return names, nil
}

func (s *shelf) Use(ctx context.Context, name string, write bool) (*workspace.Handle, func(), error) {
	switch name {
	case "slow":
		s.entered <- struct{}{}
		<-ctx.Done()
		s.left <- ctx.Err()
		return nil, nil, ctx.Err()
	case "broken":
		panic("broken")
	case "secret":
		return nil, nil, errors.New("opening /home/somebody/secret: permission denied")
	case "fixed":
		if write {
			return nil, nil, fmt.Errorf("opening fixed: %w", engine.ErrReadOnly)
		}
		name = "pets"
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return &workspace.Handle{Collection: s.open[name], Name: name}, func() {}, nil
}

func (s *shelf) Make(ctx context.Context, name, _ string) error {
	c, err := nsfl.Open(ctx, filepath.Join(s.dir, name), nil)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.open[name] = c
	return nil
}

// inMemory and overHTTP connect the SDK's own client.
func inMemory(t *testing.T, c Collections, o Options) *sdk.ClientSession {
	t.Helper()
	ours, theirs := sdk.NewInMemoryTransports()
	if _, err := (&tools{collections: c, options: o.withDefaults()}).server(o.Role).Connect(t.Context(), ours, nil); err != nil {
		t.Fatal(err)
	}
	return connect(t, theirs)
}

func overHTTP(t *testing.T, c Collections, o Options) *sdk.ClientSession {
	t.Helper()
	server := httptest.NewServer(Handler(c, o))
	t.Cleanup(server.Close)
	return connect(t, &sdk.StreamableClientTransport{Endpoint: server.URL})
}

func connect(t *testing.T, transport sdk.Transport) *sdk.ClientSession {
	t.Helper()
	client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil)
	session, err := client.Connect(context.Background(), transport, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { session.Close() })
	return session
}

type args = map[string]any

// call calls a tool and returns its text, and whether it is an error.
func call(t *testing.T, session *sdk.ClientSession, name string, in any) (text string, failed bool, r *sdk.CallToolResult) {
	t.Helper()
	r, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: name, Arguments: in})
	if err != nil {
		t.Fatalf("%s %v: %v", name, in, err)
	}
	if len(r.Content) != 1 {
		t.Fatalf("%s %v: %d contents", name, in, len(r.Content))
	}
	return r.Content[0].(*sdk.TextContent).Text, r.IsError, r
}

// answer calls a tool that must not fail and reads its structured content.
func answer[T any](t *testing.T, session *sdk.ClientSession, name string, in any) (out T, text string) {
	t.Helper()
	text, failed, r := call(t, session, name, in)
	if failed {
		t.Fatalf("%s %v: %s", name, in, text)
	}
	raw, err := json.Marshal(r.StructuredContent)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(raw, &out); err != nil {
		t.Fatalf("%s: %s: %v", name, raw, err)
	}
	var told, content any
	if name != "get_document" && (json.Unmarshal([]byte(text), &told) != nil || json.Unmarshal(raw, &content) != nil || !reflect.DeepEqual(told, content)) {
		t.Errorf("%s: got the text %s, want %s", name, text, raw)
	}
	if err := schemaOf(t, session, name).Validate(r.StructuredContent); err != nil {
		t.Errorf("%s: %s is not what its schema says: %v", name, raw, err)
	}
	return out, text
}

// schemaOf returns the output schema of a tool.
func schemaOf(t *testing.T, session *sdk.ClientSession, name string) *jsonschema.Resolved {
	t.Helper()
	list, err := session.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(list.Tools, func(tool *sdk.Tool) bool { return tool.Name == name })
	raw, err := json.Marshal(list.Tools[i].OutputSchema)
	if err != nil {
		t.Fatal(err)
	}
	var schema jsonschema.Schema
	if err := json.Unmarshal(raw, &schema); err != nil {
		t.Fatal(err)
	}
	resolved, err := schema.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	return resolved
}

func contains(t *testing.T, what, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("%s: %q is missing in\n%s", what, part, text)
		}
	}
}

// everywhere runs a test over both transports that live in one process.
func everywhere(t *testing.T, o Options, test func(t *testing.T, s *shelf, session *sdk.ClientSession)) {
	t.Run("memory", func(t *testing.T) {
		s := newShelf(t)
		test(t, s, inMemory(t, s, o))
	})
	t.Run("http", func(t *testing.T) {
		s := newShelf(t)
		test(t, s, overHTTP(t, s, o))
	})
}
