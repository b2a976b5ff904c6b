//go:build unix

package postgres

import (
	"syscall"
	"testing"
)

// freeze stops a server where it is.
func freeze(t *testing.T, s *server) { signal(t, s, syscall.SIGSTOP) }

// thaw lets it go on.
func thaw(t *testing.T, s *server) { signal(t, s, syscall.SIGCONT) }

func signal(t *testing.T, s *server, sig syscall.Signal) {
	t.Helper()
	if err := s.cmd.Process.Signal(sig); err != nil {
		t.Fatal(err)
	}
}
