// Package disk is everything that a collection does to files and directories, so
// that tests can put another disk under it: one that fails, or forgets what was not
// synced. SQLite does the same through a file layer of its own, which a disk names.
//
// The package knows nothing of what is in the files.
package disk

import (
	"io"
	"io/fs"
	"os"

	"github.com/nsfl-go/nsfl/internal/durable"
)

// Disk is where the files of a collection are.
type Disk interface {
	// Open opens a file; flag is as for os.OpenFile.
	Open(path string, flag int) (File, error)
	Stat(path string) (fs.FileInfo, error)
	ReadDir(path string) ([]fs.DirEntry, error)
	MkdirAll(path string) error
	Rename(from, to string) error
	Remove(path string) error
	// SyncDir brings the names in a directory to the disk.
	SyncDir(path string) error
	// VFS is the name of the file layer that SQLite is to use; its own where it is
	// empty.
	VFS() string
}

// File is an open file.
type File interface {
	io.ReaderAt
	io.Writer
	io.WriterAt
	io.Closer
	Truncate(size int64) error
	Sync() error
	Stat() (fs.FileInfo, error)
	Fd() uintptr
}

// OS is the operating system's, with nothing added.
var OS Disk = system{}

type system struct{}

func (system) Open(path string, flag int) (File, error) {
	f, err := os.OpenFile(path, flag, 0o666)
	if err != nil {
		return nil, err
	}
	return f, nil
}

func (system) Stat(path string) (fs.FileInfo, error)      { return os.Stat(path) }
func (system) ReadDir(path string) ([]fs.DirEntry, error) { return os.ReadDir(path) }
func (system) MkdirAll(path string) error                 { return os.MkdirAll(path, 0o777) }
func (system) Rename(from, to string) error               { return os.Rename(from, to) }
func (system) Remove(path string) error                   { return os.Remove(path) }
func (system) SyncDir(path string) error                  { return durable.SyncDir(path) }
func (system) VFS() string                                { return "" }
