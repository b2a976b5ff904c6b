//go:build unix

package ingest

import (
	"os"
	"syscall"
)

// confine bounds the data of this process in bytes. Linux enforces it, and in need of memory
// ends this process first.
func confine(bytes uint64) {
	_ = syscall.Setrlimit(syscall.RLIMIT_DATA, &syscall.Rlimit{Cur: bytes, Max: bytes})
	_ = os.WriteFile("/proc/self/oom_score_adj", []byte("1000"), 0)
}
