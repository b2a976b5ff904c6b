//go:build unix

package index

import (
	"runtime"

	"golang.org/x/sys/unix"

	"github.com/nsfl-go/nsfl/index/internal/disk"
)

// reserve is how many bytes to map of a file that has length bytes. Linux lets
// a mapping reach beyond the end of its file and grow into it, which saves
// mapping, and faulting in, everything anew after each batch.
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
	// It fails only for what is not a mapping.
	_ = unix.Munmap(data)
}
