package main

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// damage flips a bit where a text stands in a file, or in its middle.
func damage(t *testing.T, path, text string) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	at := len(b) / 2
	if text != "" {
		at = bytes.Index(b, []byte(text))
	}
	b[at] ^= 1
	if err := os.WriteFile(path, b, 0o666); err != nil {
		t.Fatal(err)
	}
}

// TestRepairCommand damages a text and vectors: the one is lost until its file is read
// again, the other is in a file, from which it is encoded again.
func TestRepairCommand(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	for name, text := range map[string]string{"a.txt": "the dog plays with a ball", "b.txt": "kerberos tickets", "c.txt": "a cake without nuts"} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	must(t, "index", "a.txt", "b.txt", "c.txt", "-c", "col")
	damage(t, filepath.Join("col", "ledger.db"), "kerberos")
	vectors, err := os.OpenFile(filepath.Join("col", "vectors-1.f32"), os.O_WRONLY, 0)
	if err == nil {
		_, err = vectors.WriteAt([]byte("damage"), 0)
	}
	if err := errors.Join(err, vectors.Close()); err != nil {
		t.Fatal(err)
	}
	if code, _, _ := cli("", "verify", "-c", "col"); code != exitFailed {
		t.Error("verify finds nothing")
	}
	code, out, errs := cli("", "repair", "-c", "col")
	if code != exitFailed || !strings.HasPrefix(out, "col.repaired: 1 documents and ") || !strings.Contains(out, `documents ["b.txt"]`) ||
		!strings.Contains(out, "1 documents have lost their vectors and are in col.repaired.jsonl") || !strings.Contains(errs, "nsfl index reads all files again") {
		t.Fatalf("repair exits with %d:\n%s%s", code, out, errs)
	}
	must(t, "import", "col.repaired.jsonl", "-c", "col.repaired")
	must(t, "index", "a.txt", "b.txt", "c.txt", "-c", "col.repaired")
	if out := must(t, "verify", "-c", "col.repaired"); !strings.HasPrefix(out, "3 documents") {
		t.Errorf("after the file was imported: got %s, want 3 documents", out)
	}
	if out := must(t, "repair", "-c", "col.repaired", "--to", "again"); !strings.HasPrefix(out, "again: 3 documents and ") || strings.Contains(out, "lost") {
		t.Errorf("a sound collection: got %s, want 3 documents", out)
	}
	if code, _, errs := cli("", "repair", "-c", "col"); code != exitFailed || !strings.Contains(errs, "already exists") {
		t.Errorf("repair to what exists exits with %d: %s", code, errs)
	}
}
