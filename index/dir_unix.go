//go:build unix

package index

import (
	"errors"

	"golang.org/x/sys/unix"
)

// writable reports whether files can be made in dir.
func writable(dir string) bool { return unix.Access(dir, unix.W_OK) == nil }

// onReadOnlyDisk reports whether nobody can make files in dir.
func onReadOnlyDisk(dir string) bool { return errors.Is(unix.Access(dir, unix.W_OK), unix.EROFS) }

const (
	noFollow = unix.O_NOFOLLOW // of links
	noLocks  = "unix-none"     // SQLite's file layer without locks
)
