//go:build unix

package server

import "golang.org/x/sys/unix"

// freeBytes is how much can be written to the disk that a directory is on.
func freeBytes(dir string) (int64, error) {
	var st unix.Statfs_t
	if err := unix.Statfs(dir, &st); err != nil {
		return 0, err
	}
	return int64(st.Bavail) * int64(st.Bsize), nil //nolint:unconvert // systems differ
}
