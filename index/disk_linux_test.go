package index

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/nsfl-go/nsfl/engine"
)

// smallDisk mounts a file system of a few megabytes.
func smallDisk(t *testing.T, size string) string {
	t.Helper()
	dir := t.TempDir()
	if err := unix.Mount("tmpfs", dir, "tmpfs", 0, "size="+size); err != nil {
		t.Skipf("mounting a small file system needs root: %v", err)
	}
	t.Cleanup(func() { must(t, unix.Unmount(dir, unix.MNT_DETACH)) })
	return dir
}

// TestFullDisk fills a file system with batches and other files, and frees it again.
func TestFullDisk(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a minute with the race detector, and has one goroutine")
	}
	ctx := t.Context()
	r := source(t, 16)
	disk := smallDisk(t, "6m")
	dir := filepath.Join(disk, "c")
	c, err := Create(ctx, dir, Options{Dimension: testDim})
	must(t, err)
	want := map[string]engine.Document{}
	write := func(n, text int) error {
		docs := make([]engine.Document, n)
		for i := range docs {
			docs[i] = randomDocument(r, fmt.Sprintf("doc-%d-%d", len(want), i), testDim)
			docs[i].Text = strings.Repeat("x", text)
		}
		if err := c.Upsert(ctx, docs); err != nil {
			return err
		}
		for _, d := range docs {
			want[d.ID] = d
		}
		return nil
	}
	full := 0
	for _, batch := range []struct{ docs, text int }{{400, 1000}, {50, 5000}, {3, 1}, {1, 100}} {
		for {
			if err := write(batch.docs, batch.text); err != nil {
				if !errors.Is(err, engine.ErrFull) {
					t.Fatalf("batches of %d: %v", batch.docs, err)
				}
				full++
				break
			}
		}
		expectDocuments(t, c, want)
	}
	// Compact needs space for a copy.
	for id := range want {
		_, err := c.Delete(ctx, []string{id})
		if err == nil {
			delete(want, id)
		} else if !errors.Is(err, engine.ErrFull) {
			t.Fatal(err)
		}
		break
	}
	if err := c.Compact(ctx); err != nil && !errors.Is(err, engine.ErrFull) {
		t.Errorf("compacting: %v", err)
	}
	expectDocuments(t, c, want)
	if err := c.Close(); err != nil {
		t.Logf("closing: %v", err)
	}
	t.Logf("full %d times, %d documents", full, len(want))

	filler := filepath.Join(disk, "filler")
	must(t, os.WriteFile(filler, nil, 0o666))
	_ = os.WriteFile(filler, make([]byte, 6<<20), 0o666) // as much as fits
	if c, err = Open(ctx, dir, Options{}); err == nil {
		expectDocuments(t, c, want)
		_ = c.Close()
	} else {
		t.Logf("opening on a full disk: %v", err)
	}
	must(t, os.Remove(filler))
	expectSound(t, dir)
	c, err = Open(ctx, dir, Options{})
	must(t, err)
	expectDocuments(t, c, want)
	must(t, c.Close())
}

func TestReadOnlyDirectory(t *testing.T) {
	ctx := context.Background()
	disk := smallDisk(t, "8m")
	dir := filepath.Join(disk, "c")
	c, err := Create(ctx, dir, Options{Dimension: testDim})
	must(t, err)
	restless(c)
	want := map[string]engine.Document{}
	for _, d := range randomDocuments(source(t, 17), 30, testDim) {
		want[d.ID] = d
		must(t, c.Upsert(ctx, []engine.Document{d}))
	}
	must(t, os.CopyFS(filepath.Join(disk, "unclean"), os.DirFS(dir)))
	must(t, os.CopyFS(filepath.Join(disk, "alone"), os.DirFS(dir)))
	must(t, os.Remove(filepath.Join(disk, "alone", ledgerName+"-shm")))
	if l, _ := readLogOf(t, filepath.Join(disk, "alone")); l.size == 0 {
		t.Fatal("no log is left")
	}
	must(t, c.Close())
	must(t, unix.Mount("", disk, "", unix.MS_REMOUNT|unix.MS_RDONLY, ""))
	for _, name := range []string{"unclean", "alone"} {
		expectReadable(t, filepath.Join(disk, name), want)
	}
	if _, err := Open(ctx, dir, Options{}); err == nil || !strings.Contains(err.Error(), "cannot be written to") {
		t.Errorf("opening for writing: %v", err)
	}
	if _, err := Create(ctx, filepath.Join(disk, "other"), Options{Dimension: 3}); err == nil || !strings.Contains(err.Error(), "cannot be written to") {
		t.Errorf("creating: %v", err)
	}
	reader, err := Open(ctx, dir, Options{ReadOnly: true})
	must(t, err)
	expectDocuments(t, reader, want)
	must(t, reader.Backup(ctx, filepath.Join(t.TempDir(), "copy")))
	must(t, reader.Close())
	expectSound(t, dir)
}

// TestDeleteOnFullDisk: who can store nothing more can still delete.
func TestDeleteOnFullDisk(t *testing.T) {
	disk := smallDisk(t, "8m")
	c, err := Create(t.Context(), filepath.Join(disk, "c"), Options{Dimension: testDim})
	must(t, err)
	defer c.Close()
	docs := randomDocuments(source(t, 73), 30, testDim)
	must(t, c.Upsert(t.Context(), docs))
	c.tidy()                                                                    // as it does by itself when nothing is written for a while
	_ = os.WriteFile(filepath.Join(disk, "filler"), make([]byte, 8<<20), 0o666) // as much as there is room for
	if err := c.Upsert(t.Context(), randomDocuments(source(t, 74), 300, testDim)); !errors.Is(err, engine.ErrFull) {
		t.Fatalf("storing on a full disk: %v", err)
	}
	for _, d := range docs[:3] {
		if n, err := c.Delete(t.Context(), []string{d.ID}); n != 1 || err != nil {
			t.Errorf("deleting on a full disk: %d, %v", n, err)
		}
	}
}
