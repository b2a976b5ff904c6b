//go:build unix

package descriptors

import (
	"math"
	"syscall"
)

// Limit returns the limit of the process, which Go has raised as far as allowed.
func Limit() int {
	var r syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_NOFILE, &r) != nil || r.Cur > math.MaxInt32 {
		return many
	}
	return int(r.Cur)
}
