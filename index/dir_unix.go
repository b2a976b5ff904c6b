//go:build unix

package index

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// lockFile takes the lock of f for this open file, or says that it is taken.
// The system lets go of it when the file is closed or the process ends.
func lockFile(f *os.File) error {
	err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	if errors.Is(err, unix.EWOULDBLOCK) {
		return ErrLocked
	}
	return err
}

// writable reports whether files can be made in dir.
func writable(dir string) bool { return unix.Access(dir, unix.W_OK) == nil }

// syncDir brings the names in a directory to the disk.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
