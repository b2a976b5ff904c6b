package workspace

import (
	"bytes"
	"errors"
	"log/slog"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// TestReadOnlyDisk serves a collection on a read-only disk.
func TestReadOnlyDisk(t *testing.T) {
	root := t.TempDir()
	if err := unix.Mount("tmpfs", root, "tmpfs", 0, "size=8m"); err != nil {
		t.Skipf("mounting a file system needs root: %v", err)
	}
	t.Cleanup(func() {
		if err := unix.Unmount(root, unix.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	before, err := NewCollections(Config{Root: root, Hold: true})
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(before.Make(t.Context(), "notes", ""), add(t, before, "notes", "1"), before.Close()); err != nil {
		t.Fatal(err)
	}
	if err := unix.Mount("", root, "", unix.MS_REMOUNT|unix.MS_RDONLY, ""); err != nil {
		t.Fatal(err)
	}
	var log bytes.Buffer
	c := open(t, Config{Root: root, Hold: true, Log: slog.New(slog.NewTextHandler(&log, nil))})
	if n := count(t, c, "notes"); n != 1 {
		t.Errorf("%d documents", n)
	}
	if !strings.Contains(log.String(), "can only be read") {
		t.Errorf("the log says %q", log.String())
	}
	refused(t, add(t, c, "notes", "2"), ReadOnly, "cannot be written to")
	refused(t, c.Make(t.Context(), "new", ""), ReadOnly, "cannot be written to")
	refused(t, c.Adopt(t.Context(), "new", nil), ReadOnly, "cannot be written to")
}
