package elastic

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/nsfl-go/nsfl/internal/testserver"
)

// The users of a secured server: admin may do everything, reader may read.
const (
	admin, reader, password = "admin", "reader", "secret-of-tests"

	// hashed is the password as the server stores it.
	hashed = "$2a$10$/LeElc3EhzLTrxQHUpMRhugk.nfGtYtogrY5xv4PWCMyf4wdzR.LO"
)

// testServer is an Elasticsearch server of one node that listens on 127.0.0.1 only, without
// scripts.
type testServer struct{ testserver.Server }

// started starts a server, with users or without. The test is skipped if none is installed.
func started(t testing.TB, secured bool) *testServer {
	t.Helper()
	home, java, err := find()
	if err != nil {
		t.Skip(err)
	}
	s := &testServer{testserver.Server{Name: "Elasticsearch", PIDFile: "pid"}}
	s.Command = func(p *testserver.Server) *exec.Cmd {
		if err := prepare(home, p.Dir); err != nil {
			t.Fatal(err)
		}
		path := func(name string) string { return filepath.Join(p.Dir, name) }
		cmd := exec.Command(filepath.Join(home, "bin", "elasticsearch"), "-p", path(p.PIDFile),
			"-E", "discovery.type=single-node", "-E", "network.host=127.0.0.1", "-E", "http.port="+p.Port, "-E", "transport.port=0",
			"-E", "path.data="+path("data"), "-E", "path.logs="+path("logs"),
			"-E", fmt.Sprint("xpack.security.enabled=", secured), "-E", "xpack.security.autoconfiguration.enabled=false",
			// Disks of machines that build and test are often rather full.
			"-E", "cluster.routing.allocation.disk.threshold_enabled=false")
		cmd.Env = append(os.Environ(), "ES_JAVA_HOME="+java, "ES_PATH_CONF="+path("config"), "ES_TMPDIR="+path("temporary"),
			// It lives for a minute, in which the better compiler would not pay.
			"ES_JAVA_OPTS=-Xms512m -Xmx512m -XX:TieredStopAtLevel=1")
		cmd.SysProcAttr = asNobody()
		return cmd
	}
	s.Ready = func(ctx context.Context, p *testserver.Server) bool {
		return testserver.Answers(ctx, "http://"+admin+":"+password+"@"+p.Address()+"/_cluster/health?wait_for_status=yellow")
	}
	if err := s.Launch(context.Background()); err != nil {
		t.Fatal(err)
	}
	return s
}

// find returns the folder of the server, below NSFL_ELASTICSEARCH or .cache/elasticsearch, and
// of Java.
func find() (home, java string, err error) {
	program, err := exec.LookPath("java")
	if err == nil {
		program, err = filepath.EvalSymlinks(program)
	}
	if err != nil {
		return "", "", fmt.Errorf("there is no java: %w", err)
	}
	dir, err := testserver.Installed("NSFL_ELASTICSEARCH", "elasticsearch")
	if err != nil {
		return "", "", err
	}
	// The pattern is valid, so Glob returns no error.
	found, _ := filepath.Glob(filepath.Join(dir, "elasticsearch-*", "bin", "elasticsearch"))
	if len(found) == 0 {
		return "", "", fmt.Errorf("the Elasticsearch server is not installed: make setup installs it (%s has no elasticsearch-*)", dir)
	}
	return filepath.Dir(filepath.Dir(found[0])), filepath.Dir(filepath.Dir(program)), nil
}

// prepare makes the folders and the configuration of a server, and removes the process id of
// the one before.
func prepare(home, dir string) error {
	files := map[string]string{
		"users":       admin + ":" + hashed + "\n" + reader + ":" + hashed + "\n",
		"users_roles": "superuser:" + admin + "\nreader:" + reader + "\n",
		"roles.yml":   `reader: {indices: [{names: ["*"], privileges: [read, view_index_metadata]}]}` + "\n",
	}
	for _, name := range []string{"jvm.options", "log4j2.properties"} {
		content, err := os.ReadFile(filepath.Join(home, "config", name))
		if err != nil {
			return err
		}
		files[name] = string(content)
	}
	config := filepath.Join(dir, "config")
	err := errors.Join(os.RemoveAll(filepath.Join(dir, "pid")), os.MkdirAll(config, 0o755), os.MkdirAll(filepath.Join(dir, "temporary"), 0o755))
	for name, content := range files {
		err = errors.Join(err, os.WriteFile(filepath.Join(config, name), []byte(content), 0o644))
	}
	return err
}

// URL is the address of the server for a store.
func (s *testServer) URL() string { return "elastic://" + s.Address() + "/" }
