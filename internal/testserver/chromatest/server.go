// Package chromatest starts a Chroma server for tests: the one in Chroma's package for Node.
package chromatest

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/nsfl-go/nsfl/internal/testserver"
)

//go:embed serve.cjs
var script string

// ErrMissing means that no server is installed. It is returned wrapped.
var ErrMissing = errors.New("the Chroma server is not installed: make setup installs it")

// Server is a running server.
type Server struct{ testserver.Server }

// Start starts a server and waits until it answers.
func Start(ctx context.Context) (*Server, error) {
	bindings, err := find()
	if err != nil {
		return nil, err
	}
	s := &Server{testserver.Server{Name: "Chroma"}}
	s.Command = func(p *testserver.Server) *exec.Cmd {
		cmd := exec.Command("node", "--eval", script, bindings, p.Dir, p.Port)
		// Keeps the server's configuration out of the user's home directory.
		cmd.Env = append(os.Environ(), "HOME="+p.Dir, "ANONYMIZED_TELEMETRY=False")
		return cmd
	}
	s.Ready = func(ctx context.Context, p *testserver.Server) bool {
		return testserver.Answers(ctx, "http://"+p.Address()+"/api/v2/heartbeat")
	}
	return s, s.Launch(ctx)
}

// find returns the directory of the Node package with the server, below NSFL_CHROMA or
// .cache/chroma.
func find() (string, error) {
	if _, err := exec.LookPath("node"); err != nil {
		return "", fmt.Errorf("%w (there is no node)", ErrMissing)
	}
	dir, err := testserver.Installed("NSFL_CHROMA", "chroma")
	if err != nil {
		return "", err
	}
	// The pattern is valid, so Glob returns no error.
	found, _ := filepath.Glob(filepath.Join(dir, "node_modules", "chromadb-js-bindings-*", "*.node"))
	if len(found) == 0 {
		return "", fmt.Errorf("%w (%s has no node_modules/chromadb-js-bindings-*)", ErrMissing, dir)
	}
	return filepath.Dir(found[0]), nil
}

func (s *Server) URL() string { return "chroma://" + s.Address() + "/" }
