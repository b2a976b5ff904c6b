//go:build unix

package backup

import (
	"errors"
	"os"
)

// syncDir brings the names in a directory to the disk.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
