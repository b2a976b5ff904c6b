package index

import (
	"path/filepath"

	"github.com/nsfl-go/nsfl/index/internal/disk"
)

// place is the directory of a collection and the disk that it is on.
type place struct {
	dir  string
	disk disk.Disk
}

// at is a directory of the operating system.
func at(dir string) place { return place{dir, disk.OS} }

// path is that of a file of the collection.
func (p place) path(name string) string { return filepath.Join(p.dir, name) }

// file opens a file of the collection.
func (p place) file(name string, flag int) (disk.File, error) { return p.disk.Open(p.path(name), flag) }

// syncDir brings the names of the files to the disk.
func (p place) syncDir() error { return p.disk.SyncDir(p.dir) }
