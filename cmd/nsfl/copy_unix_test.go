//go:build unix

package main

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/nsfl-go/nsfl/index"
)

// TestCopyInterrupted: after a copy was interrupted, or killed, the same command makes it
// complete.
func TestCopyInterrupted(t *testing.T) {
	if testing.Short() {
		t.Skip("copies some ten thousand documents")
	}
	const n = 10_000
	dir := t.TempDir()
	from := filepath.Join(dir, "from")
	made(t, from, "x", n)
	for name, signal := range map[string]syscall.Signal{"interrupted": syscall.SIGINT, "killed": syscall.SIGKILL} {
		to := filepath.Join(dir, name)
		cmd := exec.Command(os.Args[0], "copy", from, to)
		cmd.Env = append(os.Environ(), childEnv+"=1")
		var errs bytes.Buffer
		cmd.Stderr = &errs
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		done := make(chan error, 1)
		go func() { done <- cmd.Wait() }()
		for copiedSoFar(t, to) == 0 { // until the first page is there
			select {
			case err := <-done:
				t.Fatalf("%s: it ended before: %v, %s", name, err, errs.String())
			default:
			}
		}
		if err := cmd.Process.Signal(signal); err != nil {
			t.Fatal(err)
		}
		if err := <-done; err == nil {
			t.Fatalf("%s: it was done before: take more documents", name)
		}
		if signal == syscall.SIGINT && !strings.Contains(errs.String(), "the same command makes the copy complete") {
			t.Errorf("%s: %s", name, errs.String())
		}
		before := copiedSoFar(t, to)
		if before == 0 || before >= n {
			t.Fatalf("%s: %d documents were copied", name, before)
		}
		out := must(t, "copy", from, to)
		if !strings.Contains(out, ": 10000 documents copied from ") {
			t.Errorf("%s, repeated after %d: got %s, want 10000 documents", name, before, out)
		}
		must(t, "verify", "-c", to)
	}
}

// copiedSoFar returns the number of documents in a copy.
func copiedSoFar(t *testing.T, dir string) int {
	t.Helper()
	ctx := context.Background()
	c, err := index.Open(ctx, dir, index.Options{ReadOnly: true})
	if err != nil {
		return 0 // not made yet
	}
	defer c.Close()
	size, err := c.Size(ctx)
	if err != nil {
		t.Fatal(err)
	}
	return size.Documents
}
