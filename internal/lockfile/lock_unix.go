//go:build unix

package lockfile

import (
	"errors"

	"golang.org/x/sys/unix"
)

// Take locks f until it is closed, or returns ErrTaken immediately.
func Take(f File) error {
	err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	if errors.Is(err, unix.EWOULDBLOCK) {
		return ErrTaken
	}
	return err
}
