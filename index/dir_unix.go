//go:build unix

package index

import "golang.org/x/sys/unix"

// writable reports whether files can be made in dir.
func writable(dir string) bool { return unix.Access(dir, unix.W_OK) == nil }
