//go:build unix

package auth

import (
	"os"
	"syscall"
)

// keepOwner gives a file the owner of the file that it replaces, because the server may run as
// another user.
func keepOwner(f *os.File, old os.FileInfo) error {
	if old == nil {
		return nil
	}
	stat, ok := old.Sys().(*syscall.Stat_t)
	if !ok || int(stat.Uid) == os.Getuid() && int(stat.Gid) == os.Getgid() {
		return nil
	}
	return f.Chown(int(stat.Uid), int(stat.Gid))
}
