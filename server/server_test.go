package server

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/nsfl-go/nsfl"
	"github.com/nsfl-go/nsfl/internal/ingest"
	"github.com/nsfl-go/nsfl/internal/workspace"
)

func TestMain(m *testing.M) {
	switch {
	case len(os.Args) == 2 && os.Args[1] == failingParser:
		panic("a parser's fault")
	case len(os.Args) == 2 && os.Args[1] == ingest.ChildArgument:
		os.Exit(ingest.Child())
	}
	os.Setenv("NSFL_CACHE", "off")
	if dir := os.Getenv(childEnv); dir != "" {
		os.Exit(child(dir))
	}
	os.Exit(m.Run())
}

// api is a running server and a client of it, which holds every answer against
// the OpenAPI document.
type api struct {
	*testing.T
	server *Server
	base   string
	key    string
	stop   context.CancelFunc
	ended  chan error
	check  *checker
}

// start serves over TCP until the test ends.
func start(t *testing.T, c Config) *api {
	t.Helper()
	if c.Log == nil {
		c.Log = slog.New(slog.NewTextHandler(t.Output(), nil)) // seen where a test fails
	}
	s, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	a := &api{T: t, server: s, base: "http://" + l.Addr().String(), stop: stop, ended: make(chan error, 1), check: newChecker(t, s.openAPI)}
	if c.TLSCert != "" {
		a.base = "https://" + l.Addr().String()
	}
	go func() { a.ended <- s.Serve(ctx, l) }()
	t.Cleanup(func() {
		stop()
		if err := <-a.ended; err != nil {
			t.Errorf("serving: %v", err)
		}
		a.ended <- nil
	})
	return a
}

// withAnimals has a collection pets with a few documents.
func withAnimals(t *testing.T) *api {
	a := start(t, Config{Root: t.TempDir()})
	a.call(201, "POST", "/v1/collections", `{"name": "pets"}`)
	a.call(200, "POST", "/v1/collections/pets/documents", animals)
	return a
}

const animals = `[
	{"id": "a/leashed.md", "title": "Walk", "text": "A dog on a leash walks beside its owner.", "metadata": {"year": 2019, "kind": "photo", "draft": false}},
	{"id": "free", "text": "A dog runs free along the empty shore.", "metadata": {"year": 2021, "kind": "photo"}},
	{"id": "cat", "text": "A cat asleep on a warm laptop.", "metadata": {"year": 2020, "kind": "photo"}},
	{"id": "soup", "text": "Leek and potato soup with bread.", "metadata": {"year": 2022, "kind": "recipe"}}]`

// request sends a request; the answer has been read and checked.
func (a *api) request(method, path string, header http.Header, body io.Reader) (*http.Response, []byte) {
	a.Helper()
	r, err := http.NewRequest(method, a.base+path, body)
	if err != nil {
		a.Fatal(err)
	}
	for name, values := range header {
		r.Header[name] = values
	}
	if a.key != "" {
		r.Header.Set("Authorization", "Bearer "+a.key)
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		a.Fatalf("%s %s: %v", method, path, err)
	}
	defer response.Body.Close()
	content, err := io.ReadAll(response.Body)
	if err != nil {
		a.Fatalf("%s %s: %v", method, path, err)
	}
	if response.Header.Get("X-Request-Id") == "" {
		a.Errorf("%s %s: no request id", method, path)
	}
	a.check.response(a.T, r, response, content)
	return response, content
}

// call sends JSON, or nothing, and wants a status.
func (a *api) call(status int, method, path, body string) map[string]any {
	a.Helper()
	var reader io.Reader
	header := http.Header{}
	if body != "" {
		reader = strings.NewReader(body)
		header.Set("Content-Type", "application/json")
	}
	response, content := a.request(method, path, header, reader)
	if response.StatusCode != status {
		a.Fatalf("%s %s %s: status %d, want %d: %s", method, path, body, response.StatusCode, status, content)
	}
	var out map[string]any
	if len(content) > 0 && strings.Contains(response.Header.Get("Content-Type"), "json") {
		if err := json.Unmarshal(content, &out); err != nil {
			a.Fatalf("%s %s: %v in %s", method, path, err, content)
		}
	}
	return out
}

// fails wants a problem of a code whose text holds some words.
func (a *api) fails(code, words, method, path, body string) map[string]any {
	a.Helper()
	p := a.call(statuses[code], method, path, body)
	if p["code"] != code || !strings.Contains(fmt.Sprint(p["detail"]), words) {
		a.Errorf("%s %s %s: %v, want the code %s and %q", method, path, body, p, code, words)
	}
	return p
}

// at reads a value inside JSON: at(v, "hits", 0, "id").
func at(v any, path ...any) any {
	for _, step := range path {
		switch key := step.(type) {
		case string:
			object, _ := v.(map[string]any)
			v = object[key]
		case int:
			list, _ := v.([]any)
			if key >= len(list) {
				return nil
			}
			v = list[key]
		}
	}
	return v
}

// ids returns the ids of the hits.
func ids(answer map[string]any) (out []string) {
	hits, _ := answer["hits"].([]any)
	for _, h := range hits {
		out = append(out, fmt.Sprint(at(h, "id")))
	}
	return out
}

// checker holds answers against an OpenAPI document.
type checker struct {
	paths    map[string]map[string]any // by path, then method
	compiler *jsonschema.Compiler
}

const documentURL = "http://test/openapi.json"

func newChecker(t testing.TB, document []byte) *checker {
	t.Helper()
	parsed, err := jsonschema.UnmarshalJSON(bytes.NewReader(document))
	if err != nil {
		t.Fatal(err)
	}
	c := &checker{paths: map[string]map[string]any{}, compiler: jsonschema.NewCompiler()}
	if err := c.compiler.AddResource(documentURL, parsed); err != nil {
		t.Fatal(err)
	}
	for path, methods := range at(parsed, "paths").(map[string]any) {
		c.paths[path] = methods.(map[string]any)
	}
	return c
}

// route finds the path of the document that a request is for; one without
// parameters is nearer.
func (c *checker) route(r *http.Request) string {
	segments := strings.Split(r.URL.EscapedPath(), "/")
	found := ""
	for path := range c.paths {
		pattern := strings.Split(path, "/")
		same := len(pattern) == len(segments)
		for i := 0; same && i < len(pattern); i++ {
			same = pattern[i] == segments[i] || strings.HasPrefix(pattern[i], "{") && segments[i] != ""
		}
		if same && (found == "" || strings.Count(path, "{") < strings.Count(found, "{")) {
			found = path
		}
	}
	return found
}

func (c *checker) response(t *testing.T, r *http.Request, response *http.Response, content []byte) {
	t.Helper()
	what := fmt.Sprintf("%s %s: %d", r.Method, r.URL.Path, response.StatusCode)
	media, _, _ := strings.Cut(response.Header.Get("Content-Type"), ";")
	operation := at(c.paths[c.route(r)], strings.ToLower(r.Method))
	if operation == nil {
		if response.StatusCode >= 400 {
			c.validate(t, what, "#/components/schemas/Problem", content)
		}
		return
	}
	documented := at(operation, "responses", fmt.Sprint(response.StatusCode))
	if documented == nil {
		t.Errorf("%s is not in the document: %s", what, content)
		return
	}
	if len(content) == 0 && at(documented, "content") == nil {
		return
	}
	if at(documented, "content", media) == nil {
		t.Errorf("%s: the document knows no %q", what, media)
		return
	}
	if at(documented, "content", media, "schema") == nil {
		return
	}
	escape := strings.NewReplacer("~", "~0", "/", "~1")
	pointer := fmt.Sprintf("#/paths/%s/%s/responses/%d/content/%s/schema", url.PathEscape(escape.Replace(c.route(r))), strings.ToLower(r.Method), response.StatusCode, escape.Replace(media))
	if media != ndjson {
		c.validate(t, what, pointer, content)
		return
	}
	for line := range bytes.Lines(content) {
		c.validate(t, what, pointer, line)
	}
}

func (c *checker) validate(t *testing.T, what, pointer string, content []byte) {
	t.Helper()
	schema, err := c.compiler.Compile(documentURL + pointer)
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(content))
	if err != nil {
		t.Errorf("%s: %v in %s", what, err, content)
		return
	}
	if err := schema.Validate(value); err != nil {
		t.Errorf("%s: the answer does not match the API description: %v\n%s", what, err, content)
	}
}

// demoCollection is a small one to be offered as the demo.
func demoCollection(t *testing.T) *workspace.Handle {
	t.Helper()
	dir := t.TempDir()
	c, err := nsfl.Open(t.Context(), dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Add(t.Context(), nsfl.Document{ID: "1", Text: "A red fox in the snow."}); err != nil {
		t.Fatal(err)
	}
	c.Close()
	if c, err = nsfl.Open(t.Context(), dir, &nsfl.Config{ReadOnly: true}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return &workspace.Handle{Collection: c}
}
