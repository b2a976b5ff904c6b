package main

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// TestViewer: which program opens a file, and how it is told of the line. Whatever the file
// is called, it is one argument.
func TestViewer(t *testing.T) {
	odd := "/notes/$(reboot); 'a' \"b\" -x.md"
	for _, c := range []struct {
		file, system, visual, editor, pager string
		line                                int
		want                                []string
	}{
		{"/a.md", "linux", "", "vim", "less", 12, []string{"vim", "+12", "/a.md"}},
		{"/a.md", "linux", "emacsclient -nw", "vim", "less", 12, []string{"emacsclient", "-nw", "+12", "/a.md"}},
		{"/a.md", "linux", "", "/usr/bin/code -w", "", 12, []string{"/usr/bin/code", "-w", "--goto", "/a.md:12"}},
		{"/a.md", "linux", "", "hx", "", 12, []string{"hx", "/a.md:12"}},
		{"/a.md", "linux", "", "kate", "", 12, []string{"kate", "--line", "12", "/a.md"}},
		{"/a.md", "linux", "", "unheard-of", "", 12, []string{"unheard-of", "/a.md"}},
		{"/a.md", "linux", "", "vim", "", 0, []string{"vim", "/a.md"}},
		{"/a.md", "linux", "", "", "less -R", 3, []string{"less", "-R", "+3", "/a.md"}},
		{"/a.md", "linux", "", "", "", 3, []string{"xdg-open", "/a.md"}},
		{"/a.md", "darwin", "", "", "", 3, []string{"open", "-t", "/a.md"}},
		{"/a.bat", "windows", "", "", "", 3, []string{"notepad", "/a.bat"}},
		{"/a.PDF", "linux", "vim", "vim", "less", 0, []string{"xdg-open", "/a.PDF"}},
		{"/a.pdf", "darwin", "vim", "", "", 0, []string{"open", "/a.pdf"}},
		{"/a.pdf", "windows", "", "", "", 0, []string{"rundll32", "url.dll,FileProtocolHandler", "/a.pdf"}},
		{odd, "linux", "", "vim", "", 7, []string{"vim", "+7", odd}},
		{"-c:!reboot", "linux", "", "vim", "", 7, nil},
	} {
		if runtime.GOOS == "windows" {
			c.file = strings.ReplaceAll(c.file, "/", `C:\`)
		}
		env := map[string]string{"VISUAL": c.visual, "EDITOR": c.editor, "PAGER": c.pager}
		got, err := viewer(c.file, c.line, c.system, func(name string) string { return env[name] })
		if !slices.Equal(got, c.want) || (err == nil) != (c.want != nil) {
			t.Errorf("%s at %d: %q, %v; want %q", c.file, c.line, got, err, c.want)
		}
	}
}

// TestOpen: --open shows the file of a result where the passage is; what cannot be opened is
// said.
func TestOpen(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the editor is a script for sh")
	}
	dir, col := t.TempDir(), filepath.Join(t.TempDir(), "notes")
	name := "odd $(touch pwned) 'name'.md"
	text := "# Garden\n\nNothing of interest.\n\n## Roses\n\nPrune the roses in March.\n"
	for file, text := range map[string]string{name: text, "bees.md": "# Bees\n\nLavender.\n"} {
		if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	must(t, "index", dir, "-c", col, "--quiet")
	if code, _, errs := cli("An oak fell in the storm.", "index", "-", "-c", col, "--name", "storm", "--quiet"); code != exitOK {
		t.Fatal(errs)
	}
	opened := filepath.Join(t.TempDir(), "opened")
	editor := filepath.Join(t.TempDir(), "vim")
	script := "#!/bin/sh\nprintf '%s\\n' \"$@\" > '" + opened + "'\n"
	if err := os.WriteFile(editor, []byte(script), 0o777); err != nil {
		t.Fatal(err)
	}
	t.Setenv("VISUAL", "")
	t.Setenv("EDITOR", editor)
	for _, args := range [][]string{{"--open"}, {"--open", "1"}, {"--why", name, "--open"}, {"--fields", "nothing", "--open"}} {
		_ = os.Remove(opened)
		out := must(t, append([]string{"search", "-c", col, "roses AND pruning"}, args...)...)
		got, err := os.ReadFile(opened)
		place, _ := filepath.EvalSymlinks(filepath.Join(dir, name))
		if want := "+3\n" + place + "\n"; err != nil || string(got) != want {
			t.Errorf("%v: %v, opened %q, want %q after\n%s", args, err, got, want, out)
		}
	}
	if err := os.Remove(filepath.Join(dir, "bees.md")); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		want string
		args []string
	}{
		{"location of storm is not known", []string{"-c", col, "--open", "storm AND oak"}},
		{"bees.md is gone", []string{"-c", col, "--open", "bees"}},
		{"--open takes 1 to 2", []string{"-c", col, "--open", "3", "-k", "2", "bees"}},
		{"from 1, and", []string{"-c", col, "--open=-1", "bees"}},
		{"--open takes 2 to 3", []string{"-c", col, "--all", "--open", "1", "-k", "2", "--offset", "1", "bees"}},
		{"cannot be combined with --json", []string{"-c", col, "--open", "--json", "bees"}},
		{"nothing to open", []string{"-c", col, "--open", "bees year:3"}},
		{"came from no file", []string{"--demo", "--open", "dog"}},
	} {
		if code, _, errs := cli("", append([]string{"search"}, c.args...)...); code == exitOK || !strings.Contains(errs, c.want) {
			t.Errorf("%v: %d, %s, want %q", c.args, code, errs, c.want)
		}
	}
	t.Setenv("EDITOR", "/does/not/exist")
	if code, _, errs := cli("", "search", "-c", col, "--open", "roses AND pruning"); code != exitFailed || !strings.Contains(errs, "$VISUAL and $EDITOR name another") {
		t.Errorf("no such editor: %d, %s", code, errs)
	}
}
