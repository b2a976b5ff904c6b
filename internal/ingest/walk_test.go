package ingest

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl/engine"
)

// tree makes files in a new folder. Those whose name ends with a slash are folders.
func tree(t testing.TB, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, content := range files {
		p := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(name, "/") {
			if err := os.MkdirAll(p, 0o755); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if err := os.WriteFile(p, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func ids(docs []engine.Document) []string {
	var out []string
	for _, d := range docs {
		out = append(out, d.ID)
	}
	return out
}

// kinds are the skips as "kind name", sorted.
func kinds(t testing.TB, root string, skips []Skip) []string {
	var out []string
	for _, s := range skips {
		name, err := filepath.Rel(root, s.Path)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, fmt.Sprintf("%s %s", s.Kind, filepath.ToSlash(name)))
	}
	slices.Sort(out)
	return out
}

func TestWalk(t *testing.T) {
	root := tree(t, map[string]string{
		"b.md":                 "# B",
		"a/z.txt":              "Z",
		"a/README":             "Read me.",
		"a/deep/er/x.html":     "<p>X",
		"a.txt":                "A",
		"Minutes 12.5.":        "A name with dots.",
		"UPPER.TXT":            "U",
		"empty.txt":            "",
		"blank.txt":            " \n ",
		"large.txt":            strings.Repeat("x ", 3000),
		"large.jsonl":          strings.Repeat(`{"text":"x"}`+"\n", 500),
		"main.go":              "package main",
		"server.log":           "GET /",
		"program":              "\x7fELF\x00\x00",
		".git/config":          "x",
		".hidden.txt":          "x",
		"node_modules/x/y.md":  "x",
		"beir/corpus.jsonl.gz": gzipped(t, `{"_id":"c1","text":"x"}`),
		"beir/readme.txt":      "x",
	})
	links := runtime.GOOS != "windows"
	if links {
		for name, target := range map[string]string{"a/loop": "..", "link.txt": "a.txt"} {
			if err := os.Symlink(target, filepath.Join(root, name)); err != nil {
				t.Fatal(err)
			}
		}
	}
	docs, skips := collect(t, Options{limits: limits{file: 5000}}, root)
	var got []string
	for _, id := range ids(docs) {
		if !strings.HasPrefix(id, "large.jsonl#") {
			got = append(got, id)
		}
	}
	want := []string{"Minutes 12.5.", "UPPER.TXT", "a/README", "a/deep/er/x.html", "a/z.txt", "a.txt", "b.md", "c1", "beir/readme.txt", "main.go"}
	if !slices.Equal(got, want) || len(docs) != len(want)+500 {
		t.Errorf("%d documents: %q, want %q", len(docs), got, want)
	}
	wantSkips := []string{
		"binary program", "empty blank.txt", "empty empty.txt",
		"hidden .git", "hidden .hidden.txt", "hidden node_modules",
	}
	if links {
		wantSkips = append(wantSkips, "link a/loop", "link link.txt")
	}
	wantSkips = append(wantSkips, "too large large.txt", "unknown type server.log")
	if got := kinds(t, root, skips); !slices.Equal(got, wantSkips) {
		t.Errorf("got skips\n%q, want\n%q", got, wantSkips)
	}
	for _, s := range skips {
		if s.Reason == "" {
			t.Errorf("%s has no reason", s.Path)
		}
	}
}

// TestTypes: where the caller reads files itself, those of its types are found.
func TestTypes(t *testing.T) {
	root := tree(t, map[string]string{"a.JPG": "x", "b/c.png": "x", "d.md": "# D", "e.png.gz": "x", ".f.png": "x"})
	var skips []Skip
	r, err := New(Options{Types: []string{".jpg", ".png"}, Skip: func(s Skip) { skips = append(skips, s) }})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for s, err := range r.Sources(context.Background(), root) {
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, s.Name)
	}
	if !slices.Equal(names, []string{"a.JPG", "b/c.png"}) || len(skips) != 3 {
		t.Errorf("found %v, skipped %v", names, kinds(t, root, skips))
	}
}

// TestNamed: a file that the user names is read, hidden or not, whatever its type.
func TestNamed(t *testing.T) {
	root := tree(t, map[string]string{
		".notes/a.md": "x", "main.go": "package main", "queries.jsonl": `{"_id":"q","text":"x"}`,
	})
	at := func(name string) string { return filepath.Join(root, filepath.FromSlash(name)) }
	named := []string{at(".notes"), at("main.go"), at("queries.jsonl")}
	if runtime.GOOS != "windows" {
		if err := os.Symlink(".notes/a.md", at("link.md")); err != nil {
			t.Fatal(err)
		}
		named = append(named, at("link.md"))
	}
	docs, skips := collect(t, Options{}, named...)
	if got, want := ids(docs), []string{"a.md", "main.go", "q"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if runtime.GOOS != "windows" && (len(skips) != 1 || skips[0].Kind != Twice) {
		t.Errorf("the link leads to a file that was read: %v", skips)
	}
}

// TestSameName: a file reached twice is read once; two files with one name differ by
// their places.
func TestSameName(t *testing.T) {
	root := tree(t, map[string]string{"one/readme.md": "1", "two/readme.md": "2", "two/sub/x.md": "3"})
	one, two := filepath.Join(root, "one"), filepath.Join(root, "two")
	docs, skips := collect(t, Options{}, two, filepath.Join(two, "sub"), filepath.Join(two, "sub", "x.md"), two+string(filepath.Separator)+".")
	if len(docs) != 2 || len(skips) != 4 || skips[0].Kind != Twice {
		t.Errorf("got the documents %q and skips %v, want 2 and 4, the first of them read twice", ids(docs), skips)
	}
	run, _ := New(Options{})
	places := map[string]bool{}
	for s, err := range run.Sources(context.Background(), one, two) {
		if err != nil {
			t.Fatal(err)
		}
		places[s.Place] = s.Name == "readme.md"
	}
	if len(places) != 3 || !places[filepath.Join(resolved(t, one), "readme.md")] || !places[filepath.Join(resolved(t, two), "readme.md")] {
		t.Errorf("two files with one name: %v", places)
	}
	for s, err := range run.Sources(context.Background(), filepath.Join(root, "none")) {
		if err == nil || !strings.Contains(err.Error(), "none") {
			t.Errorf("got %v and error %v, want an error that names the missing file", s, err)
		}
	}
}

func resolved(t *testing.T, path string) string {
	t.Helper()
	place, err := filepath.EvalSymlinks(path)
	if err != nil {
		t.Fatal(err)
	}
	return place
}

func TestUnreadable(t *testing.T) {
	root := tree(t, map[string]string{"a.txt": "a", "closed.txt": "x", "locked/x.txt": "x"})
	for _, name := range []string{"closed.txt", "locked"} {
		if err := os.Chmod(filepath.Join(root, name), 0); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() { os.Chmod(filepath.Join(root, "locked"), 0o755) })
	if _, err := os.ReadDir(filepath.Join(root, "locked")); err == nil {
		t.Skip("needs a user from whom files can be locked away")
	}
	docs, skips := collect(t, Options{}, root)
	if got := kinds(t, root, skips); len(docs) != 1 || !slices.Equal(got, []string{"unreadable closed.txt", "unreadable locked"}) {
		t.Errorf("got the documents %q and skips %q, want 1 and the two that cannot be read", ids(docs), got)
	}
}

// TestVanished: a file that goes away after it was found is skipped.
func TestVanished(t *testing.T) {
	root := tree(t, map[string]string{"a.txt": "a"})
	var summary Summary
	run, _ := New(Options{Skip: summary.Add})
	for s, err := range run.Sources(context.Background(), root) {
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Remove(s.Path); err != nil {
			t.Fatal(err)
		}
		for d, err := range run.Documents(context.Background(), s) {
			t.Errorf("got %v and error %v, want nothing", d, err)
		}
	}
	if !strings.HasPrefix(summary.String(), "1 skipped, unreadable:\n") || strings.Count(summary.String(), "skipped") != 1 {
		t.Errorf("got %s, want one line about what is unreadable", &summary)
	}
}

// TestManyFiles: a thousand files, in the order of their names, with progress that
// ends at their sizes.
func TestManyFiles(t *testing.T) {
	files := map[string]string{}
	for i := range 1000 {
		files[fmt.Sprintf("part%d/%03d.md", i%7, i)] = fmt.Sprintf("# Note %d\n\nText of note %d.\n\n## More\n\n%s\n", i, i, strings.Repeat("A sentence of six words here. ", i%60))
	}
	root := tree(t, files)
	read := int64(0)
	run, err := New(Options{Progress: func(n int64) { read = n }, Skip: func(s Skip) { t.Error(s) }})
	if err != nil {
		t.Fatal(err)
	}
	var sources []Source
	for s, err := range run.Sources(context.Background(), root) {
		if err != nil {
			t.Fatal(err)
		}
		sources = append(sources, s)
	}
	if len(sources) != 1000 || !slices.IsSortedFunc(sources, func(a, b Source) int { return strings.Compare(a.Name, b.Name) }) {
		t.Fatalf("%d sources, or not in order", len(sources))
	}
	for i, s := range sources {
		count := 0
		for d, err := range run.Documents(context.Background(), s) {
			if err != nil {
				t.Fatal(err)
			}
			number := strings.TrimLeft(strings.TrimSuffix(filepath.Base(s.Path), ".md"), "0")
			if number == "" {
				number = "0"
			}
			if d.ID != s.Name || d.Title != "Note "+number || !strings.HasPrefix(d.Text, "Text of note "+number) {
				t.Fatalf("source %d is %+v", i, d)
			}
			if strings.Contains(strings.Join(texts(d), " "), d.Title) {
				t.Fatalf("%s has its title in a passage", d.ID)
			}
			count++
		}
		if count != 1 || read != s.Size || s.Size != int64(len(files[s.Name])) {
			t.Fatalf("%s: %d documents, %d of %d bytes", s.Name, count, read, s.Size)
		}
	}
}
