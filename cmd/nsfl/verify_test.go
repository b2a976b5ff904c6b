package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/index"
)

// What a killed process has left in the log is told apart: batches that are lost, and
// one that may not have been finished.
func TestVerifyLog(t *testing.T) {
	ctx := context.Background()
	open := filepath.Join(t.TempDir(), "open")
	c, err := index.Create(ctx, open, index.Options{Dimension: 3})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	for i := range 4 {
		if err := c.Upsert(ctx, []engine.Document{{ID: fmt.Sprint(i), Vector: []float32{1, 2, 3}}}); err != nil {
			t.Fatal(err)
		}
	}
	left := filepath.Join(t.TempDir(), "left")
	if err := os.CopyFS(left, os.DirFS(open)); err != nil {
		t.Fatal(err)
	}
	log, err := os.ReadFile(filepath.Join(left, "ledger.db-wal"))
	if err != nil || len(log) == 0 {
		t.Skipf("the log has been emptied already: %v", err)
	}
	for at, want := range map[int]string{100: "nsfl repair", len(log) - 100: "keeps it in"} {
		damaged := append([]byte(nil), log...)
		damaged[at] ^= 1
		if err := os.WriteFile(filepath.Join(left, "ledger.db-wal"), damaged, 0o666); err != nil {
			t.Fatal(err)
		}
		_ = os.Remove(filepath.Join(left, "ledger.db-shm"))
		code, out, errs := cli("", "verify", "-c", left)
		if code != exitFailed || !strings.Contains(out+errs, want) {
			t.Errorf("at %d: exit %d, %s%s", at, code, out, errs)
		}
	}
}

// TestVerifyKept: verify fails until somebody has dealt with a batch that is kept aside.
func TestVerifyKept(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "notes")
	c, err := index.Create(t.Context(), dir, index.Options{Dimension: 3})
	if err == nil {
		err = c.Close()
	}
	kept := filepath.Join(dir, "kept", "1")
	if err == nil {
		err = os.MkdirAll(kept, 0o777)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(kept, "ledger.db-wal@0"), []byte("a batch"), 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
	if code, out, errs := cli("", "verify", "-c", dir); code != exitFailed || !strings.Contains(out+errs, "kept") {
		t.Errorf("with a batch in kept/: got exit %d, want %d: %s%s", code, exitFailed, out, errs)
	}
	if err := os.RemoveAll(filepath.Join(dir, "kept")); err != nil {
		t.Fatal(err)
	}
	if code, out, errs := cli("", "verify", "-c", dir); code != exitOK {
		t.Errorf("without: got exit %d, want %d: %s%s", code, exitOK, out, errs)
	}
}
