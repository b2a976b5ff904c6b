package index

import (
	"fmt"
	"io/fs"
	"os"
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

// file opens a file of the collection. One that is a link is not written to.
func (p place) file(name string, flag int) (disk.File, error) {
	if flag&(os.O_RDWR|os.O_WRONLY) != 0 {
		flag |= noFollow
	}
	return p.disk.Open(p.path(name), flag)
}

// ownLedger is an error where the ledger or its log is a link: SQLite would follow it.
func (p place) ownLedger() error {
	for _, name := range []string{ledgerName, logName} {
		if info, err := os.Lstat(p.path(name)); err == nil && info.Mode()&fs.ModeSymlink != 0 {
			return fmt.Errorf("opening %s: %s", p.path(name), linked)
		}
	}
	return nil
}

// syncDir brings the names of the files to the disk.
func (p place) syncDir() error { return p.disk.SyncDir(p.dir) }
