package hub

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"runtime"
	"syscall"
)

// plainFile tells the size of a file, and whether it is there. Links are refused:
// what lies behind one is not the pull's to read or to replace.
func plainFile(root *os.Root, name string) (size int64, there bool, err error) {
	info, err := root.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return 0, false, nil
	case err != nil:
		return 0, false, explainDisk(err)
	case !info.Mode().IsRegular():
		return 0, false, fmt.Errorf("%s is there and is not a plain file; remove it", path.Join(root.Name(), name))
	}
	return info.Size(), true, nil
}

// syncDirs brings the names in a directory and in those above it to the disk.
func syncDirs(root *os.Root, dir string) error {
	if runtime.GOOS == "windows" {
		return nil // it has no such operation
	}
	for {
		d, err := root.Open(dir)
		if err != nil {
			return explainDisk(err)
		}
		if err := errors.Join(d.Sync(), d.Close()); err != nil {
			return explainDisk(err)
		}
		if dir == "." {
			return nil
		}
		dir = path.Dir(dir)
	}
}

// remove removes a file that need not be there.
func remove(root *os.Root, name string) error {
	if err := root.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return explainDisk(err)
	}
	return nil
}

// diskFull is what Windows says instead of ENOSPC.
const diskFull = syscall.Errno(112)

func explainDisk(err error) error {
	switch {
	case errors.Is(err, syscall.ENOSPC), runtime.GOOS == "windows" && errors.Is(err, diskFull):
		return fmt.Errorf("the disk is full; make room and pull again, what has come is kept: %w", err)
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return fmt.Errorf("the directory cannot be written to: %w", err)
	}
	return err
}
