package main

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl/internal/progress"
)

// session is what a new user may type, in a folder with some notes.
var session = [][]string{
	{},
	{"help"},
	{"help", "search"},
	{"help", "index"},
	{"search", "dog"},
	{"search", "-c", "col", "dog"},
	{"index", "notes", "-c", "collection"},
	{"info", "-c", "collection"},
	{"search", "-c", "collection", "roses", "AND", "NOT", "lavender"},
	{"search", "-c", "collection", "cake AND NOT nuts"},
	{"search", "-c", "collection", "-k", "1", "walks", "with", "a", "dog", "but", "without", "a", "ball"},
	{"search", "-c", "collection", "-k", "1", "--nl", "off", "dog and not ball"},
	{"search", "-c", "collection", "-k", "1", "--explain", "(roses OR bees) AND pruning AND NOT winter"},
	{"search", "-c", "collection", "-k", "2", "--plan", "dog AND NOT ball year:>=2000"},
	{"search", "-c", "collection", "--compare", "dog AND NOT ball"},
	{"search", "-c", "collection", "--why", "ridge", "dog AND NOT ball"},
	{"search", "-c", "collection", "--why", "rigde", "dog AND NOT ball"},
	{"search", "-c", "collection", "dog year:>2050"},
	{"search", "-c", "collection", "dog colour:red"},
	{"search", "-c", "collection", "-k", "1", "--facet", "year,source", "dog"},
	{"search", "-c", "collection", "-k", "1", "2 OF (dog, snow, plums)"},
	{"search", "-c", "colection", "dog"},
	{"search", "-c", "notes", "dog"},
	{"search", "-c", "collection", "--mode", "exat", "dog"},
	{"search", "-c", "collection", "--expain", "dog"},
	{"serch", "dog"},
}

// TestShell: what a person sees, on terminals of several widths and in a file. No line is
// longer than the terminal is wide, unless it is one word.
func TestShell(t *testing.T) {
	golden, err := filepath.Abs(filepath.Join("testdata", "shell"))
	if err != nil {
		t.Fatal(err)
	}
	for _, columns := range []string{"60", "80", "120", ""} {
		name := cmp.Or(columns, "file")
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.CopyFS(filepath.Join(dir, "notes"), os.DirFS(filepath.Join("testdata", "notes"))); err != nil {
				t.Fatal(err)
			}
			t.Chdir(dir)
			t.Setenv(columnsEnv, columns)
			got := ""
			for _, args := range session {
				code, out, errs := cli("", args...)
				got += fmt.Sprintf("$ nsfl %s\n%s%s[%d]\n\n", strings.Join(args, " "), steady(out), errs, code)
				fits(t, columns, out+errs)
			}
			path := filepath.Join(golden, name+".txt")
			matchGolden(t, path, got)
		})
	}
}

// fits reports lines that are longer than a terminal is wide, except commands to copy.
func fits(t *testing.T, columns, text string) {
	t.Helper()
	width := 0
	if _, err := fmt.Sscan(columns, &width); err != nil {
		return // it is a file
	}
	for line := range strings.Lines(text) {
		if line = strings.TrimRight(line, "\n"); progress.Columns(line) > width && len(strings.Fields(line)) > 1 && !strings.HasPrefix(line, "  nsfl ") {
			t.Errorf("%d of %d columns: %s", progress.Columns(line), width, line)
		}
	}
}

// changing is what differs from run to run and from machine to machine, with the lines that
// it is broken into.
var changing = []struct {
	text *regexp.Regexp
	as   string
}{
	{regexp.MustCompile(`(?m)^  took .*\n( {12}.*\n)*`), "  took      …\n"},
	{regexp.MustCompile(`files in\s+[0-9.]+ s`), "files in … s"},
	{regexp.MustCompile(`[0-9.]+ MB`), "… MB"},
	{regexp.MustCompile(`\d{4}-\d\d-\d\d\s+to\s+\d{4}-\d\d-\d\d`), "… to …"},
}

// steady is an output without that.
func steady(out string) string {
	for _, c := range changing {
		out = c.text.ReplaceAllString(out, c.as)
	}
	return out
}

// differences are the lines that only one of two texts has.
func differences(got, want string) string {
	var b strings.Builder
	a, c := strings.Split(got, "\n"), strings.Split(want, "\n")
	for _, line := range a {
		if !slices.Contains(c, line) {
			fmt.Fprintln(&b, "+", line)
		}
	}
	for _, line := range c {
		if !slices.Contains(a, line) {
			fmt.Fprintln(&b, "-", line)
		}
	}
	return b.String()
}

// TestStandardInput: formulas, ids and texts can be piped in.
func TestStandardInput(t *testing.T) {
	for _, args := range [][]string{{"search", "--demo", "-k", "1", "-"}, {"vector", "-"}, {"compile", "-"}} {
		code, out, errs := cli("dog\n  AND NOT ball\n", args...)
		if code != exitOK || !strings.Contains(out, "ball") {
			t.Errorf("nsfl %s: %d, %s%s", strings.Join(args, " "), code, out, errs)
		}
	}
	if code, _, errs := cli("\n", "delete", "-"); code != exitUsage || !strings.Contains(errs, "standard input has no lines") {
		t.Errorf("delete of nothing: got %d, %s, want a mistake in its use", code, errs)
	}
}

// matchGolden compares got with a golden file, which -update writes.
func matchGolden(t *testing.T, path, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("got another transcript than %s; -update writes it:\n%s", path, differences(got, string(want)))
	}
}
