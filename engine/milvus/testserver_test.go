package milvus

import (
	"context"
	_ "embed"
	"fmt"
	"net"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/nsfl-go/nsfl/internal/testserver"
)

//go:embed testdata/serve.py
var script string

// started starts Milvus Lite. The test is skipped if it is not installed.
func started(t testing.TB) *testserver.Server {
	t.Helper()
	python, err := pythonOf()
	if err != nil {
		t.Skip(err)
	}
	s := &testserver.Server{
		Name: "Milvus Lite",
		Command: func(p *testserver.Server) *exec.Cmd {
			return exec.Command(python, "-c", script, filepath.Join(p.Dir, "data"), p.Port)
		},
		Ready: func(ctx context.Context, p *testserver.Server) bool {
			conn, err := new(net.Dialer).DialContext(ctx, "tcp", p.Address())
			return err == nil && conn.Close() == nil
		},
	}
	if err := s.Launch(context.Background()); err != nil {
		t.Fatal(err)
	}
	return s
}

// pythonOf returns an interpreter that has Milvus Lite and Milvus's own client, from the virtual
// environment NSFL_MILVUS or .cache/milvus.
func pythonOf() (string, error) {
	dir, err := testserver.Installed("NSFL_MILVUS", "milvus")
	if err != nil {
		return "", err
	}
	if found, _ := filepath.Glob(filepath.Join(dir, "lib", "python*", "site-packages", "milvus_lite")); len(found) == 0 {
		return "", fmt.Errorf("Milvus Lite is not installed: make setup installs it (%s has no milvus_lite)", dir)
	}
	return filepath.Join(dir, "bin", "python"), nil
}

// urlOf returns the address of a server for a store.
func urlOf(s *testserver.Server) string { return "milvus://" + s.Address() + "/" }
