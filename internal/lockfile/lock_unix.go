//go:build unix

package lockfile

import (
	"errors"

	"golang.org/x/sys/unix"
)

// Take takes the lock of f until f is closed, or returns ErrTaken at once.
func Take(f File) error {
	err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	if errors.Is(err, unix.EWOULDBLOCK) {
		return ErrTaken
	}
	return err
}
