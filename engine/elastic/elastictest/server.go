// Package elastictest starts an Elasticsearch server for tests and benchmarks: one node that
// listens on 127.0.0.1 only, without scripts.
//
// It knows nothing of stores. No product code imports it.
package elastictest

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/nsfl-go/nsfl/internal/testserver"
)

// ErrMissing means that no server is installed. It is returned wrapped.
var ErrMissing = errors.New("the Elasticsearch server is not installed: make setup installs it")

// Options are how a server is started.
type Options struct {
	// Secured enables authentication: Admin may do everything, Reader may read, both with
	// Password. Otherwise requests need no login.
	Secured bool
}

// The users of a server that is secured.
const (
	Admin, Reader, Password = "admin", "reader", "secret-of-tests"

	// hashed is the password as the server has it.
	hashed = "$2a$10$/LeElc3EhzLTrxQHUpMRhugk.nfGtYtogrY5xv4PWCMyf4wdzR.LO"
)

// Server is a server that was started. Its methods are for one goroutine.
type Server struct {
	home string // installation folder
	java string
	dir  string // of all that it writes
	port string
	Options

	process *os.Process   // the server's
	ended   chan struct{} // closed when the launcher has exited, which is after the server
	said    *testserver.Tail
}

// Start starts a server and waits until it answers. It ends with this process at the
// latest.
func Start(ctx context.Context, o Options) (s *Server, err error) {
	s = &Server{Options: o}
	s.home, s.java, err = find()
	if err == nil {
		s.dir, err = os.MkdirTemp("", "elasticsearch-")
	}
	if err == nil {
		err = s.prepare()
	}
	if err == nil {
		err = s.Restart(ctx)
	}
	if err != nil {
		s.Close()
		return nil, fmt.Errorf("starting Elasticsearch: %w", err)
	}
	return s, nil
}

// find is the folder of the server, in the one that NSFL_ELASTICSEARCH names or in
// .cache/elasticsearch, and the one of a Java that is good for it.
func find() (home, java string, err error) {
	program, err := exec.LookPath("java")
	if err == nil {
		program, err = filepath.EvalSymlinks(program)
	}
	if err != nil {
		return "", "", fmt.Errorf("%w (there is no java)", ErrMissing)
	}
	dir, err := testserver.Installed("NSFL_ELASTICSEARCH", "elasticsearch")
	if err != nil {
		return "", "", err
	}
	// The pattern is valid, so Glob returns no error.
	found, _ := filepath.Glob(filepath.Join(dir, "elasticsearch-*", "bin", "elasticsearch"))
	if len(found) == 0 {
		return "", "", fmt.Errorf("%w (%s has no elasticsearch-*)", ErrMissing, dir)
	}
	return filepath.Dir(filepath.Dir(found[0])), filepath.Dir(filepath.Dir(program)), nil
}

// path returns the path of a file that the server writes.
func (s *Server) path(name string) string { return filepath.Join(s.dir, name) }

// prepare makes the folders that the server wants, and its configuration.
func (s *Server) prepare() (err error) {
	for _, name := range []string{"config", "temporary"} {
		if err := os.Mkdir(s.path(name), 0o755); err != nil {
			return err
		}
	}
	for _, name := range []string{"jvm.options", "log4j2.properties"} {
		content, err := os.ReadFile(filepath.Join(s.home, "config", name))
		if err == nil {
			err = os.WriteFile(filepath.Join(s.path("config"), name), content, 0o644)
		}
		if err != nil {
			return err
		}
	}
	for name, content := range map[string]string{
		"users":       Admin + ":" + hashed + "\n" + Reader + ":" + hashed + "\n",
		"users_roles": "superuser:" + Admin + "\nreader:" + Reader + "\n",
		"roles.yml":   `reader: {indices: [{names: ["*"], privileges: [read, view_index_metadata]}]}` + "\n",
	} {
		if err := os.WriteFile(filepath.Join(s.path("config"), name), []byte(content), 0o644); err != nil {
			return err
		}
	}
	s.port, err = testserver.FreePort()
	return err
}

// Restart starts the server again, on the same data and the same port, after it was
// killed, and waits until it answers.
func (s *Server) Restart(ctx context.Context) error {
	os.Remove(s.path("pid")) //nolint:errcheck // of the one before, where there was one
	cmd := exec.Command(filepath.Join(s.home, "bin", "elasticsearch"), "-p", s.path("pid"),
		"-E", "discovery.type=single-node", "-E", "network.host=127.0.0.1", "-E", "http.port="+s.port, "-E", "transport.port=0",
		"-E", "path.data="+s.path("data"), "-E", "path.logs="+s.path("logs"),
		"-E", fmt.Sprint("xpack.security.enabled=", s.Secured), "-E", "xpack.security.autoconfiguration.enabled=false",
		// Disks of machines that build and test are often rather full.
		"-E", "cluster.routing.allocation.disk.threshold_enabled=false")
	cmd.Env = append(os.Environ(), "ES_JAVA_HOME="+s.java, "ES_PATH_CONF="+s.path("config"), "ES_TMPDIR="+s.path("temporary"),
		// It lives for a minute, in which the better compiler would not pay.
		"ES_JAVA_OPTS=-Xms512m -Xmx512m -XX:TieredStopAtLevel=1")
	cmd.SysProcAttr = asNobody()
	s.said = &testserver.Tail{}
	cmd.Stdout, cmd.Stderr = s.said, s.said
	if err := cmd.Start(); err != nil {
		return err
	}
	ended := make(chan struct{})
	s.ended, s.process = ended, cmd.Process
	go func() {
		_ = cmd.Wait() // it is killed
		close(ended)
	}()
	err := testserver.Wait(ctx, s.ended, s.said.String, s.ready)
	if err != nil {
		return err
	}
	return s.find()
}

// ready reports whether the server answers.
func (s *Server) ready(ctx context.Context) bool {
	return testserver.Answers(ctx, "http://"+Admin+":"+Password+"@"+s.Address()+"/_cluster/health?wait_for_status=yellow")
}

// find determines the server's process id; the launcher is a different process.
func (s *Server) find() error {
	text, err := os.ReadFile(s.path("pid"))
	if err != nil {
		return err
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		return err
	}
	s.process, err = os.FindProcess(pid)
	return err
}

// Address is where the server listens, HOST:PORT.
func (s *Server) Address() string { return net.JoinHostPort("127.0.0.1", s.port) }

// URL is its address for a store.
func (s *Server) URL() string { return "elastic://" + s.Address() + "/" }

// Process is the server's.
func (s *Server) Process() *os.Process { return s.process }

// Kill ends the server at once, as kill -9 does, and waits for its end.
func (s *Server) Kill() {
	_ = s.process.Kill() // it may have ended
	<-s.ended
}

// Close kills the server and removes its files.
func (s *Server) Close() {
	if s.ended != nil {
		s.Kill()
	}
	if s.dir != "" {
		os.RemoveAll(s.dir)
	}
}
