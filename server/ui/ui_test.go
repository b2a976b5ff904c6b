package ui

import (
	"bytes"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"
)

// The page's Content-Security-Policy allows nothing inline and nothing from
// elsewhere.
func TestIndexLoadsOnlyItsOwnFiles(t *testing.T) {
	index := read(t, Files(), "index.html")
	for _, bad := range []string{`<script>`, `<style`, ` style=`, ` on\w+=`, `(src|href)="(\w+:|//|/)`} {
		if m := regexp.MustCompile(bad).Find(index); m != nil {
			t.Errorf("index.html has %q", m)
		}
	}
	links := regexp.MustCompile(`(?:src|href)="([^"]+\.\w+)"`).FindAllSubmatch(index, -1)
	if len(links) < 3 {
		t.Fatalf("index.html loads %d files, expected its script, its style and its icon", len(links))
	}
	for _, link := range links {
		if len(read(t, Files(), string(link[1]))) == 0 {
			t.Errorf("%s is empty", link[1])
		}
	}
}

// Text from outside becomes a text node, never markup.
func TestSourcesMakeNoMarkup(t *testing.T) {
	markup := regexp.MustCompile(`innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function`)
	err := fs.WalkDir(os.DirFS("src"), ".", func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			if m := markup.Find(read(t, os.DirFS("src"), path)); m != nil {
				t.Errorf("src/%s has %s", path, m)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestPageIsSmall(t *testing.T) {
	const most = 300_000
	if n := len(read(t, Files(), "page.js")); n > most {
		t.Errorf("page.js has %d bytes, more than %d", n, most)
	}
}

func TestDistIsBuiltFromSources(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is not installed; it builds the page")
	}
	if _, err := os.Stat("node_modules"); err != nil {
		t.Skip("node_modules is missing: run npm ci in server/ui")
	}
	dir := t.TempDir()
	if out, err := exec.CommandContext(t.Context(), node, "build.mjs", dir).CombinedOutput(); err != nil {
		t.Fatalf("building the page: %v\n%s", err, out)
	}
	built, committed := os.DirFS(dir), Files()
	for _, name := range names(t, built, committed) {
		if !bytes.Equal(read(t, built, name), read(t, committed, name)) {
			t.Errorf("dist/%s is not what the sources build: run npm run build in server/ui", name)
		}
	}
}

// names are those of the files in any of the trees.
func names(t *testing.T, trees ...fs.FS) []string {
	t.Helper()
	var all []string
	seen := map[string]bool{}
	for _, tree := range trees {
		entries, err := fs.Glob(tree, "*")
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range entries {
			if !seen[name] {
				seen[name] = true
				all = append(all, filepath.ToSlash(name))
			}
		}
	}
	return all
}

func read(t *testing.T, tree fs.FS, name string) []byte {
	t.Helper()
	data, err := fs.ReadFile(tree, name)
	if err != nil {
		t.Errorf("reading %s: %v", name, err)
	}
	return data
}
