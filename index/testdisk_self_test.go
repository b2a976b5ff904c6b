//go:build unix

package index

import (
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// contents returns the possible contents of a file in images of the disk; "-" stands for
// a missing file.
func contents(t *testing.T, d *testDisk, dir, name string) map[string]bool {
	t.Helper()
	seen := map[string]bool{}
	r := rand.New(rand.NewPCG(1, 1))
	for range 60 {
		to := filepath.Join(t.TempDir(), "image")
		must(t, d.Image(d.Changes(), r, dir, to))
		b, err := os.ReadFile(filepath.Join(to, name))
		if errors.Is(err, os.ErrNotExist) {
			b = []byte("-")
		} else {
			must(t, err)
		}
		seen[string(b)] = true
	}
	return seen
}

func expect(t *testing.T, when string, seen map[string]bool, want ...string) {
	t.Helper()
	for _, w := range want {
		if !seen[w] {
			t.Errorf("%s: %q is in no image: %v", when, w, seen)
		}
	}
	if len(seen) != len(want) {
		t.Errorf("%s: %v, want %q", when, seen, want)
	}
}

// TestImage checks that synced data is in every image and unsynced data in some.
func TestDiskImage(t *testing.T) {
	dir := t.TempDir()
	d, err := newTestDisk(dir)
	must(t, err)
	defer d.Close()
	path := filepath.Join(dir, "a")
	f, err := d.Open(path, os.O_RDWR|os.O_CREATE)
	must(t, err)
	defer f.Close()
	write := func(text string) {
		t.Helper()
		_, err := f.WriteAt([]byte(text), 0)
		must(t, err)
	}
	write("one")
	must(t, f.Sync())
	expect(t, "the name is not synced", contents(t, d, dir, "a"), "-", "one")
	must(t, d.SyncDir(dir))
	expect(t, "all is synced", contents(t, d, dir, "a"), "one")
	write("two")
	expect(t, "it is written again", contents(t, d, dir, "a"), "one", "two")
	d.Fail = func(_ int, c diskCall) error {
		if c.Kind == syncCall {
			return syscall.EIO
		}
		return nil
	}
	if f.Sync() == nil {
		t.Fatal("the sync did not fail")
	}
	d.Fail = nil
	must(t, f.Sync())
	expect(t, "a sync has failed, and the next one not", contents(t, d, dir, "a"), "one", "two")
	write("two")
	must(t, f.Sync())
	expect(t, "it is written and synced again", contents(t, d, dir, "a"), "two")
	must(t, d.Rename(path, filepath.Join(dir, "b")))
	expect(t, "it is renamed", contents(t, d, dir, "b"), "-", "two")
	must(t, d.SyncDir(dir))
	expect(t, "that is synced", contents(t, d, dir, "b"), "two")
	must(t, d.Remove(filepath.Join(dir, "b")))
	expect(t, "it is removed", contents(t, d, dir, "b"), "-", "two")
	d.Fail = func(int, diskCall) error { return syscall.ENOSPC }
	if n, err := f.WriteAt([]byte("four"), 0); n != 2 || !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("a short write: %d bytes, %v", n, err)
	}
	d.Die()
	if _, err := f.WriteAt([]byte("five"), 0); err == nil {
		t.Error("a dead disk is written to")
	}
}
