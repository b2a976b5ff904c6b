package vectors

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl/engine"
)

// names are the files in a folder.
func names(t testing.TB, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	must(t, err)
	var out []string
	for _, e := range entries {
		out = append(out, e.Name())
	}
	return strings.Join(out, " ")
}

var writable = []string{"a.npy", "a.jsonl", "a.jsonl.gz"}

// TestAbandoned: nothing is left of a file that was not closed without error, and the file that
// it would have replaced stays.
func TestAbandoned(t *testing.T) {
	good, zero := Row{ID: "a", Vector: []float32{1, 2}}, Row{ID: "b", Vector: []float32{0, 0}}
	for what, end := range map[string]func(*Writer) error{
		"aborted":        func(w *Writer) error { w.Abort(); return nil },
		"aborted, twice": func(w *Writer) error { w.Abort(); w.Abort(); return nil },
		"a bad row": func(w *Writer) error {
			first := w.Write(zero)
			if first == nil || !strings.Contains(first.Error(), "no direction") {
				return fmt.Errorf("a vector of zeros was taken: %w", first)
			}
			if err := w.Write(good); !errors.Is(err, first) {
				return errors.New("a row was taken after an error")
			}
			if err := w.Close(); !errors.Is(err, first) {
				return errors.New("closed in spite of an error")
			}
			return nil
		},
	} {
		for _, name := range writable {
			dir := t.TempDir()
			path := filepath.Join(dir, name)
			must(t, os.WriteFile(path, []byte("before"), 0o666))
			w, err := Create(path)
			must(t, err)
			for range 100 {
				must(t, w.Write(good))
			}
			must(t, end(w))
			if content, err := os.ReadFile(path); err != nil || string(content) != "before" || names(t, dir) != name {
				t.Errorf("%s, %s: %q, %v; the folder has %s", name, what, content, err, names(t, dir))
			}
			if err := w.Write(good); err == nil {
				t.Errorf("%s, %s: a row was taken after the end", name, what)
			}
		}
	}
}

// TestInPlace says that a file appears at Close, not before, readable as others.
func TestInPlace(t *testing.T) {
	for _, name := range writable {
		dir := t.TempDir()
		path := filepath.Join(dir, name)
		w, err := Create(path)
		must(t, err)
		must(t, w.Write(Row{Vector: []float32{1, 2}}))
		if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s is there before Close: %v", name, err)
		}
		must(t, w.Close())
		must(t, w.Close())
		w.Abort()
		if names(t, dir) != name {
			t.Errorf("the folder has %s", names(t, dir))
		}
		plain := put(t, "plain", nil)
		got, err := os.Stat(path)
		must(t, err)
		want, err := os.Stat(plain)
		must(t, err)
		if got.Mode() != want.Mode() {
			t.Errorf("%s: %v, want %v", name, got.Mode(), want.Mode())
		}
	}
}

func TestLinkIsFollowed(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links need a privilege on Windows")
	}
	dir := t.TempDir()
	link, target := filepath.Join(dir, "a.npy"), filepath.Join(dir, "target")
	must(t, os.WriteFile(target, nil, 0o666))
	must(t, os.Symlink(target, link))
	writeAll(t, link, []Row{{Vector: []float32{1}}})
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is gone: %v, %v", info, err)
	}
	same(t, "target", len(readAll(t, target, "")), 1)
}

func TestCreateRefuses(t *testing.T) {
	dir := t.TempDir()
	must(t, os.Mkdir(filepath.Join(dir, "folder.npy"), 0o777))
	for _, c := range []struct {
		name string
		says string
	}{
		{"a.fvecs", ".npy, .jsonl"},
		{"a", "it has to end in"},
		{"a.npy.gz", "leave out .gz"},
		{"folder.npy", "a folder"},
		{"missing/a.npy", "missing"},
	} {
		w, err := Create(filepath.Join(dir, c.name))
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, %v; want %q", c.name, w, err, c.says)
		}
	}
}

func TestWriteRefuses(t *testing.T) {
	v := []float32{1, 2}
	for _, c := range []struct {
		name string
		rows []Row
		says string
	}{
		{"a.npy", nil, "no row"},
		{"a.npy", []Row{{Vector: v}, {Vector: v[:1]}}, "row 1: its vector has dimension 1"},
		{"a.npy", []Row{{ID: "a"}}, "it has no vector"},
		{"a.npy", []Row{{Vector: v}, {Vector: []float32{inf, 1}}}, "component 0"},
		{"a.jsonl", []Row{{ID: "\xff"}}, "UTF-8"},
		{"a.jsonl", []Row{{Passages: []engine.Passage{{Text: "\xff"}}}}, "passage 0"},
		{"a.jsonl", []Row{{Metadata: []byte("[]")}}, "not a JSON object"},
		{"a.jsonl", []Row{{Metadata: []byte("{}{}")}}, "not a JSON object"},
		{"a.jsonl", []Row{{Passages: []engine.Passage{{Text: "a", Vector: v}, {Text: "b", Vector: nil}}}}, "all of them one"},
	} {
		dir := t.TempDir()
		w, err := Create(filepath.Join(dir, c.name))
		must(t, err)
		for _, row := range c.rows {
			err = w.Write(row)
		}
		if len(c.rows) == 0 {
			err = w.Close()
		}
		w.Abort()
		if err == nil || !strings.Contains(err.Error(), c.says) || !strings.HasPrefix(err.Error(), "writing ") {
			t.Errorf("%s: %v, want %q", c.name, err, c.says)
		}
		if names(t, dir) != "" {
			t.Errorf("left behind: %s", names(t, dir))
		}
	}
}
