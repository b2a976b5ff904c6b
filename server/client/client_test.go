package client

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/internal/indexing"
	"github.com/nsfl-go/nsfl/internal/ingest"
	"github.com/nsfl-go/nsfl/internal/workspace"
	"github.com/nsfl-go/nsfl/server"
	"github.com/nsfl-go/nsfl/server/auth"
)

var _ indexing.Collection = (*Collection)(nil)

func TestMain(m *testing.M) {
	os.Setenv("NSFL_CACHE", "off")
	os.Exit(m.Run())
}

// serving starts a server with a key of each role. Its answers have one document each, so
// that longer lists take several requests.
func serving(t *testing.T) (address string, keys map[server.Role]string) {
	t.Helper()
	keys = map[server.Role]string{}
	var known []auth.Key
	for role := server.Read; role <= server.Admin; role++ {
		secret, key, err := auth.NewKey(role, "")
		if err != nil {
			t.Fatal(err)
		}
		keys[role], known = secret, append(known, key)
	}
	s, err := server.New(server.Config{Root: t.TempDir(), Keys: known, Limits: server.Limits{AnswerBytes: 1}})
	if err != nil {
		t.Fatal(err)
	}
	h := httptest.NewServer(s.Handler())
	t.Cleanup(func() {
		h.Close()
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return h.URL, keys
}

func TestCollection(t *testing.T) {
	ctx := t.Context()
	address, keys := serving(t)
	t.Setenv(KeyEnv, keys[server.Admin])
	notes, err := New(address, "notes")
	if err != nil {
		t.Fatal(err)
	}
	if err := notes.Find(ctx, ""); err != nil || notes.Exists() {
		t.Fatalf("before the first write: got Exists() = %t and error %v, want false", notes.Exists(), err)
	}
	if files, err := notes.Files(ctx); err != nil || len(files) != 0 {
		t.Errorf("before the first write: got files %v and error %v, want none", files, err)
	}
	docs := []engine.Document{
		{ID: "a", Title: "A <b>", Text: "One. Two.", Passages: engine.NewPassages([]string{"One.", "Two."}), Metadata: []byte(`{"source":"f&g.csv","year":2020}`)},
		{ID: "b", Text: "Three.", Metadata: []byte(`{"source":"h.csv"}`)},
	}
	if cut, err := notes.Put(ctx, docs); err != nil || cut != 0 {
		t.Fatal(cut, err)
	}
	if err := notes.Find(ctx, ""); err != nil || !notes.Exists() || notes.encoder != "builtin" {
		t.Errorf("after the first write: got Exists() = %t, encoder %q and error %v, want true and builtin", notes.Exists(), notes.encoder, err)
	}
	if err := notes.Find(ctx, "ollama:other"); err == nil || !strings.Contains(err.Error(), "was created with the encoder builtin") {
		t.Errorf("got error %v for another encoder, want the encoder of the collection", err)
	}
	got, err := notes.Lookup(ctx, []string{"a", "b", "c"})
	if err != nil || len(got) != 2 || got[0].Title != "A <b>" || len(got[0].Passages) != 3 || workspace.FileOf(got[0].Metadata) != "f&g.csv" {
		t.Errorf("got %+v and error %v, want two documents, the first with three passages", got, err)
	}
	if ids, err := notes.DocumentsOf(ctx, "f&g.csv"); err != nil || len(ids) != 1 || ids[0] != "a" {
		t.Errorf("got %q and error %v, want a", ids, err)
	}
	files := map[string]*ingest.Fingerprint{}
	for i := range 2500 {
		files[fmt.Sprintf("%d/ü&?.md", i)] = &ingest.Fingerprint{Size: 3, Modified: 1<<62 + 1, SHA256: strings.Repeat("ab", 32), Place: "/x"}
	}
	if err := notes.NoteFiles(ctx, files); err != nil {
		t.Fatal(err)
	}
	if err := notes.NoteFiles(ctx, map[string]*ingest.Fingerprint{"7/ü&?.md": nil}); err != nil {
		t.Fatal(err)
	}
	all, err := notes.Files(ctx)
	if err != nil || len(all) != 2499 || all["8/ü&?.md"] != *files["8/ü&?.md"] {
		t.Errorf("%d files, %+v, %v", len(all), all["8/ü&?.md"], err)
	}
	var input *engine.InputError
	for _, bad := range []engine.Document{{ID: "v", Text: "x", Vector: []float32{1}}, {ID: "e"}} {
		if _, err := notes.Put(ctx, []engine.Document{bad}); !errors.As(err, &input) {
			t.Errorf("%+v: %v", bad, err)
		}
	}
	if n, err := notes.Delete(ctx, "a", "b", "c"); n != 2 || err != nil {
		t.Errorf("%d deleted, %v", n, err)
	}
}

// TestRefusals: errors contain advice, and never the key.
func TestRefusals(t *testing.T) {
	address, keys := serving(t)
	page := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Error(w, "nothing here for "+r.Header.Get("Authorization"), 404)
	}))
	defer page.Close()
	secure := httptest.NewTLSServer(http.NotFoundHandler())
	defer secure.Close()
	for _, c := range []struct{ address, key, want string }{
		{address, "", "set a key of the role write in $NSFL_KEY"},
		{address, "nsfl_none", "the key is not known to this server"},
		{address, keys[server.Read], "this needs a key of the role write"},
		{page.URL, keys[server.Read], "is it a server of nsfl?"},
		{secure.URL, "", "certificate"},
	} {
		t.Setenv(KeyEnv, c.key)
		notes, err := New(c.address, "notes")
		if err != nil {
			t.Fatal(err)
		}
		_, err = notes.Files(t.Context())
		if err == nil || !strings.Contains(err.Error(), c.want) || c.key != "" && strings.Contains(err.Error(), c.key) {
			t.Errorf("%s with %q: %v, want %q", c.address, c.key, err, c.want)
		}
	}
	for _, bad := range []string{"", "7700", "ftp://x", "http://u:hunter2@x", "http://x/?a"} {
		if _, err := New(bad, "notes"); err == nil || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

// TestBusy: requests to a busy server are repeated.
func TestBusy(t *testing.T) {
	asked := 0
	h := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if asked++; asked < 3 {
			w.WriteHeader(http.StatusTooManyRequests)
			return
		}
		fmt.Fprintln(w, `{"documents": 4}`)
	}))
	defer h.Close()
	c, err := New(h.URL, "x")
	if err != nil {
		t.Fatal(err)
	}
	if n, err := c.Delete(t.Context(), "1"); n != 4 || err != nil || asked != 3 {
		t.Errorf("%d, %v after %d tries", n, err, asked)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := c.Delete(ended, "1"); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// FuzzBulk: any answer of a server is either complete or an error.
func FuzzBulk(f *testing.F) {
	for _, answer := range []string{`{"type":"done","ok":true}`, `{"type":"failed","error":{"detail":"x"}}` + "\n" + `{"type":"done","ok":false}`, "{", ""} {
		f.Add(answer)
	}
	c := &Collection{base: "http://x"}
	f.Fuzz(func(t *testing.T, answer string) {
		line, err := c.readBulk(strings.NewReader(answer))
		if err == nil && (line.Type != "done" || line.OK == nil || !*line.OK) {
			t.Errorf("%q passes for %+v", answer, line)
		}
	})
}
