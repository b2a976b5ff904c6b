// Package durable changes names so that they last: a file that is synced can still be
// lost in a power cut when the directory that names it is not.
package durable

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
)

// Observe is told, where it is set, of every name that has changed and of every
// directory that was synced, in order: what a test knows of a power cut.
var Observe func(done, path string)

func observe(done, path string) {
	if Observe != nil {
		Observe(done, path)
	}
}

// SyncDir brings the names in a directory to the disk. Windows has no such operation,
// and needs none.
func SyncDir(dir string) error {
	if runtime.GOOS != "windows" {
		d, err := os.Open(dir)
		if err != nil {
			return err
		}
		if err := errors.Join(d.Sync(), d.Close()); err != nil {
			return err
		}
	}
	observe("synced", dir)
	return nil
}

// Rename gives a file or a directory another name, which lasts when it returns.
func Rename(from, to string) error {
	if err := os.Rename(from, to); err != nil {
		return err
	}
	observe("renamed", to)
	err := SyncDir(filepath.Dir(to))
	if filepath.Dir(from) != filepath.Dir(to) {
		err = errors.Join(err, SyncDir(filepath.Dir(from)))
	}
	return err
}

// MkdirAll makes a directory and those above it that are missing.
func MkdirAll(dir string, mode os.FileMode) error {
	if info, err := os.Stat(dir); err == nil && info.IsDir() {
		return nil
	}
	parent := filepath.Dir(dir)
	if parent != dir {
		if err := MkdirAll(parent, mode); err != nil {
			return err
		}
	}
	if err := os.Mkdir(dir, mode); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	observe("made", dir)
	return SyncDir(parent)
}

// RemoveAll removes a directory with all that is in it.
func RemoveAll(dir string) error {
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	observe("removed", dir)
	return SyncDir(filepath.Dir(dir))
}
