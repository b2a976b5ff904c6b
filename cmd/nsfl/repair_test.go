package main

import (
	"bytes"
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
// again, the other is encoded again.
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
	damage(t, filepath.Join("col", "vectors-1.f32"), "")
	if code, _, _ := cli("", "verify", "-c", "col"); code != exitFailed {
		t.Error("verify finds nothing")
	}
	code, out, said := cli("", "repair", "-c", "col", "--in-place")
	if code != exitFailed || !strings.HasPrefix(out, "col: 2 documents and ") || !strings.Contains(out, `documents ["b.txt"]`) ||
		!strings.Contains(said, "nsfl index reads all files again") {
		t.Fatalf("repair exits with %d:\n%s%s", code, out, said)
	}
	must(t, "verify", "-c", "col")
	if _, err := os.Stat("col.damaged"); err != nil {
		t.Error(err)
	}
	must(t, "index", "a.txt", "b.txt", "c.txt", "-c", "col")
	if out := must(t, "repair", "-c", "col"); !strings.HasPrefix(out, "col.repaired: 3 documents and ") || strings.Contains(out, "lost") {
		t.Errorf("after the files were read again:\n%s", out)
	}
	if code, _, said := cli("", "repair", "-c", "col"); code != exitFailed || !strings.Contains(said, "already exists") {
		t.Errorf("repair to what exists exits with %d: %s", code, said)
	}
}

// TestRepairWithoutEncoder leaves documents whose vectors are lost in a file.
func TestRepairWithoutEncoder(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	if err := os.WriteFile("a.txt", []byte("the dog plays with a ball"), 0o666); err != nil {
		t.Fatal(err)
	}
	must(t, "index", "a.txt", "-c", "col")
	if err := os.Remove(filepath.Join("col", "vectors-1.f32")); err != nil {
		t.Fatal(err)
	}
	t.Setenv("OPENAI_API_KEY", "")
	out := must(t, "repair", "-c", "col", "--to", "saved", "--encoder", "openai:none")
	if !strings.Contains(out, "they are in saved.jsonl") {
		t.Errorf("repair without an encoder:\n%s", out)
	}
	must(t, "import", "saved.jsonl", "-c", "saved")
	if out := must(t, "verify", "-c", "saved"); !strings.HasPrefix(out, "1 documents") {
		t.Errorf("after the file was imported:\n%s", out)
	}
}
