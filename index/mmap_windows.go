package index

import (
	"io"
	"unsafe"

	"github.com/nsfl-go/nsfl/index/internal/disk"
)

// mapFile reads the file into memory: on Windows a mapped file could be neither truncated
// nor removed. The memory is aligned for float32.
func mapFile(f disk.File, length int64) ([]byte, error) {
	words := make([]uint64, (length+7)/8)
	if length == 0 {
		return nil, nil
	}
	data := unsafe.Slice((*byte)(unsafe.Pointer(&words[0])), length)
	_, err := io.ReadFull(io.NewSectionReader(f, 0, length), data)
	return data, err
}

func unmapFile([]byte) {}
