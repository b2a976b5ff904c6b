package pushdown_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/nsfl-go/nsfl/internal/testserver"
)

// startOpenSearch starts a server of one node and returns its address. The test is skipped if
// none is installed.
func startOpenSearch(t *testing.T) string {
	t.Helper()
	dir, err := testserver.Installed("NSFL_OPENSEARCH", "opensearch")
	if err != nil {
		t.Fatal(err)
	}
	// The pattern is valid, so Glob returns no error.
	found, _ := filepath.Glob(filepath.Join(dir, "opensearch-*", "bin", "opensearch"))
	java, err := exec.LookPath("java")
	if err == nil {
		java, err = filepath.EvalSymlinks(java)
	}
	if len(found) == 0 || err != nil {
		t.Skip("needs Java and OpenSearch in .cache/opensearch, which make setup installs")
	}
	home := filepath.Dir(filepath.Dir(found[0]))
	s := &testserver.Server{Name: "OpenSearch"}
	s.Command = func(p *testserver.Server) *exec.Cmd {
		path := func(name string) string { return filepath.Join(p.Dir, name) }
		// The server writes to its configuration.
		if err := errors.Join(os.CopyFS(path("config"), os.DirFS(filepath.Join(home, "config"))), os.Mkdir(path("temporary"), 0o755)); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(found[0],
			"-E", "discovery.type=single-node", "-E", "network.host=127.0.0.1", "-E", "http.port="+p.Port, "-E", "transport.port=0",
			"-E", "path.data="+path("data"), "-E", "path.logs="+path("logs"),
			// Disks of machines that build and test are often rather full.
			"-E", "cluster.routing.allocation.disk.threshold_enabled=false",
			// Every formula is a script of its own.
			"-E", "script.disable_max_compilations_rate=true")
		cmd.Env = append(os.Environ(), "OPENSEARCH_JAVA_HOME="+filepath.Dir(filepath.Dir(java)), "OPENSEARCH_PATH_CONF="+path("config"), "OPENSEARCH_TMPDIR="+path("temporary"),
			// It lives for a minute, in which the better compiler would not pay.
			"OPENSEARCH_JAVA_OPTS=-Xms512m -Xmx512m -XX:TieredStopAtLevel=1")
		cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
		if os.Geteuid() == 0 { // OpenSearch refuses to run as root
			const other = 1000
			cmd.SysProcAttr.Cloneflags = syscall.CLONE_NEWUSER
			cmd.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{ContainerID: other, HostID: 0, Size: 1}}
			cmd.SysProcAttr.GidMappings = []syscall.SysProcIDMap{{ContainerID: other, HostID: 0, Size: 1}}
		}
		return cmd
	}
	s.Ready = func(ctx context.Context, p *testserver.Server) bool {
		return testserver.Answers(ctx, "http://"+p.Address()+"/_cluster/health?wait_for_status=yellow")
	}
	if err := s.Launch(context.Background()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return "http://" + s.Address()
}
