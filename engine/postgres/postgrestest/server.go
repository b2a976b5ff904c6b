// Package postgrestest starts a PostgreSQL server with pgvector for tests: PGlite,
// in memory, under Node.
//
// It knows nothing of stores. No product code imports it.
package postgrestest

import (
	"bufio"
	_ "embed"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl/internal/testserver"
)

//go:embed serve.mjs
var script string

// Server is a running server.
type Server struct {
	cmd  *exec.Cmd
	stop io.Closer
	port string
}

// Find is the folder that holds PGlite; the test is skipped where it is absent.
func Find(t testing.TB) string {
	dir, err := testserver.Installed("NSFL_PGLITE", "pglite")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "node_modules", "@electric-sql", "pglite-socket")); err != nil {
		t.Skip("needs PGlite in .cache/pglite, which make setup installs")
	}
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("needs Node to run PGlite")
	}
	return dir
}

// Start starts a server from the folder that holds PGlite. It ends with the process
// at the latest.
func Start(dir string) (*Server, error) {
	s := &Server{cmd: exec.Command("node", "--input-type=module", "--eval", script, dir)}
	var errs strings.Builder
	s.cmd.Stderr = &errs
	stdin, err := s.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	s.stop = stdin
	stdout, err := s.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	line, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil {
		s.Close()
		return nil, fmt.Errorf("PGlite did not start: %w\n%s", err, errs.String())
	}
	s.port = strings.TrimSpace(line)
	return s, nil
}

// New starts a server that ends with the test.
func New(t testing.TB) *Server {
	s, err := Start(Find(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

// Close ends the server and waits for it.
func (s *Server) Close() {
	_ = s.stop.Close()
	_ = s.cmd.Wait() // it may have been killed
}

// Process is the server's.
func (s *Server) Process() *os.Process { return s.cmd.Process }

// Address is where it listens, HOST:PORT.
func (s *Server) Address() string { return "127.0.0.1:" + s.port }

// Password is what the server is logged in to with. It takes any.
const Password = "secret"

// DSN is its address for a store. It has one session, so that a store must not
// hold several connections.
func (s *Server) DSN() string {
	return "postgres://postgres:" + Password + "@" + s.Address() + "/postgres?sslmode=disable&pool_max_conns=1"
}
