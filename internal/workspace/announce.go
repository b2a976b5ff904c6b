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

// A server writes its address to the directory of its collections, for processes that
// find a collection locked. The lock file shows whether the server is still running. Both
// names start with a dot, which collection names never do.
const (
	addressFile = ".server"
	addressLock = ".server.lock"
)

// Announce writes the address of this server. An address of another running server is
// left in place.
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
		_ = os.Remove(file) // the lock tells others that the server has stopped
		lock.Close()
	}
	return nil
}

// Serving returns the address of the server that holds the collection at a place, and the
// collection's name there. Both are empty if no server is known.
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
		return "", "" // left by a stopped server
	}
	file := filepath.Join(root, addressFile)
	content, err := os.ReadFile(file)
	if err != nil || !isPrivate(file) {
		return "", ""
	}
	return strings.TrimSpace(string(content)), name
}

// isPrivate reports whether only the user can access a file: a key is sent to the address
// in it.
func isPrivate(file string) bool {
	info, err := os.Stat(file)
	return err == nil && (runtime.GOOS == "windows" || info.Mode().Perm()&0o077 == 0)
}
