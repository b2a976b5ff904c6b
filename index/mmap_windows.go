package index

import (
	"io"
	"unsafe"

	"github.com/nsfl-go/nsfl/index/internal/disk"
)

// mapFile reads the file: a mapped file could be neither cut nor removed on
// this system. The memory is aligned as float32 need it.
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
