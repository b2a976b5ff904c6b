package workspace

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nsfl-go/nsfl/internal/durable"
)

// TestNamesLast: after each change of a name in the root, the root is synced before
// anything else happens.
func TestNamesLast(t *testing.T) {
	root := filepath.Join(t.TempDir(), "a", "root")
	var done []string
	durable.Observe = func(what, path string) {
		rest, _ := strings.CutPrefix(path, filepath.Dir(filepath.Dir(root)))
		done = append(done, what+" "+filepath.ToSlash(rest))
	}
	t.Cleanup(func() { durable.Observe = nil })
	o, err := Open(t.Context(), filepath.Join(root, "first"), Options{Make: true})
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(o.Create(t.Context()), o.Close()); err != nil {
		t.Fatal(err)
	}
	c := open(t, Config{Root: root, Hold: true})
	if err := c.Make(t.Context(), "second", ""); err != nil {
		t.Fatal(err)
	}
	if err := c.Remove(t.Context(), "first"); err != nil {
		t.Fatal(err)
	}
	follows := func(change, sync string) {
		t.Helper()
		i := slices.IndexFunc(done, func(s string) bool { return strings.HasPrefix(s, change) })
		if i < 0 || i+1 >= len(done) || done[i+1] != sync {
			t.Errorf("%q is not followed by %q in %q", change, sync, done)
		}
	}
	follows("made /a", "synced ")
	follows("made /a/root", "synced /a")
	follows("renamed /a/root/first", "synced /a/root")
	follows("renamed /a/root/second", "synced /a/root")
	follows("removed /a/root/.deleted-", "synced /a/root")
	// A deleted collection is renamed before its files are removed.
	gone := slices.IndexFunc(done, func(s string) bool { return strings.HasPrefix(s, "renamed /a/root/.deleted-") })
	removed := slices.IndexFunc(done, func(s string) bool { return strings.HasPrefix(s, "removed /a/root/.deleted-") })
	if gone < 0 || removed < gone || !slices.Contains(done[gone:removed], "synced /a/root") {
		t.Errorf("deleting: %q", done)
	}
}

// TestSweep: a new server removes what a killed server left, but not what another process
// is creating.
func TestSweep(t *testing.T) {
	root := t.TempDir()
	for _, name := range []string{".deleted-1/films", ".making-old/made", ".making-now/made", ".other", "films"} {
		if err := os.MkdirAll(filepath.Join(root, name), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(root, ".deleted-1", "films", "ledger.db"), []byte("secret"), 0o666); err != nil {
		t.Fatal(err)
	}
	past := time.Now().Add(-2 * makingTime)
	for _, name := range []string{".making-old/made", ".making-old", ".making-now"} { // the last one has recent writes
		if err := os.Chtimes(filepath.Join(root, name), past, past); err != nil {
			t.Fatal(err)
		}
	}
	left := func() (names []string) {
		entries, err := os.ReadDir(root)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			names = append(names, e.Name())
		}
		return names
	}
	open(t, Config{Root: root}) // opens no collection and sweeps nothing
	if len(left()) != 5 {
		t.Errorf("a reader swept: %q", left())
	}
	open(t, Config{Root: root, Hold: true})
	if got, want := left(), []string{".making-now", ".other", "films"}; !slices.Equal(got, want) {
		t.Errorf("left %q, want %q", got, want)
	}
}
