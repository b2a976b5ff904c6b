package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// What only reads works on a disk that is mounted for reading.
func TestReadOnlyDisk(t *testing.T) {
	disk := t.TempDir()
	if err := unix.Mount("tmpfs", disk, "tmpfs", 0, "size=8m"); err != nil {
		t.Skipf("mounting a file system needs root: %v", err)
	}
	t.Cleanup(func() {
		if err := unix.Unmount(disk, unix.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	dir := filepath.Join(disk, "notes")
	text := filepath.Join(t.TempDir(), "dog.txt")
	if err := os.WriteFile(text, []byte("A dog in the park."), 0o666); err != nil {
		t.Fatal(err)
	}
	must(t, "index", text, "-c", dir)
	if err := unix.Mount("", disk, "", unix.MS_REMOUNT|unix.MS_RDONLY, ""); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"info", "-c", dir}, {"search", "-c", dir, "dog"}, {"verify", "-c", dir}} {
		must(t, args...)
	}
	if code, _, errs := cli("", "delete", "-c", dir, "1"); code != exitFailed || !strings.Contains(errs, "cannot be written to") {
		t.Errorf("deleting: %d, %s", code, errs)
	}
}
