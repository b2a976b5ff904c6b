//go:build unix

package index

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestLinks checks that a collection in which a file is a symbolic link is not written
// to, and that the target of the link is unchanged.
func TestLinks(t *testing.T) {
	dir, _ := soundCopy(t, source(t, 53))
	precious := bytes.Repeat([]byte("precious"), 1<<16)
	for _, name := range append(flatFiles(t, dir), ledgerName, logName, lockName) {
		linked, target := copyOf(t, dir), filepath.Join(t.TempDir(), "target")
		path := filepath.Join(linked, name)
		b, err := os.ReadFile(path)
		if err != nil {
			b = nil // there is no log
		}
		b = append(b, precious...)
		must(t, os.WriteFile(target, b, 0o666))
		_ = os.Remove(path)
		must(t, os.Symlink(target, path))
		if _, err := Open(t.Context(), linked, Options{}); err == nil || !strings.Contains(err.Error(), "symbolic link") {
			t.Errorf("opening with %s linked: %v", name, err)
		}
		if now, err := os.ReadFile(target); err != nil || !bytes.Equal(now, b) {
			t.Errorf("what %s leads to has %d bytes, had %d: %v", name, len(now), len(b), err)
		}
	}
}
