//go:build unix

package testserver

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Freeze suspends a process and its descendants until they are thawed.
func Freeze(t testing.TB, p *os.Process) (thaw func()) {
	t.Helper()
	var stopped []int
	for pids := []int{p.Pid}; len(pids) > 0; pids = pids[1:] {
		stop(t, pids[0])
		stopped = append(stopped, pids[0])
		pids = append(pids, children(pids[0])...) // which are no more while it stands still
	}
	return func() {
		for _, pid := range stopped {
			if err := syscall.Kill(pid, syscall.SIGCONT); err != nil && !errors.Is(err, syscall.ESRCH) { // it was ending
				t.Fatal(err)
			}
		}
	}
}

func stop(t testing.TB, pid int) {
	t.Helper()
	if err := syscall.Kill(pid, syscall.SIGSTOP); err != nil && !errors.Is(err, syscall.ESRCH) {
		t.Fatal(err)
	}
	// The signal is taken when its turn comes; on a busy machine one of the process's
	// threads may answer before that.
	for range 1000 {
		if stopped(pid) {
			return
		}
		time.Sleep(time.Millisecond)
	}
}

// Kill ends a process and its descendants.
func Kill(t testing.TB, p *os.Process) {
	t.Helper()
	Freeze(t, p) // prevents new children meanwhile
	for pids := []int{p.Pid}; len(pids) > 0; pids = pids[1:] {
		pids = append(pids, children(pids[0])...)
		if err := syscall.Kill(pids[0], syscall.SIGKILL); err != nil && !errors.Is(err, syscall.ESRCH) {
			t.Fatal(err)
		}
	}
}

// children returns the child processes of a process, as far as the system reports them.
func children(pid int) (out []int) {
	all, _ := os.ReadDir("/proc")
	for _, entry := range all {
		child, err := strconv.Atoi(entry.Name())
		if err != nil {
			continue
		}
		stat, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", child))
		// The state and the parent follow the name, which is in parentheses and may hold
		// anything.
		_, rest, _ := strings.Cut(string(stat), ") ")
		if fields := strings.Fields(rest); len(fields) > 1 && fields[1] == strconv.Itoa(pid) {
			out = append(out, child)
		}
	}
	return out
}

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
		if _, rest, _ := strings.Cut(string(stat), ") "); !strings.HasPrefix(rest, "T") && !strings.HasPrefix(rest, "Z") {
			return false // nor has it ended
		}
	}
	return true
}
