// Package chromatest starts a Chroma server for tests and benchmarks: the one that
// Chroma's package for Node carries. It listens on 127.0.0.1 only, and reports to
// nobody.
//
// It knows nothing of stores. No product code imports it.
package chromatest

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/nsfl-go/nsfl/internal/testserver"
)

//go:embed serve.cjs
var script string

// ErrMissing means that no server is installed. It is returned wrapped.
var ErrMissing = errors.New("the Chroma server is not installed: make setup installs it")

// Options are how a server is started.
type Options struct {
	// Dir holds the server's data and is created if it does not exist. If it is empty, the
	// server uses a temporary folder, which Close removes.
	Dir string
}

// Server is a server that was started. Its methods are for one goroutine.
type Server struct {
	bindings  string // the package that carries the server
	dir       string
	temporary bool
	port      string

	cmd   *exec.Cmd
	ended chan struct{} // closed when the process is gone
	said  *testserver.Tail
}

// Start starts a server and waits until it answers. It ends with this process at
// the latest.
func Start(ctx context.Context, o Options) (*Server, error) {
	bindings, err := find()
	if err != nil {
		return nil, fmt.Errorf("starting Chroma: %w", err)
	}
	s := &Server{bindings: bindings, dir: o.Dir}
	if s.dir == "" {
		if s.dir, err = os.MkdirTemp("", "chroma-"); err != nil {
			return nil, fmt.Errorf("starting Chroma: %w", err)
		}
		s.temporary = true
	}
	if s.dir, err = filepath.Abs(s.dir); err == nil {
		s.port, err = testserver.FreePort()
	}
	if err == nil {
		err = s.Restart(ctx)
	}
	if err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// find is the folder of the package that carries the server: in the folder that
// NSFL_CHROMA names, or in .cache/chroma.
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

// Restart starts the server again, on the same data and the same port, after it
// was killed, and waits until it answers.
func (s *Server) Restart(ctx context.Context) error {
	s.cmd = exec.Command("node", "--eval", script, s.bindings, s.dir, s.port)
	// Keeps the server's configuration out of the user's home directory.
	s.cmd.Env = append(os.Environ(), "HOME="+s.dir, "ANONYMIZED_TELEMETRY=False")
	s.said = &testserver.Tail{}
	s.cmd.Stdout, s.cmd.Stderr = s.said, s.said
	// It is never written to. That it ends, when this process does, ends the server.
	if _, err := s.cmd.StdinPipe(); err != nil {
		return fmt.Errorf("starting Chroma: %w", err)
	}
	if err := s.cmd.Start(); err != nil {
		return fmt.Errorf("starting Chroma: %w", err)
	}
	ended := make(chan struct{})
	s.ended = ended
	go func(cmd *exec.Cmd) {
		_ = cmd.Wait() // it is killed
		close(ended)
	}(s.cmd)
	// That it answers is all that the server has to say that it is ready.
	err := testserver.Wait(ctx, s.ended, s.said.String, func(ctx context.Context) bool {
		return testserver.Answers(ctx, "http://"+s.Address()+"/api/v2/heartbeat")
	})
	if err != nil {
		return fmt.Errorf("starting Chroma: %w", err)
	}
	return nil
}

// Address is where the server listens, HOST:PORT.
func (s *Server) Address() string { return net.JoinHostPort("127.0.0.1", s.port) }

// URL is its address for a store.
func (s *Server) URL() string { return "chroma://" + s.Address() + "/" }

// Process is the server's.
func (s *Server) Process() *os.Process { return s.cmd.Process }

// Kill ends the server at once, as kill -9 does, and waits for its end.
func (s *Server) Kill() {
	_ = s.cmd.Process.Kill() // it may have ended
	<-s.ended
}

// Close kills the server, and removes its data if it chose the folder.
func (s *Server) Close() {
	if s.ended != nil {
		s.Kill()
	}
	if s.temporary {
		os.RemoveAll(s.dir)
	}
}
