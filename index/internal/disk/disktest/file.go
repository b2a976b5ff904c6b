package disktest

import (
	"io/fs"
	"slices"

	"github.com/nsfl-go/nsfl/index/internal/disk"
)

// file is a file of a Disk, open for writing.
type file struct {
	disk.File
	d    *Disk
	path string
	id   int
	at   int64 // offset of the next Write
}

func (f *file) WriteAt(b []byte, offset int64) (n int, err error) {
	err = f.d.do(Call{Kind: Write, Path: f.path, Offset: offset, Data: slices.Clone(b), file: f.id}, func(c *Call) (err error) {
		n, err = f.File.WriteAt(c.Data, c.Offset)
		return err
	})
	if err != nil {
		err = &fs.PathError{Op: "write", Path: f.path, Err: err}
	}
	return n, err
}

func (f *file) Write(b []byte) (int, error) {
	n, err := f.WriteAt(b, f.at)
	f.at += int64(n)
	return n, err
}

func (f *file) Truncate(size int64) error {
	return f.d.named(Call{Kind: Truncate, Path: f.path, Offset: size, file: f.id}, func(c *Call) error { return f.File.Truncate(c.Offset) })
}

func (f *file) Sync() error {
	return f.d.named(Call{Kind: Sync, Path: f.path, file: f.id}, func(*Call) error { return nil })
}
