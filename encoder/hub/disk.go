package hub

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"syscall"
)

// remove removes a file if it exists.
func remove(root *os.Root, name string) error {
	if err := root.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return explainDisk(err)
	}
	return nil
}

// diskFull is the Windows counterpart of ENOSPC.
const diskFull = syscall.Errno(112)

func explainDisk(err error) error {
	switch {
	case errors.Is(err, syscall.ENOSPC), runtime.GOOS == "windows" && errors.Is(err, diskFull):
		return fmt.Errorf("the disk is full; free some space and pull again to resume: %w", err)
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return fmt.Errorf("the directory cannot be written to: %w", err)
	}
	return err
}
