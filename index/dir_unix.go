//go:build unix

package index

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

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
