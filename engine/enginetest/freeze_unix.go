//go:build unix

package enginetest

import (
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Freeze stops a process where it is, until it is thawed.
func Freeze(t testing.TB, p *os.Process) (thaw func()) {
	t.Helper()
	if err := p.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	// The signal is taken when its turn comes; on a busy machine one of the process's
	// threads may answer before that.
	for range 1000 {
		if stopped(p.Pid) {
			break
		}
		time.Sleep(time.Millisecond)
	}
	return func() {
		if err := p.Signal(syscall.SIGCONT); err != nil {
			t.Fatal(err)
		}
	}
}

// stopped reports whether all threads of a process stand still, as far as the system tells.
func stopped(pid int) bool {
	threads, err := os.ReadDir(fmt.Sprintf("/proc/%d/task", pid))
	if err != nil { // there is no such folder
		return true
	}
	for _, thread := range threads {
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%s/stat", pid, thread.Name()))
		if err != nil {
			continue // it has ended
		}
		// The state follows the name, which is in parentheses and may hold anything.
		if _, rest, _ := strings.Cut(string(stat), ") "); !strings.HasPrefix(rest, "T") {
			return false
		}
	}
	return true
}
