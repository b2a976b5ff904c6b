//go:build unix

package server

import "golang.org/x/sys/unix"

// freeBytes returns the free space of the disk that holds dir.
func freeBytes(dir string) (int64, error) {
	var st unix.Statfs_t
	if err := unix.Statfs(dir, &st); err != nil {
		return 0, err
	}
	return int64(st.Bavail) * int64(st.Bsize), nil //nolint:unconvert // systems differ
}
