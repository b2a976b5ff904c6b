package ingest

import (
	"context"
	"math/rand/v2"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestIgnoreAsGit holds the rules against git on trees with rules at random.
func TestIgnoreAsGit(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	patterns := []string{"*.txt", "a.txt", "/a.txt", "b/", "/b/", "b", "!a.txt", "!*.txt", "a/b", "/a/*", "!/a/b", "**/c", "a/**", "a/**/c.txt", "**/b/**",
		"!b/", "c.*", "[ab].txt", "[!a].txt", "?.txt", "{a,b}.txt", `\!x.txt`, "# remark", "", "a.txt  ", "b/a.txt", "!b/a.txt", "*", "!*/", "a**t.txt", `\#x.txt`, "*/c"}
	names := []string{"a", "b", "c"}
	random := rand.New(rand.NewPCG(1, 2))
	some := func(from []string) string { return from[random.IntN(len(from))] }
	for round := range 30 {
		root := t.TempDir()
		files := map[string]string{}
		for range 25 {
			folder := ""
			for range random.IntN(4) {
				folder = path.Join(folder, some(names))
			}
			files[path.Join(folder, some([]string{"a.txt", "b.txt", "c.txt", "!x.txt", "#x.txt", "{a,b}.txt"}))] = "text"
		}
		for _, folder := range []string{"", some(names), path.Join(some(names), some(names))} {
			var rules []string
			for range 1 + random.IntN(4) {
				rules = append(rules, some(patterns))
			}
			files[path.Join(folder, ".gitignore")] = strings.Join(rules, "\n") + "\n"
		}
		for name, content := range files {
			file := filepath.Join(root, filepath.FromSlash(name))
			if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, []byte(content), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		git(t, root, "init", "-q")
		var want []string
		for line := range strings.SplitSeq(strings.TrimRight(git(t, root, "ls-files", "-z", "--others", "--exclude-standard"), "\x00"), "\x00") {
			if !strings.HasSuffix(line, ".gitignore") && line != "" {
				want = append(want, line)
			}
		}
		got := found(t, Options{}, root)
		if slices.Sort(want); !slices.Equal(got, want) {
			t.Fatalf("round %d: found %q, git has %q, of %q", round, got, want, files)
		}
	}
}

func git(t *testing.T, folder string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = folder
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+os.DevNull)
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(args, err)
	}
	return string(out)
}

// found are the names of the sources in a folder, sorted.
func found(t *testing.T, o Options, root string) []string {
	t.Helper()
	run, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for s, err := range run.Sources(context.Background(), root) {
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, s.Name)
	}
	slices.Sort(names)
	return names
}

func TestIncludeExclude(t *testing.T) {
	root := tree(t, map[string]string{
		"a.md": "x", "b.txt": "x", "doc/c.md": "x", "doc/old/d.md": "x", "build/e.md": "x", "draft.md": "x",
		".gitignore": "build/\n", ".nsflignore": "draft.*\n", "vendor/modules.txt": "x", "vendor/x.md": "x", "sub/vendor/contract.md": "x",
	})
	for _, c := range []struct {
		o    Options
		want string
	}{
		{Options{}, "a.md b.txt doc/c.md doc/old/d.md sub/vendor/contract.md"},
		{Options{Include: []string{"*.md"}}, "a.md doc/c.md doc/old/d.md sub/vendor/contract.md"},
		{Options{Include: []string{"doc/**"}, Exclude: []string{"old"}}, "doc/c.md"},
		{Options{Exclude: []string{"doc/", "{a,b}.*"}}, "sub/vendor/contract.md"},
		{Options{NoIgnore: true, Include: []string{"*.md"}, Exclude: []string{"**/old/**", "sub"}}, "a.md build/e.md doc/c.md draft.md"},
	} {
		if got := strings.Join(found(t, c.o, root), " "); got != c.want {
			t.Errorf("%q without %q: %s", c.o.Include, c.o.Exclude, got)
		}
	}
	if _, err := New(Options{Include: []string{"[a"}}); err == nil {
		t.Error("a bracket that is not closed is no glob")
	}
}

// TestIgnoreAbove: the rules of a repository hold for a folder of it.
func TestIgnoreAbove(t *testing.T) {
	root := tree(t, map[string]string{".git/x": "x", ".gitignore": "/doc/b.md\n*.txt\n", "doc/a.md": "x", "doc/b.md": "x", "doc/c.txt": "x"})
	if got := found(t, Options{}, filepath.Join(root, "doc")); !slices.Equal(got, []string{"a.md"}) {
		t.Error(got)
	}
}

func TestStandardInput(t *testing.T) {
	read := func(o Options, content string, paths ...string) ([]string, error) {
		o.Stdin = strings.NewReader(content)
		run, err := New(o)
		if err != nil {
			return nil, err
		}
		var out []string
		for s, err := range run.Sources(context.Background(), paths...) {
			if err != nil {
				return out, err
			}
			if now, same, err := s.Compare(context.Background(), Fingerprint{}); s.Path == "-" && (same || err != nil || now != Fingerprint{}) {
				t.Error("it is never the same", now, same, err)
			}
			for d, err := range run.Documents(context.Background(), s) {
				if err != nil {
					return out, err
				}
				out = append(out, d.ID+": "+d.Text)
			}
		}
		return out, nil
	}
	for _, c := range []struct {
		o       Options
		content string
		want    string
	}{
		{Options{}, "Some text.", "stdin: Some text."},
		{Options{Name: "a/letter.md"}, "# Title\n\nText.", "a/letter.md: Text."},
		{Options{Type: "jsonl"}, `{"text":"One"}` + "\n" + `{"id":"x","text":"Two"}`, "stdin#1: One|x: Two"},
		{Options{Type: ".CSV", Name: "rows"}, "id,text\n7,Seven\n", "7: Seven"},
	} {
		if got, err := read(c.o, c.content, "-"); err != nil || strings.Join(got, "|") != c.want {
			t.Errorf("%+v: %q, %v", c.o, got, err)
		}
	}
	if _, err := New(Options{Type: "exe"}); err == nil || !strings.Contains(err.Error(), ".pdf") {
		t.Error(err)
	}
	if _, err := read(Options{}, "x", "-", "-"); err == nil {
		t.Error("it can be read once")
	}
	root := tree(t, map[string]string{"rows.log": `{"text":"One"}`})
	if got, err := read(Options{Type: "jsonl"}, "", filepath.Join(root, "rows.log")); err != nil || strings.Join(got, "|") != "rows.log#1: One" {
		t.Error(got, err)
	}
}
