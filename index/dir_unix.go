//go:build unix

package index

import (
	"errors"

	"golang.org/x/sys/unix"
)

// writable reports whether the process can create files in dir.
func writable(dir string) bool { return unix.Access(dir, unix.W_OK) == nil }

// onReadOnlyDisk reports whether dir is on a read-only file system.
func onReadOnlyDisk(dir string) bool { return errors.Is(unix.Access(dir, unix.W_OK), unix.EROFS) }

const (
	noFollow = unix.O_NOFOLLOW // do not follow symbolic links
	noLocks  = "unix-none"     // SQLite's file layer without locks
)
