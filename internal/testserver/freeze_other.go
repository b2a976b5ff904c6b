//go:build !unix

package testserver

import (
	"os"
	"testing"
)

// Freeze needs signals that stop a process.
func Freeze(t testing.TB, _ *os.Process) (thaw func()) {
	t.Skip("needs signals that stop a process")
	return nil
}

// Kill needs them too, to find the descendants of a process.
func Kill(t testing.TB, _ *os.Process) { t.Skip("needs signals that stop a process") }
