//go:build unix

package index

import (
	"runtime"

	"golang.org/x/sys/unix"

	"github.com/nsfl-go/nsfl/index/internal/disk"
)

// reserve returns how many bytes to map for a file of the given length. On Linux a
// mapping may extend beyond the end of its file and the file can grow into it, which
// avoids remapping, and faulting in every page again, after each batch.
func reserve(length int64) int64 {
	const least = 1 << 20
	if runtime.GOOS == "linux" {
		return max(2*length, least)
	}
	return max(length, 1)
}

func mapFile(f disk.File, length int64) ([]byte, error) {
	data, err := unix.Mmap(int(f.Fd()), 0, int(reserve(length)), unix.PROT_READ, unix.MAP_SHARED)
	if err != nil { // address space may be limited
		data, err = unix.Mmap(int(f.Fd()), 0, int(max(length, 1)), unix.PROT_READ, unix.MAP_SHARED)
	}
	if err == nil {
		advise(data)
	}
	return data, err
}

func unmapFile(data []byte) {
	// Munmap fails only for data that is not a mapping.
	_ = unix.Munmap(data)
}
