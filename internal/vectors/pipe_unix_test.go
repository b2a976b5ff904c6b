//go:build unix

package vectors

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestPipe reads from a pipe, whose size is unknown.
func TestPipe(t *testing.T) {
	numbers := npyShaped("<f4", "2, 2", f32s{1, 2, 3, 4})
	for _, c := range []struct {
		name    string
		content []byte
		says    string // empty: two good rows
	}{
		{"a.npy", numbers, ""},
		{"a.npy", numbers[:len(numbers)-1], "the file ends here"},
		{"a.npy", numbers[:len(numbers)-8], "the file ends here"},
		{"a.npy", append(numbers[:len(numbers):len(numbers)], 0), "goes on after its last row"},
		{"a.npy", npyShaped("<f4", "9223372036854775807, 2", f32s{1, 2, 3, 4}), "the file ends here"},
		{"a.jsonl", []byte("{\"vector\":[1,2]}\n{\"vector\":[3,4]}"), ""},
	} {
		path := filepath.Join(t.TempDir(), c.name)
		must(t, syscall.Mkfifo(path, 0o600))
		done := make(chan error, 1)
		go func() { done <- os.WriteFile(path, c.content, 0) }()
		if c.says != "" {
			if err := firstError(path, ""); err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%s: %v, want %q", c.name, err, c.says)
			}
		} else {
			same(t, c.name, vectorsOf(readAll(t, path, "")), [][]float32{{1, 2}, {3, 4}})
		}
		// The writer's pipe breaks where the reader gave up early.
		if err := <-done; err != nil && !errors.Is(err, syscall.EPIPE) {
			t.Error(err)
		}
	}
	path := filepath.Join(t.TempDir(), "a.npy")
	must(t, syscall.Mkfifo(path, 0o600))
	if _, err := Create(path); err == nil || !strings.Contains(err.Error(), "pipe") {
		t.Error(err)
	}
}
