//go:build unix

package index

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

// callKind is the kind of a call.
type callKind string

// Kinds of calls that change something, or that can fail.
const (
	openCall     callKind = "open"
	writeCall    callKind = "write"
	truncateCall callKind = "truncate"
	syncCall     callKind = "sync"
	renameCall   callKind = "rename"
	removeCall   callKind = "remove"
	mkdirCall    callKind = "mkdir"
	syncDirCall  callKind = "sync of the directory"
)

// diskCall is one call by the index or by SQLite.
type diskCall struct {
	Kind   callKind
	Path   string
	To     string // new path of a Rename
	Offset int64  // of a Write; the size for a Truncate
	Data   []byte // of a Write
	made   bool   // Open or Mkdir created the path
	failed bool   // for Sync
	file   int    // number of the file, whatever its name
}

// errDeath makes the disk die at a call: neither it nor any later call takes effect.
var errDeath = errors.New("the power is gone")

// testDisk is a disk that can fail at any call, that can die, and that records every change in
// order, numbered from 0, to build images of the states in which a power cut at any point may
// leave a real disk. Files are stored on the operating system's disk; syncs are only recorded.
type testDisk struct {
	// Fail, if set, decides before each call whether it fails. A Write that fails with
	// ENOSPC has written its first half.
	Fail func(n int, c diskCall) error

	mu    sync.Mutex
	calls []diskCall
	begun map[string][]byte // initial contents by path
	first map[string]int    // file number of each path initially
	names map[string]int    // file number of each path now
	count int               // number of files
	asked int               // number of calls attempted
	dead  bool
	vfs   *vfs
}

var _ disk.Disk = (*testDisk)(nil)

// newTestDisk returns a disk that records changes from now on. The contents of dir, which need
// not exist and must not be in use, count as synced. Close unregisters its SQLite file
// layer.
func newTestDisk(dir string) (*testDisk, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	d := &testDisk{begun: map[string][]byte{}, first: map[string]int{}}
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
func (d *testDisk) Close() { d.vfs.unregister() }

// Changes returns the number of calls that changed something: the points to take images
// at.
func (d *testDisk) Changes() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(d.calls)
}

// Die makes every later call fail without effect.
func (d *testDisk) Die() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.dead = true
}

// do consults Fail, runs a call and records it. Calls are serialized across files to
// record one order.
func (d *testDisk) do(c diskCall, run func(*diskCall) error) error {
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
	case errors.Is(failed, errDeath):
		d.dead = true
		return syscall.EIO
	case failed != nil && c.Kind == writeCall && errors.Is(failed, syscall.ENOSPC):
		c.Data = c.Data[:len(c.Data)/2]
	case failed != nil && c.Kind == syncCall:
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
func (d *testDisk) opened(c *diskCall) {
	id, known := d.names[c.Path]
	if !known {
		id = d.count
		d.count++
		d.names[c.Path] = id
	}
	c.file, c.made = id, !known
}

// Open opens a file.
func (d *testDisk) Open(path string, flag int) (disk.File, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	if flag&os.O_CREATE == 0 && flag&(os.O_WRONLY|os.O_RDWR) == 0 {
		return disk.OS.Open(path, flag)
	}
	f := &testFile{d: d, path: path}
	err = d.do(diskCall{Kind: openCall, Path: path}, func(c *diskCall) (err error) {
		if f.File, err = disk.OS.Open(path, flag); err != nil {
			return err
		}
		d.opened(c)
		f.id = c.file
		if flag&os.O_TRUNC != 0 && !c.made {
			d.calls = append(d.calls, diskCall{Kind: truncateCall, Path: path, file: f.id})
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
func (d *testDisk) Stat(path string) (fs.FileInfo, error) { return disk.OS.Stat(path) }

// ReadDir never fails artificially.
func (d *testDisk) ReadDir(path string) ([]fs.DirEntry, error) { return disk.OS.ReadDir(path) }

// VFS names the disk's SQLite file layer.
func (d *testDisk) VFS() string { return d.vfs.name }

// MkdirAll creates a directory.
func (d *testDisk) MkdirAll(path string) error {
	return d.named(diskCall{Kind: mkdirCall, Path: path}, func(c *diskCall) error {
		_, err := os.Stat(c.Path)
		c.made = errors.Is(err, fs.ErrNotExist)
		return disk.OS.MkdirAll(c.Path)
	})
}

// Rename renames a file or directory.
func (d *testDisk) Rename(from, to string) error {
	to, err := filepath.Abs(to)
	if err != nil {
		return err
	}
	return d.named(diskCall{Kind: renameCall, Path: from, To: to}, func(c *diskCall) error {
		err := disk.OS.Rename(c.Path, c.To)
		if err == nil {
			renamePaths(d.names, c.Path, c.To)
		}
		return err
	})
}

// renamePaths moves a path and everything below it.
func renamePaths(names map[string]int, from, to string) {
	for path, id := range maps.Clone(names) {
		if rest, ok := strings.CutPrefix(path, from); ok && (rest == "" || rest[0] == filepath.Separator) {
			delete(names, path)
			names[to+rest] = id
		}
	}
}

// Remove removes a name.
func (d *testDisk) Remove(path string) error {
	return d.named(diskCall{Kind: removeCall, Path: path}, func(c *diskCall) error {
		err := disk.OS.Remove(c.Path)
		if err == nil {
			delete(d.names, c.Path)
		}
		return err
	})
}

// SyncDir records that the entries of a directory are on disk.
func (d *testDisk) SyncDir(path string) error {
	return d.named(diskCall{Kind: syncDirCall, Path: path}, func(*diskCall) error { return nil })
}

func (d *testDisk) named(c diskCall, run func(*diskCall) error) error {
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

// Reborn returns the disk as another process finds it after this one died, as a copy of a
// directory: all writes are visible, but unsynced ones are still unsynced.
func (d *testDisk) Reborn(from, to string) (*testDisk, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.dead = true
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		return nil, err
	}
	moved := func(path string) string {
		if rest, ok := strings.CutPrefix(path, from); ok {
			return to + rest
		}
		return path
	}
	n := &testDisk{begun: map[string][]byte{}, first: map[string]int{}, names: map[string]int{}, count: d.count, asked: d.asked}
	for path, b := range d.begun {
		n.begun[moved(path)], n.first[moved(path)] = b, d.first[path]
	}
	for path, id := range d.names {
		n.names[moved(path)] = id
	}
	for _, c := range d.calls {
		c.Path, c.To = moved(c.Path), moved(c.To)
		n.calls = append(n.calls, c)
	}
	var err error
	n.vfs, err = register(n)
	return n, err
}
