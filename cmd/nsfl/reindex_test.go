package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl"
	"github.com/nsfl-go/nsfl/encoder/builtin"
	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/index"
)

// storedEncoder returns the identity of the encoder that made a collection.
func storedEncoder(t *testing.T, dir string) (name, revision string) {
	t.Helper()
	c, err := index.Open(t.Context(), dir, index.Options{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	id := nsfl.IdentityOf(c.Encoder())
	return id.Name, id.Revision
}

func TestReindex(t *testing.T) {
	dir := t.TempDir()
	notes, files := filepath.Join(dir, "notes"), filepath.Join(dir, "files")
	if err := os.Mkdir(files, 0o777); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"dogs.md": "# Dogs\n\nA dog plays with a ball.\n", "cats.txt": "A cat sleeps."} {
		if err := os.WriteFile(filepath.Join(files, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	must(t, "index", files, "-c", notes, "--encoder", "builtin@1")
	if name, revision := storedEncoder(t, notes); name != builtin.Name || revision != "1" {
		t.Fatalf("made with %s@%s", name, revision)
	}
	found := must(t, "search", "-c", notes, "dog", "--json")
	if !strings.Contains(found, "dogs.md") {
		t.Errorf("before: %s", found)
	}
	info := must(t, "info", "-c", notes)
	if newer := strings.Contains(info, "nsfl reindex -c "); newer != (builtin.Newest() != "1") {
		t.Errorf("info with %s as the newest revision: %s", builtin.Newest(), info)
	}

	tiny := "onnx:../../encoder/onnx/testdata/e5"
	if out := must(t, "reindex", "-c", notes, "--encoder", tiny); !strings.Contains(out, "2 documents encoded again") {
		t.Errorf("another encoder: %s", out)
	}
	if name, revision := storedEncoder(t, notes); name != "e5" || revision != "int8" {
		t.Errorf("encoded again with %s@%s", name, revision)
	}
	must(t, "search", "-c", notes, "dog")

	if out := must(t, "reindex", "-c", notes, "--encoder", "builtin"); !strings.Contains(out, "2 documents") {
		t.Errorf("back: %s", out)
	}
	if _, revision := storedEncoder(t, notes); revision != builtin.Newest() {
		t.Errorf("got revision %s, want the newest", revision)
	}
	if out := must(t, "reindex", "-c", notes); !strings.Contains(out, "was made with this encoder") {
		t.Errorf("again: %s", out)
	}
	if out := must(t, "index", files, "-c", notes); strings.Contains(out, "2 documents") && !strings.Contains(out, "unchanged") {
		t.Errorf("the files are read again: %s", out)
	}
	if left, err := filepath.Glob(notes + ".*"); err != nil || len(left) > 0 {
		t.Errorf("%v was left, %v", left, err)
	}

	bare := filepath.Join(dir, "bare")
	c, err := index.OpenOrCreate(t.Context(), bare, index.Options{Dimension: 2, Encoder: "x"})
	if err == nil {
		err = errors.Join(c.Upsert(t.Context(), []engine.Document{{ID: "a", Vector: []float32{1, 2}}}), c.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
	if code, _, errs := cli("", "reindex", "-c", bare); code == 0 || !strings.Contains(errs, `the document "a" has no text`) {
		t.Errorf("without a text: %d, %s", code, errs)
	}
	if name, _ := storedEncoder(t, bare); name != "x" {
		t.Errorf("a failure has changed the encoder to %s", name)
	}
}
