// Package milvustest starts a Milvus server for tests: Milvus Lite, which PyPI carries. It
// listens on 127.0.0.1 only.
//
// It knows nothing of stores. No product code imports it.
package milvustest

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

//go:embed serve.py
var script string

// ErrMissing means that no server is installed. It is returned wrapped.
var ErrMissing = errors.New("Milvus Lite is not installed: make setup installs it") //nolint:staticcheck // a name

// Server is a server that was started. Its methods are for one goroutine.
type Server struct {
	python string
	dir    string
	port   string

	cmd   *exec.Cmd
	ended chan struct{} // closed when the process is gone
	said  *testserver.Tail
}

// Start starts a server with data of its own and waits until it answers. It ends with this
// process at the latest.
func Start(ctx context.Context) (*Server, error) {
	python, err := Python()
	if err != nil {
		return nil, fmt.Errorf("starting Milvus Lite: %w", err)
	}
	s := &Server{python: python}
	if s.dir, err = os.MkdirTemp("", "milvus-"); err == nil {
		s.port, err = testserver.FreePort()
	}
	if err == nil {
		err = s.Restart(ctx)
	}
	if err != nil {
		s.Close()
		return nil, fmt.Errorf("starting Milvus Lite: %w", err)
	}
	return s, nil
}

// Python is an interpreter that has Milvus Lite and Milvus's own client: in the virtual
// environment that NSFL_MILVUS names, or in .cache/milvus.
func Python() (string, error) {
	dir, err := testserver.Installed("NSFL_MILVUS", "milvus")
	if err != nil {
		return "", err
	}
	if found, _ := filepath.Glob(filepath.Join(dir, "lib", "python*", "site-packages", "milvus_lite")); len(found) == 0 {
		return "", fmt.Errorf("%w (%s has no milvus_lite)", ErrMissing, dir)
	}
	return filepath.Join(dir, "bin", "python"), nil
}

// Restart starts the server again, on the same data and the same port, after it was killed,
// and waits until it answers.
func (s *Server) Restart(ctx context.Context) error {
	s.cmd = exec.Command(s.python, "-c", script, filepath.Join(s.dir, "data"), s.port)
	s.said = &testserver.Tail{}
	s.cmd.Stdout, s.cmd.Stderr = s.said, s.said
	// It is never written to. That it ends, when this process does, ends the server.
	if _, err := s.cmd.StdinPipe(); err != nil {
		return err
	}
	if err := s.cmd.Start(); err != nil {
		return err
	}
	ended := make(chan struct{})
	s.ended = ended
	go func(cmd *exec.Cmd) {
		_ = cmd.Wait() // it is killed
		close(ended)
	}(s.cmd)
	var dialer net.Dialer
	return testserver.Wait(ctx, s.ended, s.said.String, func(ctx context.Context) bool {
		conn, err := dialer.DialContext(ctx, "tcp", s.Address())
		return err == nil && conn.Close() == nil
	})
}

// Address is where the server listens, HOST:PORT.
func (s *Server) Address() string { return net.JoinHostPort("127.0.0.1", s.port) }

// URL is its address for a store.
func (s *Server) URL() string { return "milvus://" + s.Address() + "/" }

// Process is the server's.
func (s *Server) Process() *os.Process { return s.cmd.Process }

// Kill ends the server at once, as kill -9 does, and waits for its end.
func (s *Server) Kill() {
	_ = s.cmd.Process.Kill() // it may have ended
	<-s.ended
}

// Close kills the server and removes its data.
func (s *Server) Close() {
	if s.ended != nil {
		s.Kill()
	}
	os.RemoveAll(s.dir)
}
