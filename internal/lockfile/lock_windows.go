package lockfile

import (
	"errors"

	"golang.org/x/sys/windows"
)

// Take takes the lock of f until f is closed, or returns ErrTaken at once.
func Take(f File) error {
	err := windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY,
		0, 1, 0, new(windows.Overlapped))
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return ErrTaken
	}
	return err
}
