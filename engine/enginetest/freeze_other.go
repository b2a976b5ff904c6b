//go:build !unix

package enginetest

import (
	"os"
	"testing"
)

// Freeze needs signals that stop a process.
func Freeze(t testing.TB, _ *os.Process) (thaw func()) {
	t.Skip("needs signals that stop a process")
	return nil
}
