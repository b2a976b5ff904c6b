//go:build unix

package enginetest

import (
	"os"
	"syscall"
	"testing"
)

// Freeze stops a process where it is, until it is thawed.
func Freeze(t testing.TB, p *os.Process) (thaw func()) {
	t.Helper()
	if err := p.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	return func() {
		if err := p.Signal(syscall.SIGCONT); err != nil {
			t.Fatal(err)
		}
	}
}
