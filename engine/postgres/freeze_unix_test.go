//go:build unix

package postgres

import (
	"syscall"
	"testing"

	"github.com/nsfl-go/nsfl/engine/postgres/postgrestest"
)

// freeze stops a server where it is.
func freeze(t *testing.T, s *postgrestest.Server) { signal(t, s, syscall.SIGSTOP) }

// thaw lets it go on.
func thaw(t *testing.T, s *postgrestest.Server) { signal(t, s, syscall.SIGCONT) }

func signal(t *testing.T, s *postgrestest.Server, sig syscall.Signal) {
	t.Helper()
	if err := s.Process().Signal(sig); err != nil {
		t.Fatal(err)
	}
}
