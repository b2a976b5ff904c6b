//go:build unix

package chroma

import (
	"syscall"
	"testing"

	"github.com/nsfl-go/nsfl/engine/chroma/chromatest"
)

func freeze(t *testing.T, s *chromatest.Server) { signal(t, s, syscall.SIGSTOP) }
func thaw(t *testing.T, s *chromatest.Server)   { signal(t, s, syscall.SIGCONT) }

func signal(t *testing.T, s *chromatest.Server, sig syscall.Signal) {
	if err := s.Process().Signal(sig); err != nil {
		t.Fatal(err)
	}
}
