// Package lockfile lets one process at a time, or one part of a process, work in a
// directory. The lock belongs to an open file: the system releases it when the file is
// closed or the process ends, in whatever way, so a lock is never left behind. The file
// itself stays: removing it would let two processes lock two files of the same name.
//
// The package knows nothing about the work done under the lock.
package lockfile

import "errors"

// File is an open file of the operating system.
type File interface{ Fd() uintptr }

// ErrTaken reports that the lock is held by another file.
var ErrTaken = errors.New("the lock is taken")
