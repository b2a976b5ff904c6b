// Package disk abstracts the file operations of a collection. Tests substitute a disk
// that fails, or one that forgets data that was not synced. SQLite uses its own virtual
// file system, which a disk names.
//
// The package knows nothing about the contents of the files.
package disk

import (
	"io"
	"io/fs"
	"os"

	"github.com/nsfl-go/nsfl/internal/durable"
)

// Disk stores the files of a collection.
type Disk interface {
	// Open opens a file. The flags are those of os.OpenFile.
	Open(path string, flag int) (File, error)
	Stat(path string) (fs.FileInfo, error)
	ReadDir(path string) ([]fs.DirEntry, error)
	MkdirAll(path string) error
	Rename(from, to string) error
	Remove(path string) error
	// SyncDir syncs the entries of a directory.
	SyncDir(path string) error
	// VFS names the file system layer for SQLite, or is empty for the default.
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

// OS is the operating system's file system.
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
