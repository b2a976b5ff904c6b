package ui

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"

	"github.com/nsfl-go/nsfl/retrieve"
)

var update = flag.Bool("update", false, "write src/knobs.ts anew")

// The page knows the choices of a search from retrieve, as flags and requests do.
func TestKnobs(t *testing.T) {
	const file = "src/knobs.ts"
	want := knobs(t)
	if *update {
		if err := os.WriteFile(file, want, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if got := read(t, os.DirFS("."), file); !bytes.Equal(got, want) {
		t.Errorf("%s does not match retrieve: run go test ./server/ui -update, and npm run build in server/ui", file)
	}
}

func knobs(t *testing.T) []byte {
	t.Helper()
	var b bytes.Buffer
	b.WriteString("// The choices of a search. Written by go test ./server/ui -update.\nexport const knobs = {\n")
	field := func(name string, value any) {
		text, err := json.Marshal(value)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "%s: %s, ", name, bytes.ReplaceAll(text, []byte(`","`), []byte(`", "`)))
	}
	for _, k := range new(retrieve.Options).Knobs() {
		fmt.Fprintf(&b, "  %s: { ", k.Field())
		number, _ := k.IsNumber()
		switch {
		case k.IsSwitch():
			field("default", false)
		case k.IsList():
			field("default", []string{})
		case number:
			var standard any // null: something else chooses
			if k.Default != "" {
				number, err := strconv.ParseFloat(k.Default, 64)
				if err != nil {
					t.Fatal(err)
				}
				standard = number
			}
			field("low", k.Low)
			field("high", k.High)
			field("default", standard)
		default:
			if k.Words != nil {
				field("words", k.Words)
			}
			field("default", k.Default)
		}
		field("help", k.Help)
		b.Truncate(b.Len() - len(", "))
		b.WriteString(" },\n")
	}
	b.WriteString("};\n")
	return b.Bytes()
}

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
	const most = 180_000
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
			t.Errorf("dist/%s is out of date: run npm run build in server/ui", name)
		}
	}
}

// names returns the names of the files in any of the trees.
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
