package chromatest

import (
	"context"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func answers(s *Server) bool {
	r, err := http.Get("http://" + s.Address() + "/api/v2/version")
	if err != nil {
		return false
	}
	defer r.Body.Close()
	return r.StatusCode == http.StatusOK
}

func TestServer(t *testing.T) {
	ctx := context.Background()
	s, err := Start(ctx)
	if errors.Is(err, ErrMissing) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	url := s.URL()
	if !answers(s) || !strings.HasPrefix(url, "chroma://127.0.0.1:") {
		t.Errorf("%s does not answer", url)
	}
	s.Kill()
	if answers(s) {
		t.Error("it answers after it was killed")
	}
	if err := s.Restart(ctx); err != nil {
		t.Fatal(err)
	}
	if !answers(s) || s.URL() != url {
		t.Errorf("%s, which was %s, does not answer", s.URL(), url)
	}
	if _, err := os.Stat(filepath.Join(s.Dir, "chroma.sqlite3")); err != nil {
		t.Errorf("the data is not in the server's directory: %v", err)
	}
	s.Close()
	if answers(s) {
		t.Error("it answers after it was closed")
	}
	if _, err := os.Stat(s.Dir); !os.IsNotExist(err) {
		t.Errorf("got error %v for the directory of a closed server, want that it does not exist", err)
	}
}

// A server that cannot start says why.
func TestNoServer(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("NSFL_CHROMA", dir)
	if _, err := Start(context.Background()); !errors.Is(err, ErrMissing) {
		t.Errorf("got error %v, want ErrMissing", err)
	}
	bindings := filepath.Join(dir, "node_modules", "chromadb-js-bindings-none")
	if err := os.MkdirAll(bindings, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(bindings, "empty.node"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	_, err := Start(context.Background())
	if errors.Is(err, ErrMissing) {
		t.Skip(err) // there is no node
	}
	if err == nil || !strings.Contains(err.Error(), "it has ended") {
		t.Errorf("got error %v, want one that the server has ended", err)
	}
}
