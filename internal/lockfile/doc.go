// Package lockfile lets one process at a time, or one part of a process, work in
// a directory. The lock belongs to an open file: the system lets go of it when
// the file is closed or the process ends, however it ends, so that a lock is
// never left behind. The file itself stays; to remove it would let two take the
// lock of two files of one name.
//
// The package knows nothing of what is done under the lock.
package lockfile

import "errors"

// File is an open file of the operating system.
type File interface{ Fd() uintptr }

// ErrTaken says that the lock is held elsewhere.
var ErrTaken = errors.New("the lock is taken")
