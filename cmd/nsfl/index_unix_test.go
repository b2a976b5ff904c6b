//go:build unix

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode"
)

// TestIndexKilled: a process that is killed again and again gets on, and what it leaves
// is sound.
func TestIndexKilled(t *testing.T) {
	if testing.Short() {
		t.Skip("kills processes")
	}
	var text strings.Builder
	for i := range 400 {
		fmt.Fprintf(&text, "{\"id\": \"%d\", \"text\": \"The page of row %d.\"}\n", i, i)
	}
	col, dir := filepath.Join(t.TempDir(), "c"), tree(t, map[string]string{"rows.jsonl": text.String(), "a.md": "A page."})
	for i := range 8 {
		cmd := exec.Command(os.Args[0], "index", dir, "-c", col, "--quiet")
		cmd.Env = append(os.Environ(), childEnv+"=1")
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(100+90*i) * time.Millisecond)
		_ = cmd.Process.Kill() // it may have ended
		_ = cmd.Wait()
		if _, err := os.Stat(col); err == nil {
			must(t, "verify", "-c", col)
		}
	}
	x := indexed(t, dir, "-c", col)
	t.Logf("in the end: %+v", x)
	if out := must(t, "info", "-c", col); !strings.Contains(out, "documents   401, from 2 files") {
		t.Errorf("%+v:\n%s", x, out)
	}
	if x := indexed(t, dir, "-c", col); x.Unchanged != 2 {
		t.Errorf("again: %+v", x)
	}
}

// TestControlCharacters: what a file is called and what it says moves no cursor.
func TestControlCharacters(t *testing.T) {
	const evil = "a\x1b]0;title\x07\u009b2J\rb\n"
	dir := tree(t, map[string]string{evil + ".md": "# " + evil + "\n\nA dog " + evil + "without a leash.", evil + ".bin": "\x00\x01\x02"})
	col := filepath.Join(t.TempDir(), "c")
	for _, args := range [][]string{
		{"index", dir, "-c", col}, {"index", dir, "-c", col, "--json"}, {"info", "-c", col}, {"verify", "-c", col},
		{"search", "-c", col, "dog"}, {"search", "-c", col, "dog", "--explain"}, {"search", "-c", col, "dog", "--json"},
		{"search", "-c", col, "dog", "--compare"}, {"export", "-c", col}, {"delete", "-c", col, evil},
		{"index", filepath.Join(dir, evil), "-c", col},
	} {
		_, stdout, stderr := cli("", args...)
		for _, r := range stdout + stderr {
			if unicode.IsControl(r) && r != '\n' && r != '\t' {
				t.Errorf("%q writes %q:\n%q\n%q", args, r, stdout, stderr)
				break
			}
		}
	}
}
