//go:build unix

package workspace

import (
	"errors"
	"os/signal"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/nsfl-go/nsfl/engine"
)

// withSmallFiles limits the size of files while f runs, to make writes fail as on a
// broken disk.
func withSmallFiles(t *testing.T, f func()) {
	t.Helper()
	signal.Ignore(unix.SIGXFSZ)
	defer signal.Reset(unix.SIGXFSZ)
	var was unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_FSIZE, &was); err != nil {
		t.Fatal(err)
	}
	if err := unix.Setrlimit(unix.RLIMIT_FSIZE, &unix.Rlimit{Cur: 100, Max: was.Max}); err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := unix.Setrlimit(unix.RLIMIT_FSIZE, &was); err != nil {
			t.Fatal(err)
		}
	}()
	f()
}

// TestSpent: after a failed write a collection is reopened once all its users have
// released it. Until then it can be read, and writers are asked to retry.
func TestSpent(t *testing.T) {
	c := open(t, Config{Root: t.TempDir(), Hold: true})
	if err := errors.Join(c.Make(t.Context(), "notes", ""), add(t, c, "notes", "1")); err != nil {
		t.Fatal(err)
	}
	writer, endWriter, err := c.Use(t.Context(), "notes", true)
	if err != nil {
		t.Fatal(err)
	}
	_, endReader, err := c.Use(t.Context(), "notes", false)
	if err != nil {
		t.Fatal(err)
	}
	withSmallFiles(t, func() {
		if err := writer.Store().SetNotes(t.Context(), map[string]string{"a": "b"}); !errors.Is(err, engine.ErrSpent) {
			t.Errorf("the write: %v", err)
		}
	})
	endWriter()
	for range 2 {
		err := add(t, c, "notes", "2")
		refused(t, err, Unavailable, "try again")
		if !errors.Is(err, engine.ErrSpent) {
			t.Errorf("the cause is %v", err)
		}
		if n := count(t, c, "notes"); n != 1 {
			t.Errorf("%d documents while the collection waits to be opened again", n)
		}
	}
	endReader()
	if err := add(t, c, "notes", "2"); err != nil {
		t.Errorf("after all have let go: %v", err)
	}
	if n := count(t, c, "notes"); n != 2 {
		t.Errorf("%d documents at the end", n)
	}
}
