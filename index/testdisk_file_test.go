//go:build unix

package index

import (
	"io/fs"
	"slices"

	"github.com/nsfl-go/nsfl/index/internal/disk"
)

// file is a file of a testDisk, open for writing.
type testFile struct {
	disk.File
	d    *testDisk
	path string
	id   int
	at   int64 // offset of the next Write
}

func (f *testFile) WriteAt(b []byte, offset int64) (n int, err error) {
	err = f.d.do(diskCall{Kind: writeCall, Path: f.path, Offset: offset, Data: slices.Clone(b), file: f.id}, func(c *diskCall) (err error) {
		n, err = f.File.WriteAt(c.Data, c.Offset)
		return err
	})
	if err != nil {
		err = &fs.PathError{Op: "write", Path: f.path, Err: err}
	}
	return n, err
}

func (f *testFile) Write(b []byte) (int, error) {
	n, err := f.WriteAt(b, f.at)
	f.at += int64(n)
	return n, err
}

func (f *testFile) Truncate(size int64) error {
	return f.d.named(diskCall{Kind: truncateCall, Path: f.path, Offset: size, file: f.id}, func(c *diskCall) error { return f.File.Truncate(c.Offset) })
}

func (f *testFile) Sync() error {
	return f.d.named(diskCall{Kind: syncCall, Path: f.path, file: f.id}, func(*diskCall) error { return nil })
}
