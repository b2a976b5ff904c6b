// Package durable makes changes of names durable: a synced file can still be lost in a
// power cut if its directory was not synced.
package durable

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
)

// Observe is called, if set, for every name changed and every directory synced, in order.
// Tests use it to simulate power cuts.
var Observe func(done, path string)

func observe(done, path string) {
	if Observe != nil {
		Observe(done, path)
	}
}

// SyncDir syncs the entries of a directory. Windows has no such operation, and needs
// none.
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

// WriteFile replaces a file, and makes it durable. Only its owner can read it. The content is
// first written in another directory, or beside the file if that is empty.
func WriteFile(name, elsewhere string, content []byte) error {
	f, err := os.CreateTemp(cmp.Or(elsewhere, filepath.Dir(name)), ".writing-*")
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	if err = errors.Join(err, f.Sync(), f.Close()); err == nil {
		err = Rename(f.Name(), name)
	}
	if err != nil {
		_ = os.Remove(f.Name())
	}
	return err
}

// Rename renames a file or directory durably.
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

// MkdirAll creates a directory and its missing parents.
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

// Create creates a directory that fill fills. It appears completely or not at all: fill gets a
// directory inside a temporary one, whose name begins with prefix.
func Create(dir, prefix string, mode os.FileMode, fill func(dir string) error) error {
	temporary, err := os.MkdirTemp(filepath.Dir(dir), prefix)
	if err != nil {
		return err
	}
	defer os.RemoveAll(temporary)
	made := filepath.Join(temporary, "made")
	if err := os.Mkdir(made, mode); err != nil {
		return err
	}
	if err := fill(made); err != nil {
		return err
	}
	return Rename(made, dir)
}

// RemoveAll removes a directory and its contents.
func RemoveAll(dir string) error {
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	observe("removed", dir)
	return SyncDir(filepath.Dir(dir))
}
