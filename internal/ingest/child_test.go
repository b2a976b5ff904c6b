package ingest

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestMain also makes the test binary a child, with formats whose readers fail.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == ChildArgument {
		formats[".panics"] = &format{packed: func(*budget, []byte) (draft, error) { panic("a fault") }}
		formats[".grows"] = &format{packed: func(*budget, []byte) (draft, error) {
			var all [][]byte
			for {
				all = append(all, slices.Repeat([]byte("grows"), 1<<20))
				runtime.KeepAlive(all)
			}
		}}
		formats[".hangs"] = &format{packed: func(*budget, []byte) (draft, error) { select {} }}
		os.Exit(Child())
	}
	os.Exit(m.Run())
}

// readUpload returns the documents of a file and the skips, as read by a run.
func readUpload(t *testing.T, r *Run, name, content string) (read []string) {
	t.Helper()
	for d, err := range r.From(t.Context(), name, strings.NewReader(content)) {
		if err != nil {
			t.Fatal(err)
		}
		read = append(read, fmt.Sprintf("%s %q %s %v", d.ID, d.Title, d.Metadata, d.Passages))
	}
	return read
}

// TestChildReadsTheSame: a child reads each golden file as this process does.
func TestChildReadsTheSame(t *testing.T) {
	files, err := os.ReadDir("testdata/golden")
	if err != nil {
		t.Fatal(err)
	}
	var skips []string
	skip := func(s Skip) { skips = append(skips, s.String()) }
	here, err := New(Options{Skip: skip})
	if err != nil {
		t.Fatal(err)
	}
	there, err := New(Options{Skip: skip, Child: []string{os.Args[0], ChildArgument}})
	if err != nil {
		t.Fatal(err)
	}
	read := func(r *Run, name, content string) []string {
		skips = nil
		return append(readUpload(t, r, name, content), skips...)
	}
	for _, f := range files {
		content, err := os.ReadFile("testdata/golden/" + f.Name())
		if err != nil {
			t.Fatal(err)
		}
		if got, want := read(there, f.Name(), string(content)), read(here, f.Name(), string(content)); !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", f.Name(), got, want)
		}
	}
	for name, content := range map[string]string{"null.jsonl": `{"text":"a","passages":[]}`, "large.jsonl": `{"text":"a","n":12345678901234567890}`, "inf.md": "---\na: .inf\n---\nb", "none.csv": "id,text\n"} {
		if got, want := read(there, name, content), read(here, name, content); !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
	if got, want := read(there, "a.panics", ""), read(here, "a.panics", ""); slices.Equal(got, want) {
		t.Errorf("got %q, so no child has read them", got)
	}
}

// TestChildFails: files whose readers crash, allocate without end or hang are skipped, and the
// next file is read.
func TestChildFails(t *testing.T) {
	var skips []Skip
	r, err := New(Options{Skip: func(s Skip) { skips = append(skips, s) }, Child: []string{os.Args[0], ChildArgument}})
	if err != nil {
		t.Fatal(err)
	}
	for name, reason := range map[string]string{"a.panics": "its reader fails", "a.grows": "too much memory", "a.hangs": "takes more than"} {
		t.Run(name, func(t *testing.T) {
			if skips = nil; strings.HasSuffix(name, "hangs") {
				r.silence = 100 * time.Millisecond
			}
			if read := readUpload(t, r, name, "content"); read != nil || len(skips) != 1 || !strings.Contains(skips[0].Reason, reason) {
				t.Errorf("got %q and the skips %v, want one skip that says %q", read, skips, reason)
			}
			r.silence = childSilence
			if read := readUpload(t, r, "next.txt", "text"); len(read) != 1 {
				t.Errorf("the next file: got %q, want one document", read)
			}
		})
	}
}

// TestChildIsInterrupted: a done context ends a child that hangs.
func TestChildIsInterrupted(t *testing.T) {
	r, err := New(Options{Child: []string{os.Args[0], ChildArgument}})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(10*time.Millisecond, cancel)
	for _, err := range r.From(ctx, "a.hangs", strings.NewReader("content")) {
		if err == nil {
			t.Error("got no error, want an interruption")
		}
	}
}

// TestNoChild: without a child, this process reads.
func TestNoChild(t *testing.T) {
	r, err := New(Options{Child: []string{"/nothing/here"}})
	if err != nil {
		t.Fatal(err)
	}
	if read := readUpload(t, r, "a.txt", "text"); len(read) != 1 {
		t.Errorf("got %q, want one document", read)
	}
}
