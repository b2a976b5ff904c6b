package workspace

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/nsfl-go/nsfl/internal/lockfile"
	"github.com/nsfl-go/nsfl/internal/stores"
)

// A server leaves its address in the directory of its collections, for those who find
// one of them locked. The lock beside it tells whether the server is still there. Both
// begin with a dot, as no collection does.
const (
	addressFile = ".server"
	addressLock = ".server.lock"
)

// Announce leaves the address of the server that holds the collections. Where another
// server has done so, its address stays.
func (c *Collections) Announce(address string) error {
	if c.config.Root == "" || !c.config.Hold {
		return nil
	}
	lock, err := os.OpenFile(filepath.Join(c.config.Root, addressLock), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	if err := lockfile.Take(lock); err != nil {
		lock.Close()
		if errors.Is(err, lockfile.ErrTaken) {
			return nil
		}
		return err
	}
	file := filepath.Join(c.config.Root, addressFile)
	if err := os.WriteFile(file, []byte(address+"\n"), 0o600); err != nil {
		lock.Close()
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.withdraw = func() {
		_ = os.Remove(file) // a server that has gone is known by its lock
		lock.Close()
	}
	return nil
}

// Serving is the address of the server that holds the collection at a place, and the
// name that it has there; empty where none is known to.
func Serving(place string) (address, name string) {
	dir, err := stores.Directory(place)
	if err != nil {
		return "", ""
	}
	dir = stores.Canonical(dir)
	root, name := filepath.Dir(dir), filepath.Base(dir)
	lock, err := os.OpenFile(filepath.Join(root, addressLock), os.O_RDWR, 0o600)
	if err != nil || !IsName(name) {
		return "", ""
	}
	defer lock.Close()
	if !errors.Is(lockfile.Take(lock), lockfile.ErrTaken) {
		return "", "" // left behind
	}
	file := filepath.Join(root, addressFile)
	content, err := os.ReadFile(file)
	if err != nil || !isPrivate(file) {
		return "", ""
	}
	return strings.TrimSpace(string(content)), name
}

// isPrivate reports whether a file that can be read is the user's own: a key is sent to
// the address in it.
func isPrivate(file string) bool {
	info, err := os.Stat(file)
	return err == nil && (runtime.GOOS == "windows" || info.Mode().Perm()&0o077 == 0)
}
