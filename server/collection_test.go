package server

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl"
)

func TestCollections(t *testing.T) {
	root := t.TempDir()
	if err := os.MkdirAll(filepath.Join(root, "photos"), 0o777); err != nil { // not a collection
		t.Fatal(err)
	}
	a := start(t, Config{Root: root, Demo: demoCollection(t)})
	list := a.call(200, "GET", "/v1/collections", "")
	if at(list, "collections", 0, "name") != "demo" || at(list, "collections", 0, "read_only") != true || at(list, "collections", 1) != nil {
		t.Errorf("at first: %v", list)
	}
	made := a.call(201, "POST", "/v1/collections", `{"name": "notes"}`)
	if made["documents"] != 0.0 || made["encoder"] != "builtin" || made["dimension"] != 384.0 || made["read_only"] != false {
		t.Errorf("a new collection: %v", made)
	}
	a.fails("exists", `"notes"`, "POST", "/v1/collections", `{"name": "notes", "encoder": "builtin"}`)
	a.fails("exists", `"demo"`, "POST", "/v1/collections", `{"name": "demo"}`)
	a.fails("exists", `"photos"`, "POST", "/v1/collections", `{"name": "photos"}`)
	for _, name := range []string{"", "..", "a/b", "A", "-a", "a.b", "é", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"} {
		a.fails("invalid", "cannot be a collection's name", "POST", "/v1/collections", `{"name": "`+name+`"}`)
	}
	for _, word := range []string{"onnx:/etc", "http://127.0.0.1:1/v1#m", "openai:x", "bge-large-en-v1.5"} {
		a.fails("invalid", "is not available here", "POST", "/v1/collections", `{"name": "other", "encoder": "`+word+`"}`)
	}
	a.call(200, "GET", "/v1/collections/notes", "")
	for _, path := range []string{"/v1/collections/none", "/v1/collections/%2e%2e", "/v1/collections/..%2fnotes", "/v1/collections/photos", "/v1/collections/NOTES"} {
		a.fails("not_found", "no collection", "GET", path, "")
		a.fails("not_found", "no collection", "DELETE", path, "")
	}
	a.fails("read_only", "demo", "DELETE", "/v1/collections/demo", "")
	a.call(204, "DELETE", "/v1/collections/notes", "")
	a.fails("not_found", "no collection", "GET", "/v1/collections/notes", "")
	if _, err := os.Stat(filepath.Join(root, "notes")); !os.IsNotExist(err) {
		t.Errorf("the directory of a deleted collection: %v", err)
	}
	if entries, _ := os.ReadDir(root); len(entries) != 3 { // photos, and the server's address with its lock
		t.Errorf("something is left behind: %v", entries)
	}
	a.call(201, "POST", "/v1/collections", `{"name": "notes"}`) // and again
	if words := a.call(200, "GET", "/v1/encoders", ""); at(words, "encoders", 0, "word") != "builtin" {
		t.Errorf("encoders: %v", words)
	}
}

func TestNoRoot(t *testing.T) {
	a := start(t, Config{Demo: demoCollection(t)})
	a.fails("read_only", "no directory", "POST", "/v1/collections", `{"name": "notes"}`)
	a.fails("not_found", "no collection", "GET", "/v1/collections/notes", "")
	if r := a.call(200, "POST", "/v1/collections/demo/search", `{"query": "fox"}`); ids(r)[0] != "1" {
		t.Errorf("the demo: %v", r)
	}
	if _, err := New(Config{Origins: []string{"nowhere"}}); err == nil {
		t.Error("an origin that is none was accepted")
	}
	typo := filepath.Join(t.TempDir(), "typo")
	if _, err := New(Config{Root: typo}); err == nil || !strings.Contains(err.Error(), "there is no directory "+typo) {
		t.Errorf("a directory that is not there: %v", err)
	}
	if _, err := os.Lstat(typo); err == nil {
		t.Error("it was made")
	}
	root := t.TempDir()
	if err := os.Mkdir(filepath.Join(root, "demo"), 0o777); err != nil {
		t.Fatal(err)
	}
	if _, err := New(Config{Root: root, Demo: a.server.config.Demo}); err == nil {
		t.Error("a collection was hidden behind the demo")
	}
}

// A collection that another writes can be read, and written when it is free.
func TestAnotherWriter(t *testing.T) {
	root := t.TempDir()
	other, err := nsfl.Open(t.Context(), filepath.Join(root, "shared"), nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := other.Add(t.Context(), nsfl.Document{ID: "1", Text: "A lighthouse at night."}); err != nil {
		t.Fatal(err)
	}
	a := start(t, Config{Root: root})
	if c := a.call(200, "GET", "/v1/collections/shared", ""); c["read_only"] != true || c["documents"] != 1.0 {
		t.Errorf("with another writer: %v", c)
	}
	a.call(200, "POST", "/v1/collections/shared/search", `{"query": "lighthouse"}`)
	doc := `{"id": "2", "text": "A harbour."}`
	a.fails("read_only", "another process", "POST", "/v1/collections/shared/documents", doc)
	a.fails("read_only", "another process", "DELETE", "/v1/collections/shared/documents/1", "")
	a.fails("read_only", "another process", "DELETE", "/v1/collections/shared", "")
	if err := other.Close(); err != nil {
		t.Fatal(err)
	}
	a.call(200, "POST", "/v1/collections/shared/documents", doc)
	if c := a.call(200, "GET", "/v1/collections/shared", ""); c["read_only"] != false || c["documents"] != 2.0 {
		t.Errorf("after the other writer has gone: %v", c)
	}
}

// Errors of collections do not reveal paths.
func TestDamaged(t *testing.T) {
	root := t.TempDir()
	a := start(t, Config{Root: root})
	a.call(201, "POST", "/v1/collections", `{"name": "broken"}`)
	a.stop()
	<-a.ended
	a.ended <- nil
	files, err := filepath.Glob(filepath.Join(root, "broken", "*"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		if err := os.WriteFile(file, []byte("not what it was, and long enough to be read as something"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	a = start(t, Config{Root: root})
	p := a.fails("unavailable", "damaged", "POST", "/v1/collections/broken/search", `{"query": "x"}`)
	if detail := p["detail"].(string); len(detail) > 200 || filepath.IsAbs(detail) {
		t.Errorf("the problem: %s", detail)
	}
	list := a.call(200, "GET", "/v1/collections", "")
	if at(list, "collections", 0, "problem") == nil {
		t.Errorf("the list: %v", list)
	}
	a.call(204, "DELETE", "/v1/collections/broken", "")
}
