package postgres

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// server is a PostgreSQL server of the tests' own: PGlite under Node.
type server struct {
	cmd  *exec.Cmd
	stop io.Closer
	port string
}

// pglite is the folder that holds it; the test is skipped where it is absent.
func pglite(t testing.TB) string {
	dir := os.Getenv("NSFL_PGLITE")
	if dir == "" {
		dir = filepath.Join("..", "..", ".cache", "pglite")
	}
	dir, err := filepath.Abs(dir)
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

func startServer(dir string) (*server, error) {
	s := &server{cmd: exec.Command("node", filepath.Join("testdata", "serve.mjs"), dir)}
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
		s.close()
		return nil, fmt.Errorf("PGlite did not start: %w\n%s", err, errs.String())
	}
	s.port = strings.TrimSpace(line)
	return s, nil
}

// close ends the server and waits for it.
func (s *server) close() {
	s.stop.Close()
	s.cmd.Wait()
}

func (s *server) dsn() string {
	return "postgres://postgres:secret@127.0.0.1:" + s.port + "/postgres?sslmode=disable&pool_max_conns=1"
}

var shared struct {
	sync.Mutex
	*server
}

// sharedDSN is the server that most tests use: NSFL_TEST_PGVECTOR, or a PGlite
// that is started once.
func sharedDSN(t testing.TB) string {
	if dsn := os.Getenv("NSFL_TEST_PGVECTOR"); dsn != "" {
		return dsn
	}
	dir := pglite(t)
	shared.Lock()
	defer shared.Unlock()
	if shared.server == nil {
		s, err := startServer(dir)
		if err != nil {
			t.Fatal(err)
		}
		shared.server = s
	}
	return shared.dsn()
}

func TestMain(m *testing.M) {
	firstPause /= 10
	code := m.Run()
	if shared.server != nil {
		shared.close()
	}
	os.Exit(code)
}

var collections atomic.Int64

// collection is a name that no other test uses; what it names is dropped at the
// end of the test.
func collection(t testing.TB, dsn string) string {
	name := fmt.Sprintf("nsfl_test_%d_%d", os.Getpid(), collections.Add(1))
	t.Cleanup(func() {
		run(t, dsn, "DROP SCHEMA IF EXISTS "+pgx.Identifier{name}.Sanitize()+" CASCADE")
	})
	return name
}

// run runs one statement on a connection of its own.
func run(t testing.TB, dsn, text string, args ...any) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	c, err := configure(dsn, &Options{})
	if err != nil {
		t.Fatal(err)
	}
	conn, err := pgx.ConnectConfig(ctx, c.ConnConfig)
	if err != nil {
		t.Fatal(err)
	}
	_, err = conn.Exec(ctx, text, args...)
	if err := errors.Join(err, conn.Close(ctx)); err != nil {
		t.Fatal(err)
	}
}
