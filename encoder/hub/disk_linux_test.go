package hub

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"
)

// When the disk fills up, the bytes received so far are kept, and a pull resumes from
// there once there is space.
func TestFullDisk(t *testing.T) {
	s := newHub(t)
	s.files["model.onnx"] = randomBytes(3, 1_500_000)
	disk := t.TempDir()
	if err := unix.Mount("tmpfs", disk, "tmpfs", 0, "size=2m"); err != nil {
		t.Skipf("mounting a small file system needs root: %v", err)
	}
	t.Cleanup(func() { must(t, unix.Unmount(disk, unix.MNT_DETACH)) })
	filler := filepath.Join(disk, "filler")
	must(t, os.WriteFile(filler, make([]byte, 1<<20), 0o666))
	dir := filepath.Join(disk, "m")
	_, err := s.pull(t, dir)
	expectError(t, err, "model.onnx: ", "no space left on device")
	if _, err := ReadManifest(dir); !errors.Is(err, ErrIncomplete) {
		t.Errorf("unexpected state of the manifest: %v", err)
	}
	must(t, os.Remove(filler))
	r, err := s.pull(t, dir)
	must(t, err)
	s.expectModel(t, dir)
	if n := len(s.requests("model.onnx")); n != 2 || r.Bytes > 1_000_000 {
		t.Errorf("%d requests, %d bytes fetched again", n, r.Bytes)
	}
}

func TestReadOnlyDisk(t *testing.T) {
	s := newHub(t)
	disk := t.TempDir()
	if err := unix.Mount("tmpfs", disk, "tmpfs", unix.MS_RDONLY, ""); err != nil {
		t.Skipf("mounting a file system needs root: %v", err)
	}
	t.Cleanup(func() { must(t, unix.Unmount(disk, unix.MNT_DETACH)) })
	for _, dir := range []string{disk, filepath.Join(disk, "m")} {
		_, err := s.pull(t, dir)
		expectError(t, err, "read-only file system")
	}
}
