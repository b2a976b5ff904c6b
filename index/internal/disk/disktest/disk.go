// Package disktest implements a disk for tests: it can fail at any call, it can die, and
// it records every change in order, to build images of the states in which a power cut at
// any point may leave a real disk. Files are stored on the operating system's disk; syncs
// are only recorded.
//
// The package knows nothing about collections.
package disktest

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"

	"github.com/nsfl-go/nsfl/index/internal/disk"
)

// Kind is the kind of a call.
type Kind string

// Kinds of calls that change something, or that can fail.
const (
	Open     Kind = "open"
	Write    Kind = "write"
	Truncate Kind = "truncate"
	Sync     Kind = "sync"
	Rename   Kind = "rename"
	Remove   Kind = "remove"
	Mkdir    Kind = "mkdir"
	SyncDir  Kind = "sync of the directory"
)

// Call is one call by the index or by SQLite.
type Call struct {
	Kind   Kind
	Path   string
	To     string // new path of a Rename
	Offset int64  // of a Write; the size for a Truncate
	Data   []byte // of a Write
	made   bool   // Open or Mkdir created the path
	failed bool   // for Sync
	file   int    // number of the file, whatever its name
}

// ErrDeath makes the disk die at a call: neither it nor any later call takes effect.
var ErrDeath = errors.New("the power is gone")

// Disk records calls, numbered from 0.
type Disk struct {
	// Fail, if set, decides before each call whether it fails. A Write that fails with
	// ENOSPC has written its first half.
	Fail func(n int, c Call) error

	mu    sync.Mutex
	calls []Call
	begun map[string][]byte // initial contents by path
	first map[string]int    // file number of each path initially
	names map[string]int    // file number of each path now
	count int               // number of files
	asked int               // number of calls attempted
	dead  bool
	vfs   *vfs
}

var _ disk.Disk = (*Disk)(nil)

// New returns a disk that records changes from now on. The contents of dir, which need
// not exist and must not be in use, count as synced. Close unregisters its SQLite file
// layer.
func New(dir string) (*Disk, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	d := &Disk{begun: map[string][]byte{}, first: map[string]int{}}
	err = filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		d.begun[path] = b
		d.first[path] = d.count
		d.count++
		return err
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	d.names = maps.Clone(d.first)
	d.vfs, err = register(d)
	return d, err
}

// Close releases the disk once all its files are closed.
func (d *Disk) Close() { d.vfs.unregister() }

// Changes returns the number of calls that changed something: the points to take images
// at.
func (d *Disk) Changes() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(d.calls)
}

// Die makes every later call fail without effect.
func (d *Disk) Die() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.dead = true
}

// do consults Fail, runs a call and records it. Calls are serialized across files to
// record one order.
func (d *Disk) do(c Call, run func(*Call) error) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.dead {
		return syscall.EIO
	}
	var failed error
	if d.Fail != nil {
		failed = d.Fail(d.asked, c)
	}
	d.asked++
	switch {
	case errors.Is(failed, ErrDeath):
		d.dead = true
		return syscall.EIO
	case failed != nil && c.Kind == Write && errors.Is(failed, syscall.ENOSPC):
		c.Data = c.Data[:len(c.Data)/2]
	case failed != nil && c.Kind == Sync:
		c.failed = true
		d.calls = append(d.calls, c)
		return failed
	case failed != nil:
		return failed
	}
	if err := run(&c); err != nil {
		return err
	}
	d.calls = append(d.calls, c)
	return failed
}

// opened numbers the file of a path and records whether it was created.
func (d *Disk) opened(c *Call) {
	id, known := d.names[c.Path]
	if !known {
		id = d.count
		d.count++
		d.names[c.Path] = id
	}
	c.file, c.made = id, !known
}

// Open opens a file.
func (d *Disk) Open(path string, flag int) (disk.File, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	if flag&os.O_CREATE == 0 && flag&(os.O_WRONLY|os.O_RDWR) == 0 {
		return disk.OS.Open(path, flag)
	}
	f := &file{d: d, path: path}
	err = d.do(Call{Kind: Open, Path: path}, func(c *Call) (err error) {
		if f.File, err = disk.OS.Open(path, flag); err != nil {
			return err
		}
		d.opened(c)
		f.id = c.file
		if flag&os.O_TRUNC != 0 && !c.made {
			d.calls = append(d.calls, Call{Kind: Truncate, Path: path, file: f.id})
		}
		return nil
	})
	if err != nil {
		if f.File != nil {
			_ = f.File.Close()
		}
		return nil, &fs.PathError{Op: "open", Path: path, Err: err}
	}
	return f, nil
}

// Stat never fails artificially.
func (d *Disk) Stat(path string) (fs.FileInfo, error) { return disk.OS.Stat(path) }

// ReadDir never fails artificially.
func (d *Disk) ReadDir(path string) ([]fs.DirEntry, error) { return disk.OS.ReadDir(path) }

// VFS names the disk's SQLite file layer.
func (d *Disk) VFS() string { return d.vfs.name }

// MkdirAll creates a directory.
func (d *Disk) MkdirAll(path string) error {
	return d.named(Call{Kind: Mkdir, Path: path}, func(c *Call) error {
		_, err := os.Stat(c.Path)
		c.made = errors.Is(err, fs.ErrNotExist)
		return disk.OS.MkdirAll(c.Path)
	})
}

// Rename renames a file or directory.
func (d *Disk) Rename(from, to string) error {
	to, err := filepath.Abs(to)
	if err != nil {
		return err
	}
	return d.named(Call{Kind: Rename, Path: from, To: to}, func(c *Call) error {
		err := disk.OS.Rename(c.Path, c.To)
		if err == nil {
			rename(d.names, c.Path, c.To)
		}
		return err
	})
}

// rename moves a path and everything below it.
func rename(names map[string]int, from, to string) {
	for path, id := range maps.Clone(names) {
		if rest, ok := strings.CutPrefix(path, from); ok && (rest == "" || rest[0] == filepath.Separator) {
			delete(names, path)
			names[to+rest] = id
		}
	}
}

// Remove removes a name.
func (d *Disk) Remove(path string) error {
	return d.named(Call{Kind: Remove, Path: path}, func(c *Call) error {
		err := disk.OS.Remove(c.Path)
		if err == nil {
			delete(d.names, c.Path)
		}
		return err
	})
}

// SyncDir records that the entries of a directory are on disk.
func (d *Disk) SyncDir(path string) error {
	return d.named(Call{Kind: SyncDir, Path: path}, func(*Call) error { return nil })
}

func (d *Disk) named(c Call, run func(*Call) error) error {
	path, err := filepath.Abs(c.Path)
	if err != nil {
		return err
	}
	c.Path = path
	if err := d.do(c, run); err != nil {
		return &fs.PathError{Op: string(c.Kind), Path: path, Err: err}
	}
	return nil
}
