package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestDocumentedCommands: every nsfl command in README.md and doc/ runs; where a text
// block follows the commands, it is what they print.
func TestDocumentedCommands(t *testing.T) {
	// They run in a copy, since some of them write.
	dir := t.TempDir()
	if err := os.CopyFS(filepath.Join(dir, "doc"), os.DirFS("../../doc")); err != nil {
		t.Fatal(err)
	}
	readme, err := os.ReadFile("../../README.md")
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "README.md"), readme, 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	files, err := filepath.Glob("doc/*.md")
	if err != nil {
		t.Fatal(err)
	}
	ran := 0
	for _, file := range append(files, "README.md") {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		printed := ""
		for _, b := range codeBlocks(string(data)) {
			switch b.language {
			case "sh":
				printed = ""
				for line := range strings.Lines(b.body) {
					words, ok := commandLine(line)
					if !ok {
						continue
					}
					ran++
					code, out, errs := cli("", words...)
					if code != exitOK {
						t.Errorf("%s: %s exits with %d: %s", file, strings.TrimSpace(line), code, errs)
					}
					printed += out
				}
			case "text":
				if printed != "" && b.body != printed {
					t.Errorf("%s shows\n%s\nbut the commands before it print\n%s", file, b.body, printed)
				}
				printed = ""
			}
		}
	}
	if ran < 15 {
		t.Errorf("only %d commands found", ran)
	}
}

type codeBlock struct{ language, body string }

func codeBlocks(markdown string) (out []codeBlock) {
	parts := strings.Split(markdown, "```")
	for i := 1; i < len(parts); i += 2 {
		language, body, _ := strings.Cut(parts[i], "\n")
		out = append(out, codeBlock{language, body})
	}
	return out
}

// commandLine takes an nsfl command apart as a shell would; single quotes are
// all the quoting that the documentation uses.
func commandLine(line string) (words []string, ok bool) {
	rest, ok := strings.CutPrefix(strings.TrimSpace(line), "go run ./cmd/nsfl ")
	if !ok {
		return nil, false
	}
	for i, part := range strings.Split(rest, "'") {
		if i%2 == 1 {
			words = append(words, part)
		} else {
			words = append(words, strings.Fields(part)...)
		}
	}
	return words, true
}
