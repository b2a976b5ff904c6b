package workspace

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/nsfl-go/nsfl"
	"github.com/nsfl-go/nsfl/encoder/builtin"
	"github.com/nsfl-go/nsfl/engine"
)

func TestMain(m *testing.M) {
	os.Setenv("NSFL_CACHE", "off")
	os.Exit(m.Run())
}

// open returns collections that are closed when the test ends.
func open(t *testing.T, config Config) *Collections {
	t.Helper()
	c, err := NewCollections(config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Errorf("closing: %v", err)
		}
	})
	return c
}

// refused expects an Error of a kind whose message contains words.
func refused(t *testing.T, err error, kind Kind, words string) {
	t.Helper()
	var e *Error
	if !errors.As(err, &e) || e.Kind != kind || !strings.Contains(e.Message, words) {
		t.Errorf("%v, want %s: %q", err, kind, words)
	}
}

// add stores a document in a collection.
func add(t *testing.T, c *Collections, name, id string) error {
	t.Helper()
	o, release, err := c.Use(t.Context(), name, true)
	if err != nil {
		return err
	}
	defer release()
	_, err = o.Put(t.Context(), []engine.Document{{ID: id, Text: "A harbour at night."}})
	return err
}

// count returns the number of documents in a collection.
func count(t *testing.T, c *Collections, name string) int {
	t.Helper()
	o, release, err := c.Use(t.Context(), name, false)
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	n, err := o.Count(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// TestCollections: a collection is created, written, listed and removed, with and without
// Hold.
func TestCollections(t *testing.T) {
	for _, hold := range []bool{true, false} {
		root := t.TempDir()
		if err := os.Mkdir(filepath.Join(root, "photos"), 0o777); err != nil { // not a collection
			t.Fatal(err)
		}
		c := open(t, Config{Root: root, Hold: hold})
		if err := c.Make(t.Context(), "notes", ""); err != nil {
			t.Fatal(err)
		}
		for name, kind := range map[string]Kind{"notes": Exists, "photos": Exists, "": Invalid, "..": Invalid, "A": Invalid, strings.Repeat("a", 65): Invalid} {
			refused(t, c.Make(t.Context(), name, ""), kind, "")
		}
		if err := add(t, c, "notes", "1"); err != nil {
			t.Fatal(err)
		}
		if names, err := c.Names(t.Context()); err != nil || !slices.Equal(names, []string{"notes"}) {
			t.Errorf("names: %v, %v", names, err)
		}
		o, release, err := c.Use(t.Context(), "notes", false)
		if err != nil {
			t.Fatal(err)
		}
		if o.Word != builtin.Word || o.Engine != "embedded" || o.ReadOnly == hold || c.Open() != 1 {
			t.Errorf("held %t: %+v", hold, o)
		}
		release()
		for _, name := range []string{"none", "photos", "../notes", "NOTES"} {
			_, _, err := c.Use(t.Context(), name, false)
			refused(t, err, NotFound, "no collection")
			refused(t, c.Remove(t.Context(), name), NotFound, "no collection")
		}
	}
}

// TestRemove: a removed collection is deleted when its last user releases it, not before.
func TestRemove(t *testing.T) {
	root := t.TempDir()
	c := open(t, Config{Root: root, Hold: true})
	if err := c.Make(t.Context(), "notes", ""); err != nil {
		t.Fatal(err)
	}
	o, release, err := c.Use(t.Context(), "notes", false)
	if err != nil {
		t.Fatal(err)
	}
	removed := make(chan error)
	go func() { removed <- c.Remove(context.Background(), "notes") }()
	if err := o.Add(t.Context(), nsfl.Document{ID: "1", Text: "Still here."}); err != nil {
		t.Errorf("while it is used: %v", err)
	}
	release()
	if err := <-removed; err != nil {
		t.Fatal(err)
	}
	if entries, _ := os.ReadDir(root); len(entries) != 0 {
		t.Errorf("something is left behind: %v", entries)
	}
	if err := c.Make(t.Context(), "notes", ""); err != nil {
		t.Errorf("again: %v", err)
	}
}

// TestUseAtOnce: concurrent users share one open collection.
func TestUseAtOnce(t *testing.T) {
	root := t.TempDir()
	first := open(t, Config{Root: root})
	if err := first.Make(t.Context(), "notes", ""); err != nil {
		t.Fatal(err)
	}
	for _, hold := range []bool{false, true} {
		c := open(t, Config{Root: root, Hold: hold})
		var all sync.WaitGroup
		for i := range 8 {
			all.Go(func() {
				if err := add(t, c, "notes", string(rune('a'+i))); err != nil {
					t.Errorf("held %t: %v", hold, err)
				}
			})
		}
		all.Wait()
		if n := count(t, c, "notes"); n != 8 {
			t.Errorf("held %t: %d documents", hold, n)
		}
	}
}

// TestAnotherWriter: a collection that another process writes can be read, and written
// later.
func TestAnotherWriter(t *testing.T) {
	root := t.TempDir()
	other, err := nsfl.Open(t.Context(), filepath.Join(root, "shared"), nil)
	if err != nil {
		t.Fatal(err)
	}
	c := open(t, Config{Root: root, Hold: true})
	if n := count(t, c, "shared"); n != 0 {
		t.Errorf("%d documents", n)
	}
	refused(t, add(t, c, "shared", "1"), ReadOnly, "another process")
	if err := other.Close(); err != nil {
		t.Fatal(err)
	}
	if err := add(t, c, "shared", "1"); err != nil || count(t, c, "shared") != 1 {
		t.Errorf("after the other writer has gone: %v", err)
	}
}

// TestPlaces: a configured place can be created where there is nothing or an empty
// directory.
func TestPlaces(t *testing.T) {
	dir := t.TempDir()
	empty := filepath.Join(dir, "empty")
	if err := os.Mkdir(empty, 0o777); err != nil {
		t.Fatal(err)
	}
	c := open(t, Config{Places: map[string]string{"new": filepath.Join(dir, "deep", "new"), "empty": empty}})
	for _, name := range []string{"new", "empty"} {
		_, _, err := c.Use(t.Context(), name, false)
		refused(t, err, NotFound, "no collection")
		if err := c.Make(t.Context(), name, ""); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		refused(t, c.Make(t.Context(), name, ""), Exists, "already")
		if err := add(t, c, name, "1"); err != nil || count(t, c, name) != 1 {
			t.Errorf("%s: %v", name, err)
		}
	}
	refused(t, c.Make(t.Context(), "other", ""), ReadOnly, "no directory for new collections")
	refused(t, open(t, Config{}).Make(t.Context(), "other", ""), ReadOnly, "no directory")
}

// TestNames: names of places must not hide other collections, and errors do not reveal
// addresses.
func TestNames(t *testing.T) {
	root := t.TempDir()
	if err := os.MkdirAll(filepath.Join(root, "pets"), 0o777); err != nil {
		t.Fatal(err)
	}
	demo, err := OpenDemo(t.Context(), "", func() {})
	if err != nil {
		t.Fatal(err)
	}
	defer demo.Close()
	const address = "postgres://user:hunter2@127.0.0.1:1/db"
	for words, config := range map[string]Config{
		"lower-case letters":      {Places: map[string]string{"Films": address}},
		"no store for mysql://":   {Places: map[string]string{"films": "mysql://user:hunter2@host/db"}},
		"the built-in collection": {Places: map[string]string{Demo: address}, Demo: demo},
		"of that name in":         {Places: map[string]string{"pets": address}, Root: root},
	} {
		if _, err := NewCollections(config); err == nil || !strings.Contains(err.Error(), words) || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%v, want %q", err, words)
		}
	}
	c := open(t, Config{Demo: demo, Hold: true})
	if n := count(t, c, Demo); n != 549 {
		t.Errorf("the demo has %d documents", n)
	}
	refused(t, add(t, c, Demo, "1"), ReadOnly, "demo")
}

// TestOpen opens one collection by its place, with the encoder it was created with.
func TestOpen(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "notes")
	if _, err := Open(t.Context(), dir, Options{}); !errors.Is(err, engine.ErrNotCollection) || Holds(t.Context(), dir) {
		t.Errorf("where there is none: %v", err)
	}
	made, err := Open(t.Context(), dir, Options{Make: true})
	if err != nil {
		t.Fatal(err)
	}
	if made.Exists() || Holds(t.Context(), dir) {
		t.Error("got a collection before the first write, want none")
	}
	if n, err := made.Put(t.Context(), []engine.Document{{ID: "1", Text: "x"}}); err != nil || n != 0 || !made.Exists() {
		t.Errorf("got %d cut documents and error %v, want 0", n, err)
	}
	if err := made.Close(); err != nil || !Holds(t.Context(), dir) {
		t.Fatalf("got error %v, want a collection in %s", err, dir)
	}
	o, err := Open(t.Context(), dir, Options{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer o.Close()
	if word, err := Word(t.Context(), o.Store()); err != nil || word != builtin.Word || o.Place != dir {
		t.Errorf("%s at %s, %v", word, o.Place, err)
	}
	if err := o.Add(t.Context(), nsfl.Document{ID: "1", Text: "x"}); !errors.Is(err, engine.ErrReadOnly) {
		t.Errorf("written: %v", err)
	}
}

// TestServing: a process that finds a collection locked learns the address of its server
// while that is running.
func TestServing(t *testing.T) {
	root := t.TempDir()
	place := filepath.Join(root, "notes")
	is := func(what, want string) {
		t.Helper()
		address, name := Serving(place)
		if address != want || want != "" && name != "notes" {
			t.Errorf("%s: %q, %q; want %q", what, address, name, want)
		}
	}
	is("nobody", "")
	c := open(t, Config{Root: root, Hold: true})
	is("nothing said", "")
	if err := c.Announce("http://localhost:1"); err != nil {
		t.Fatal(err)
	}
	is("announced", "http://localhost:1")
	second := open(t, Config{Root: root, Hold: true})
	if err := second.Announce("http://localhost:2"); err != nil {
		t.Fatal(err)
	}
	is("another beside it", "http://localhost:1")
	if runtime.GOOS != "windows" {
		for _, mode := range []os.FileMode{0o644, 0o600} {
			if err := os.Chmod(filepath.Join(root, addressFile), mode); err != nil {
				t.Fatal(err)
			}
			is(fmt.Sprint(mode), map[os.FileMode]string{0o600: "http://localhost:1"}[mode])
		}
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	is("closed", "")
	if err := os.WriteFile(filepath.Join(root, addressFile), []byte("http://localhost:3"), 0o600); err != nil {
		t.Fatal(err)
	}
	is("left behind", "")
	if address, _ := Serving("postgres://h/db"); address != "" {
		t.Errorf("elsewhere: %s", address)
	}
}

// TestFiles: files are recorded, and their documents can be found.
func TestFiles(t *testing.T) {
	for _, c := range []struct{ metadata, want, file string }{
		{``, `{"source":"a.csv"}`, "a.csv"},
		{`{"year":1}`, `{"source":"a.csv","year":1}`, "a.csv"},
		{`{"source":"BBC"}`, `{"source":"BBC","source_file":"a.csv"}`, "a.csv"},
		{`{"source":7}`, `{"source":7,"source_file":"a.csv"}`, "a.csv"},
	} {
		got, err := WithFile([]byte(c.metadata), "a.csv")
		if err != nil || string(got) != c.want || FileOf(got) != c.file {
			t.Errorf("WithFile(%s) = %s, %v, want %s", c.metadata, got, err, c.want)
		}
	}
	if FileOf([]byte(`{"source":["a"]}`)) != "" || FileOf(nil) != "" || FileOf([]byte(`[`)) != "" {
		t.Error("a file for a document without one")
	}
	if _, err := WithFile([]byte(`[1]`), "a.csv"); err == nil {
		t.Error("metadata that is no object")
	}
}
