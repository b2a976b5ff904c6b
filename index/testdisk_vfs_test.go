//go:build unix

package index

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"sync"
	"syscall"
	"unsafe"

	"modernc.org/libc"
	sqlite3 "modernc.org/sqlite/lib"
)

// vfs is a SQLite file layer that wraps the default one and reports to a testDisk. Its files
// are SQLite's own, except that the table of methods is a copy with the modifying methods
// replaced.
type vfs struct {
	name  string
	cname uintptr
	table uintptr
	below *sqlite3.Tsqlite3_vfs
	disk  *testDisk
}

// ledgerFile is a file that SQLite has open.
type ledgerFile struct {
	d       *testDisk
	path    string
	id      int
	syncDir bool // the first sync includes the directory
	own     *sqlite3.Tsqlite3_io_methods
}

// SQLite calls plain functions, not closures, so owners are looked up by address.
var layers struct {
	sync.Mutex
	registered int
	vfs        map[uintptr]*vfs
	files      map[uintptr]*ledgerFile
	methods    map[uintptr]uintptr // our method tables by SQLite's
}

// register registers a file layer with SQLite.
func register(d *testDisk) (*vfs, error) {
	layers.Lock()
	defer layers.Unlock()
	if layers.vfs == nil {
		layers.vfs, layers.files, layers.methods = map[uintptr]*vfs{}, map[uintptr]*ledgerFile{}, map[uintptr]uintptr{}
	}
	layers.registered++
	v := &vfs{name: fmt.Sprintf("testdisk%d", layers.registered), disk: d}
	tls := libc.NewTLS()
	defer tls.Close()
	var err error
	if v.cname, err = libc.CString(v.name); err != nil {
		return nil, err
	}
	v.below = pointer[sqlite3.Tsqlite3_vfs](sqlite3.Xsqlite3_vfs_find(tls, 0))
	table := *v.below
	table.FpNext, table.FzName, table.FxOpen, table.FxDelete = 0, v.cname, code(vfsOpen), code(vfsDelete)
	if v.table, err = allocate(tls, table); err != nil {
		return nil, err
	}
	layers.vfs[v.table] = v
	if rc := sqlite3.Xsqlite3_vfs_register(tls, v.table, 0); rc != sqlite3.SQLITE_OK {
		return nil, fmt.Errorf("registering a file layer: code %d", rc)
	}
	return v, nil
}

// allocate copies a value to C memory, where SQLite may keep it.
func allocate[T any](tls *libc.TLS, value T) (uintptr, error) {
	at := libc.Xmalloc(tls, libc.Tsize_t(unsafe.Sizeof(value)))
	if at == 0 {
		return 0, errors.New("there is no memory for a file layer")
	}
	*pointer[T](at) = value
	return at, nil
}

func (v *vfs) unregister() {
	layers.Lock()
	defer layers.Unlock()
	tls := libc.NewTLS()
	defer tls.Close()
	sqlite3.Xsqlite3_vfs_unregister(tls, v.table)
	delete(layers.vfs, v.table)
	libc.Xfree(tls, v.table)
	libc.Xfree(tls, v.cname)
}

// pointer converts an address from SQLite to a pointer.
func pointer[T any](address uintptr) *T { return *(**T)(unsafe.Pointer(&address)) }

func address[T any](p *T) uintptr { return uintptr(unsafe.Pointer(p)) }

// code returns the address of a function that SQLite can call.
func code[F any](f F) uintptr { return *(*uintptr)(unsafe.Pointer(&f)) }

// function converts the address of a SQLite function to a Go function.
func function[F any](code uintptr) F { return *(*F)(unsafe.Pointer(&code)) }

type (
	openFunc     = func(tls *libc.TLS, vfs, name, file uintptr, flags int32, out uintptr) int32
	deleteFunc   = func(tls *libc.TLS, vfs, name uintptr, syncDir int32) int32
	closeFunc    = func(tls *libc.TLS, file uintptr) int32
	writeFunc    = func(tls *libc.TLS, file, data uintptr, n int32, offset int64) int32
	truncateFunc = func(tls *libc.TLS, file uintptr, size int64) int32
)

// answer converts a result to a SQLite code; own is the code for a failure of the disk.
func answer(err error, own int32) int32 {
	var below belowError
	switch {
	case err == nil:
		return sqlite3.SQLITE_OK
	case errors.As(err, &below):
		return int32(below)
	case errors.Is(err, syscall.ENOSPC):
		return sqlite3.SQLITE_FULL
	}
	return own
}

// belowError is an error code of SQLite's default file layer.
type belowError int32

func (e belowError) Error() string { return fmt.Sprintf("code %d", int32(e)) }

func below(rc int32) error {
	if rc == sqlite3.SQLITE_OK {
		return nil
	}
	return belowError(rc)
}

func vfsOpen(tls *libc.TLS, pVfs, name, file uintptr, flags int32, out uintptr) int32 {
	layers.Lock()
	v := layers.vfs[pVfs]
	layers.Unlock()
	open := function[openFunc](v.below.FxOpen)
	const log = sqlite3.SQLITE_OPEN_WAL | sqlite3.SQLITE_OPEN_MAIN_JOURNAL
	if name == 0 || flags&(log|sqlite3.SQLITE_OPEN_MAIN_DB) == 0 {
		return open(tls, address(v.below), name, file, flags, out)
	}
	f := &ledgerFile{d: v.disk, path: libc.GoString(name)}
	err := v.disk.do(diskCall{Kind: openCall, Path: f.path}, func(c *diskCall) error {
		if err := below(open(tls, address(v.below), name, file, flags, out)); err != nil {
			return err
		}
		v.disk.opened(c)
		f.id, f.syncDir = c.file, flags&log != 0 && flags&sqlite3.SQLITE_OPEN_CREATE != 0
		return nil
	})
	if err != nil {
		*pointer[uintptr](file) = 0 // no methods: SQLite does not close it
		return answer(err, sqlite3.SQLITE_CANTOPEN)
	}
	return answer(f.wrap(tls, file), sqlite3.SQLITE_NOMEM)
}

// wrap replaces SQLite's methods with ours.
func (f *ledgerFile) wrap(tls *libc.TLS, file uintptr) (err error) {
	layers.Lock()
	defer layers.Unlock()
	base := pointer[sqlite3.Tsqlite3_file](file)
	own := base.FpMethods
	f.own = pointer[sqlite3.Tsqlite3_io_methods](own)
	if layers.methods[own] == 0 {
		table := *f.own
		table.FxClose, table.FxWrite, table.FxTruncate, table.FxSync = code(fileClose), code(fileWrite), code(fileTruncate), code(fileSync)
		if layers.methods[own], err = allocate(tls, table); err != nil {
			return err
		}
	}
	layers.files[file] = f
	base.FpMethods = layers.methods[own]
	return nil
}

func ledgerFileAt(file uintptr) *ledgerFile {
	layers.Lock()
	defer layers.Unlock()
	return layers.files[file]
}

func vfsDelete(tls *libc.TLS, pVfs, name uintptr, syncDir int32) int32 {
	layers.Lock()
	v := layers.vfs[pVfs]
	layers.Unlock()
	path := libc.GoString(name)
	err := v.disk.do(diskCall{Kind: removeCall, Path: path}, func(*diskCall) error {
		err := below(function[deleteFunc](v.below.FxDelete)(tls, address(v.below), name, 0))
		if err == nil {
			delete(v.disk.names, path)
		}
		return err
	})
	if err == nil && syncDir != 0 {
		err = v.disk.SyncDir(filepath.Dir(path))
	}
	return answer(err, sqlite3.SQLITE_IOERR_DELETE)
}

func fileClose(tls *libc.TLS, file uintptr) int32 {
	f := ledgerFileAt(file)
	layers.Lock()
	delete(layers.files, file)
	layers.Unlock()
	return function[closeFunc](f.own.FxClose)(tls, file)
}

func fileWrite(tls *libc.TLS, file, data uintptr, n int32, offset int64) int32 {
	f := ledgerFileAt(file)
	content := slices.Clone(unsafe.Slice(pointer[byte](data), n))
	return answer(f.d.do(diskCall{Kind: writeCall, Path: f.path, Offset: offset, Data: content, file: f.id}, func(c *diskCall) error {
		return below(function[writeFunc](f.own.FxWrite)(tls, file, data, int32(len(c.Data)), c.Offset))
	}), sqlite3.SQLITE_IOERR_WRITE)
}

func fileTruncate(tls *libc.TLS, file uintptr, size int64) int32 {
	f := ledgerFileAt(file)
	return answer(f.d.do(diskCall{Kind: truncateCall, Path: f.path, Offset: size, file: f.id}, func(*diskCall) error {
		return below(function[truncateFunc](f.own.FxTruncate)(tls, file, size))
	}), sqlite3.SQLITE_IOERR_TRUNCATE)
}

// fileSync also syncs the directory at the first sync of a log, as SQLite does on Unix,
// where it ignores failure.
func fileSync(_ *libc.TLS, file uintptr, _ int32) int32 {
	f := ledgerFileAt(file)
	err := f.d.do(diskCall{Kind: syncCall, Path: f.path, file: f.id}, func(*diskCall) error { return nil })
	if err == nil && f.syncDir {
		f.syncDir = false
		_ = f.d.SyncDir(filepath.Dir(f.path))
	}
	return answer(err, sqlite3.SQLITE_IOERR_FSYNC)
}
