package index

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// lockFile takes the lock of f for this open file, or says that it is taken.
// The system lets go of it when the file is closed or the process ends.
func lockFile(f *os.File) error {
	err := windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY,
		0, 1, 0, new(windows.Overlapped))
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return ErrLocked
	}
	return err
}

// writable reports whether files can be made in dir.
func writable(dir string) bool {
	f, err := os.CreateTemp(dir, "writable-*")
	if err != nil {
		return false
	}
	_ = f.Close()
	return os.Remove(f.Name()) == nil
}

// syncDir does nothing: the system has no such operation.
func syncDir(string) error { return nil }
