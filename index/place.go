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

// file opens a file of the collection. It refuses to write through a symbolic link.
func (p place) file(name string, flag int) (disk.File, error) {
	if flag&(os.O_RDWR|os.O_WRONLY) != 0 {
		flag |= noFollow
	}
	return p.disk.Open(p.path(name), flag)
}

// checkLinks returns an error if the ledger or its log is a symbolic link, which SQLite
// would follow.
func (p place) checkLinks() error {
	for _, name := range []string{ledgerName, logName} {
		if info, err := os.Lstat(p.path(name)); err == nil && info.Mode()&fs.ModeSymlink != 0 {
			return fmt.Errorf("opening %s: %s", p.path(name), linkAdvice)
		}
	}
	return nil
}

// syncDir syncs the directory entries.
func (p place) syncDir() error { return p.disk.SyncDir(p.dir) }
