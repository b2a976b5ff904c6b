// Package s3test starts an S3-compatible server for tests: versitygw, serving a folder.
//
// It knows nothing about backups. No product code imports it.
package s3test

import (
	"context"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/nsfl-go/nsfl/internal/testserver"
)

// Server is a running server with one bucket. Its credentials are in the environment of
// the test.
type Server struct {
	cmd     *exec.Cmd
	port    string
	buckets string
}

const bucket = "backups"

// New starts a server for the duration of the test, or skips the test if it is not
// installed.
func New(t *testing.T) *Server {
	t.Helper()
	path, err := testserver.Installed("NSFL_VERSITYGW", "versitygw")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); err != nil {
		t.Skip("needs versitygw in .cache, which make setup builds")
	}
	port, err := testserver.FreePort()
	if err != nil {
		t.Fatal(err)
	}
	s := &Server{port: port, buckets: filepath.Join(t.TempDir(), "buckets")}
	beside := filepath.Join(t.TempDir(), "attributes") // not every disk supports extended attributes
	for _, dir := range []string{filepath.Join(s.buckets, bucket), beside} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	const id, secret = "test-id", "test-secret-0123456789"
	said := &testserver.Tail{}
	s.cmd = exec.Command(path, "--port", "127.0.0.1:"+port, "--quiet", "--health", "/health", "posix", "--sidecar", beside, s.buckets)
	s.cmd.Env = append(os.Environ(), "ROOT_ACCESS_KEY="+id, "ROOT_SECRET_KEY="+secret)
	s.cmd.Stdout, s.cmd.Stderr = said, said
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() { _ = s.cmd.Wait(); close(ended) }()
	t.Cleanup(func() { _ = s.cmd.Process.Kill(); <-ended })
	ready := func(ctx context.Context) bool { return testserver.Answers(ctx, "http://127.0.0.1:"+port+"/health") }
	if err := testserver.Wait(t.Context(), ended, said.String, ready); err != nil {
		t.Fatal("versitygw: ", err)
	}
	t.Setenv("AWS_ACCESS_KEY_ID", id)
	t.Setenv("AWS_SECRET_ACCESS_KEY", secret)
	t.Setenv("AWS_SESSION_TOKEN", "")
	return s
}

// Address returns the address of a prefix in the bucket.
func (s *Server) Address(prefix string) string {
	return s.AddressOf(bucket, prefix)
}

// AddressOf returns the address of a prefix in any bucket.
func (s *Server) AddressOf(bucket, prefix string) string {
	return "s3://" + bucket + "/" + prefix + "?" + url.Values{"endpoint": {"http://127.0.0.1:" + s.port}, "region": {"us-east-1"}}.Encode()
}

// File returns the path where the server stores a content, for tests that damage it.
func (s *Server) File(prefix, name string) string {
	return filepath.Join(s.buckets, bucket, filepath.FromSlash(prefix), filepath.FromSlash(name))
}
