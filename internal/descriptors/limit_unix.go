//go:build unix

package descriptors

import (
	"math"
	"syscall"
)

func limit() int {
	var r syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_NOFILE, &r) != nil || r.Cur > math.MaxInt32 {
		return many
	}
	return int(r.Cur)
}
