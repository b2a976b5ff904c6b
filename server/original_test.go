package server

import (
	"crypto/sha256"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"github.com/nsfl-go/nsfl/server/auth"
)

// TestOriginal: files below the directory are sent if they are what was indexed, and nothing
// else is, whatever paths a client has stored.
func TestOriginal(t *testing.T) {
	root, outside := t.TempDir(), t.TempDir()
	write := func(dir, name, content string) string {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		real, err := filepath.EvalSymlinks(path)
		if err != nil {
			t.Fatal(err)
		}
		return real
	}
	places := map[string]string{
		"text.md":    write(root, "a/text.md", "# Notes\n\nof mine"),
		"page.html":  write(root, "page.html", "<script>alert(1)</script>"),
		"book.pdf":   write(root, "book.pdf", "%PDF-1.4 and so on"),
		"changed.md": write(root, "changed.md", "as it was"),
		"gone.md":    write(root, "gone.md", "x"),
		"secret":     write(outside, "secret", "x"),
	}
	if err := os.Symlink(places["secret"], filepath.Join(root, "link.md")); err != nil {
		t.Skip("symbolic links are not available:", err)
	}
	if err := os.Symlink(outside, filepath.Join(root, "folder")); err != nil {
		t.Fatal(err)
	}
	base := filepath.Dir(places["book.pdf"])
	places["link.md"], places["through"] = filepath.Join(base, "link.md"), filepath.Join(base, "folder", "secret")
	places["up"], places["folder"] = filepath.Join(base, "..", filepath.Base(filepath.Dir(places["secret"])), "secret"), base

	a := start(t, Config{Root: t.TempDir(), Files: root})
	a.call(201, "POST", "/v1/collections", `{"name": "notes"}`)
	note := func(name, place, content string) {
		a.call(200, "POST", "/v1/collections/notes/documents", fmt.Sprintf(`{"id": %q, "text": "a text", "metadata": {"source": %q}}`, name, name))
		a.call(200, "POST", "/v1/collections/notes/sources", fmt.Sprintf(`{"sources": [{"name": %q, "size": %d, "sha256": "%x", "place": %q}]}`, name, len(content), sha256.Sum256([]byte(content)), place))
	}
	for name, place := range places {
		content, err := os.ReadFile(place)
		if err != nil {
			content = []byte("x")
		}
		note(name, place, string(content))
	}
	note("unknown hash", write(root, "private.md", "private"), "another")
	a.call(200, "POST", "/v1/collections/notes/documents", `{"id": "no file", "text": "a text"}`)
	write(root, "changed.md", "as it is!")
	if err := os.Remove(places["gone.md"]); err != nil {
		t.Fatal(err)
	}

	path := func(id string) string { return "/v1/collections/notes/documents/" + id + "/file" }
	for id, want := range map[string][3]string{
		"text.md":   {"# Notes\n\nof mine", "text/plain; charset=utf-8", "inline; filename=text.md"},
		"page.html": {"<script>alert(1)</script>", "application/octet-stream", "attachment; filename=page.html"},
		"book.pdf":  {"%PDF-1.4 and so on", "application/pdf", "inline; filename=book.pdf"},
	} {
		response, body := a.request("GET", path(id), http.Header{}, nil)
		if got := [3]string{string(body), response.Header.Get("Content-Type"), response.Header.Get("Content-Disposition")}; got != want || response.StatusCode != 200 {
			t.Errorf("%s: got %d and %q, want %q", id, response.StatusCode, got, want)
		}
	}
	for id, want := range map[string][2]string{
		"changed.md": {"gone", "has changed"}, "unknown%20hash": {"gone", "has changed"}, "gone.md": {"gone", "no longer"},
		"secret": {"forbidden", "not in the directory"}, "up": {"forbidden", "not in the directory"},
		"link.md": {"gone", "no longer"}, "through": {"gone", "no longer"}, "folder": {"gone", "no longer"},
		"no%20file": {"not_found", "not indexed from a file"}, "nothing": {"not_found", "no document"},
	} {
		a.fails(want[0], want[1], "GET", path(id), "")
	}
	if got := a.call(200, "GET", "/v1/rights", ""); got["files"] != true {
		t.Errorf("got rights %v, want files", got)
	}
}

func TestOriginalNotAllowed(t *testing.T) {
	a := withAnimals(t)
	a.fails("forbidden", "--files", "GET", "/v1/collections/pets/documents/dog/file", "")
	if got := a.call(200, "GET", "/v1/rights", ""); got["files"] != false {
		t.Errorf("got rights %v, want no files", got)
	}
	scoped := testKeys[0]
	scoped.Collections = []string{"notes"}
	scoped.Role = Admin
	a = start(t, Config{Root: t.TempDir(), Files: t.TempDir(), Keys: []auth.Key{scoped}})
	a.key = testSecrets[Read]
	if got := a.call(200, "GET", "/v1/rights", ""); got["files"] != false {
		t.Errorf("a key for one collection: got rights %v, want no files", got)
	}
	if _, err := New(Config{Files: filepath.Join(t.TempDir(), "none")}); err == nil {
		t.Error("a missing directory: got no error")
	}
}
