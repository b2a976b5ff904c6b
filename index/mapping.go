package index

import (
	"fmt"
	"os"
	"sync/atomic"

	"github.com/nsfl-go/nsfl/index/internal/disk"
)

// mapping is a memory-mapped flat file. Snapshots share it; releasing the last reference
// unmaps it.
type mapping struct {
	file disk.File
	// data may extend beyond the committed length, and beyond the end of the file, where
	// it must not be accessed. This lets the mapping serve as the file grows.
	data []byte
	refs atomic.Int32
}

// openMapping maps a file that has at least length bytes. The caller owns the reference.
func openMapping(p place, name string, length int64) (*mapping, error) {
	f, err := p.file(name, os.O_RDONLY)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && info.Size() < length {
		err = &DamageError{p.dir, endsEarly(name, info.Size(), length)}
	}
	var data []byte
	if err == nil {
		data, err = mapFile(f, length)
	}
	if err != nil {
		_ = f.Close()
		return nil, fmt.Errorf("mapping %s: %w", name, err)
	}
	m := &mapping{file: f, data: data}
	m.refs.Store(1)
	return m, nil
}

// covers reports whether the mapping and its file have at least length bytes.
func (m *mapping) covers(length int64) bool {
	info, err := m.file.Stat()
	return err == nil && length <= min(info.Size(), int64(len(m.data)))
}

func (m *mapping) retain() *mapping {
	m.refs.Add(1)
	return m
}

func (m *mapping) release() {
	if m.refs.Add(-1) == 0 {
		unmapFile(m.data)
		_ = m.file.Close() // only ever read
	}
}
