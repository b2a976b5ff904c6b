package main

import (
	"bufio"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A server that a program holds ends, in peace, when that has gone.
func TestServeUntilEOF(t *testing.T) {
	input, holder := io.Pipe()
	r, w := io.Pipe()
	done := make(chan int)
	go func() {
		done <- run(t.Context(), []string{"serve", "--collections", t.TempDir(), "--listen", "127.0.0.1:0", "--log", "off", "--until-eof"}, input, w, t.Output())
	}()
	line, err := bufio.NewReader(r).ReadString('\n')
	if err != nil || !strings.HasPrefix(line, "nsfl serves http://127.0.0.1:") {
		t.Fatalf("it says %q: %v", line, err)
	}
	select {
	case code := <-done:
		t.Fatalf("it ended with %d while it was held", code)
	default:
	}
	holder.Close()
	if code := <-done; code != exitOK {
		t.Errorf("it ended with %d", code)
	}
}

// A collection, several of them and directories of collections are served, however they
// are named.
func TestServeDirectories(t *testing.T) {
	dir := t.TempDir()
	one, root, more := filepath.Join(dir, "one"), filepath.Join(dir, "root"), filepath.Join(dir, "more")
	note := filepath.Join(dir, "note.txt")
	if err := os.WriteFile(note, []byte("A note about dogs."), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []string{one, filepath.Join(root, "two"), filepath.Join(more, "three")} {
		must(t, "index", note, "-c", c)
	}
	for name, c := range map[string]struct {
		args []string
		want string
	}{
		"argument":            {[]string{one}, "one"},
		"-c":                  {[]string{"-c", one}, "one"},
		"--collections":       {[]string{"--collections", one}, "one"},
		"directory":           {[]string{root}, "two"},
		"several":             {[]string{root, one, more}, "one three two"},
		"flags and arguments": {[]string{"--collections", root, "-c", one}, "one two"},
	} {
		t.Run(name, func(t *testing.T) {
			input, holder := io.Pipe()
			r, w := io.Pipe()
			done := make(chan int)
			go func() {
				done <- run(t.Context(), append([]string{"serve", "--listen", "127.0.0.1:0", "--log", "off", "--until-eof"}, c.args...), input, w, t.Output())
			}()
			line, err := bufio.NewReader(r).ReadString('\n')
			if err != nil {
				t.Fatal(err)
			}
			address, _, _ := strings.Cut(strings.TrimPrefix(line, "nsfl serves "), ";")
			response, err := http.Get(address + "/v1/collections")
			if err != nil {
				t.Fatal(err)
			}
			defer response.Body.Close()
			var list struct{ Collections []struct{ Name string } }
			if err := json.NewDecoder(response.Body).Decode(&list); err != nil {
				t.Fatal(err)
			}
			var names []string
			for _, c := range list.Collections {
				names = append(names, c.Name)
			}
			slices.Sort(names)
			if got := strings.Join(names, " "); got != c.want {
				t.Errorf("collections: got %q, want %q", got, c.want)
			}
			holder.Close()
			if code := <-done; code != exitOK {
				t.Errorf("exit code: got %d, want %d", code, exitOK)
			}
		})
	}
	if code, _, errs := cli("", "serve", one, filepath.Join(more, "..", "one")); code != exitUsage || !strings.Contains(errs, "two collections are named one") {
		t.Errorf("the same collection twice: got code %d, %q", code, errs)
	}
}

// TestServeFiles: a folder of files is no directory of collections, and the error says what to do.
func TestServeFiles(t *testing.T) {
	for _, file := range []string{"page.md"} {
		dir := filepath.Join(t.TempDir(), "docs")
		if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(file)), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, file), []byte("A page."), 0o666); err != nil {
			t.Fatal(err)
		}
		code, _, errs := cli("", "serve", dir)
		if want := "nsfl index " + dir + " -c " + dir + "-nsfl"; code != exitUsage || !strings.Contains(errs, want) {
			t.Errorf("%s: got exit code %d, %q, want %d and %q", file, code, errs, exitUsage, want)
		}
	}
}

// With --log problems the log has what could not be answered, and nothing else.
func TestServeLogsProblems(t *testing.T) {
	input, holder := io.Pipe()
	r, w := io.Pipe()
	var log strings.Builder
	done := make(chan int)
	go func() {
		done <- run(t.Context(), []string{"serve", "--demo", "--listen", "127.0.0.1:0", "--log", "problems", "--until-eof"}, input, w, &log)
	}()
	line, err := bufio.NewReader(r).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	address, _, _ := strings.Cut(strings.TrimPrefix(line, "nsfl serves "), ";")
	for _, path := range []string{"/v1/collections", "/v1/collections/demo/backups"} { // of which it keeps none
		response, err := http.Get(address + path)
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
	}
	holder.Close()
	if code := <-done; code != exitOK {
		t.Errorf("it ended with %d", code)
	}
	if said := log.String(); strings.Count(said, "\n") != 1 || !strings.Contains(said, "level=ERROR") || !strings.Contains(said, "no backup repository") {
		t.Errorf("the log has %q", said)
	}
}
