package index

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/nsfl-go/nsfl/index/internal/disk"
)

// place is a collection's directory and the disk that holds it.
type place struct {
	dir  string
	disk disk.Disk
}

// at returns the place of a directory of the operating system.
func at(dir string) place { return place{dir, disk.OS} }

// path returns the path of a file of the collection.
func (p place) path(name string) string { return filepath.Join(p.dir, name) }

// file opens a file of the collection. It refuses anything but a regular file.
func (p place) file(name string, flag int) (disk.File, error) {
	if err := p.checkRegular(name); err != nil {
		return nil, err
	}
	return p.disk.Open(p.path(name), flag|noFollow)
}

// checkRegular returns an error if a file of the collection is not a regular file: a link
// leads elsewhere, and opening a pipe blocks until its other end is opened.
func (p place) checkRegular(names ...string) error {
	for _, name := range names {
		switch info, err := os.Lstat(p.path(name)); {
		case err != nil: // it does not exist, or opening it fails the same way
		case info.Mode()&fs.ModeSymlink != 0:
			return fmt.Errorf("opening %s: %s", p.path(name), linkAdvice)
		case !info.Mode().IsRegular():
			return fmt.Errorf("opening %s: it is not a regular file, as the files of a collection are", p.path(name))
		}
	}
	return nil
}

func (p place) syncDir() error { return p.disk.SyncDir(p.dir) }
