package lockfile

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

func TestTake(t *testing.T) {
	name := filepath.Join(t.TempDir(), "lock")
	open := func() *os.File {
		t.Helper()
		f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o666)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { f.Close() })
		return f
	}
	first, second := open(), open()
	if err := Take(first); err != nil {
		t.Fatal(err)
	}
	if err := Take(second); !errors.Is(err, ErrTaken) {
		t.Fatalf("the second gets %v, want ErrTaken", err)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	if err := Take(second); err != nil {
		t.Fatalf("after the first was closed: %v", err)
	}
}
