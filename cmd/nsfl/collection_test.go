package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nsfl-go/nsfl/retrieve"
)

// childEnv makes the test's binary the command itself, for tests that need a process.
const childEnv = "NSFL_TEST_AS_COMMAND"

// TestMain keeps caches, and so the demo, away from the user's.
func TestMain(m *testing.M) {
	if os.Getenv(childEnv) != "" {
		main() // which ends the process
	}
	dir, err := os.MkdirTemp("", "nsfl-test-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	for _, name := range []string{"HOME", "XDG_CACHE_HOME", "LocalAppData"} {
		os.Setenv(name, dir)
	}
	os.Unsetenv(collectionEnv)
	os.Unsetenv(storeEnv)
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

// must runs a command line that has to succeed.
func must(t *testing.T, args ...string) string {
	t.Helper()
	code, out, errs := cli("", args...)
	if code != exitOK {
		t.Fatalf("nsfl %s exits with %d: %s", strings.Join(args, " "), code, errs)
	}
	return out
}

func answerOf(t *testing.T, args ...string) retrieve.Result {
	t.Helper()
	var a retrieve.Result
	var raw map[string]json.RawMessage
	out := must(t, append(args, "--json")...)
	if err := json.Unmarshal([]byte(out), &raw); err != nil {
		t.Fatal(err)
	}
	delete(raw, "timings_ms")
	rest, _ := json.Marshal(raw)
	if err := json.Unmarshal(rest, &a); err != nil {
		t.Fatal(err)
	}
	return a
}

func ids(a retrieve.Result) (out []string) {
	for _, h := range a.Hits {
		out = append(out, h.ID)
	}
	return out
}

// TestSearchDemo: the first thing a user tries: what is asked away is away, where
// plain retrieval has it first. The shipped profile lets a puppy with the shreds of a
// football pass, in ninth place.
func TestSearchDemo(t *testing.T) {
	balls := func(text string) bool {
		return strings.Contains(strings.ToLower(text), "ball") || strings.Contains(text, "fetch")
	}
	for _, x := range []struct {
		profile string
		most    int
	}{{"builtin", 1}, {"paper", 0}} {
		a := answerOf(t, "search", "--demo", "--compare", "--explain", "--profile", x.profile, "dog AND NOT ball")
		logic, plain := 0, 0
		for i, h := range a.Hits {
			if h.Explanation == nil {
				t.Errorf("%s is not explained", h.ID)
			}
			if balls(h.Title + " " + h.Snippet.Text) {
				logic++
				if i < 5 {
					t.Errorf("profile %s: %s is in place %d", x.profile, h.ID, i+1)
				}
			}
		}
		for _, h := range a.Plain {
			if balls(h.Title + " " + h.Text) {
				plain++
			}
		}
		if len(a.Hits) != 10 || logic > x.most || plain < 4 {
			t.Errorf("profile %s: with logic %d of %d hold a ball, %d of %d by plain retrieval", x.profile, logic, len(a.Hits), plain, len(a.Plain))
		}
		if a.Mode != retrieve.Exact || a.Reason == "" {
			t.Errorf("mode %s because %q", a.Mode, a.Reason)
		}
	}
}

func TestSearchOutput(t *testing.T) {
	out := must(t, "search", "--demo", "-k", "3", "--explain", "--plan", "dog AND NOT ball")
	for _, want := range []string{"dog AND NOT ball", "  1  +1.", "encoded   dog\n", "simple fusion", "encode ", "Δ ball | dog", "← dog 0."} {
		if !strings.Contains(out, want) {
			t.Errorf("there is no %q in\n%s", want, out)
		}
	}
	if strings.Contains(out, "\x1b[") {
		t.Error("there are colours without a terminal")
	}
	if out = must(t, "search", "--demo", "--color", "always", "dog"); !strings.Contains(out, "\x1b[1;33mdog") && !strings.Contains(out, "\x1b[1;33mDog") {
		t.Errorf("the atom's word is not marked in\n%s", out)
	}
	out = must(t, "search", "--demo", "--compare", "dog AND NOT ball")
	if !strings.Contains(out, "plain retrieval") || !strings.Contains(out, "gone │") || !strings.Contains(out, "was ") {
		t.Errorf("compared:\n%s", out)
	}
	a := answerOf(t, "search", "--demo", "--nl", "-k", "2", "dogs without a ball")
	if a.Query != "dogs without a ball" || a.Formula != "dogs AND NOT ball" || len(a.Understood) == 0 {
		t.Errorf("plain language: %+v", a)
	}
}

// TestSearchModes: a formula with a hard predicate, in every mode.
func TestSearchModes(t *testing.T) {
	for _, mode := range retrieve.ModeNames() {
		a := answerOf(t, "search", "--demo", "--mode", mode, "-k", "20", "comedy AND NOT romance kind:film year:>=1990")
		if len(a.Hits) != 20 {
			t.Errorf("%s: %d results", mode, len(a.Hits))
		}
		for _, h := range a.Hits {
			var m struct {
				Kind string
				Year int
			}
			if json.Unmarshal(h.Metadata, &m); m.Kind != "film" || m.Year < 1990 {
				t.Errorf("%s: %s has %s", mode, h.ID, h.Metadata)
			}
		}
	}
}

func TestCollectionMistakes(t *testing.T) {
	empty := t.TempDir()
	for _, c := range []struct {
		code int
		want string
		args []string
	}{
		{exitUsage, "expected an atom", []string{"search", "--demo", "dog AND ("}},
		{exitUsage, "no collection is named", []string{"search", "dog"}},
		{exitUsage, "unknown mode", []string{"search", "--demo", "--mode", "best", "dog"}},
		{exitUsage, "unknown pool", []string{"search", "--demo", "--pool", "big", "dog"}},
		{exitUsage, "unknown fusion", []string{"search", "--demo", "--fusion", "big", "dog"}},
		{exitUsage, "above 0", []string{"search", "--demo", "-k", "0", "dog"}},
		{exitUsage, "two collections", []string{"search", "--demo", "-c", empty, "dog"}},
		{exitFailed, "there is no collection in", []string{"search", "-c", filepath.Join(empty, "none"), "dog"}},
		{exitFailed, "not a collection", []string{"search", "-c", empty, "dog"}},
		{exitFailed, "nothing to rank by", []string{"search", "--demo", "kind:film"}},
		{exitFailed, "reads no pictures", []string{"search", "--demo", "image:cat.png"}},
		{exitFailed, "no such document", []string{"search", "--demo", "like:nobody"}},
		{exitFailed, "unknown encoder", []string{"search", "--demo", "--encoder", "mystery", "dog"}},
		{exitFailed, "nsfl model pull", []string{"encode", "--encoder", "all-MiniLM-L6-v2", "dog"}},
		{exitFailed, "no such file", []string{"index", filepath.Join(empty, "none"), "-c", filepath.Join(empty, "c1")}},
		{exitUsage, "reads no pictures", []string{"index", empty, "--pictures", "-c", filepath.Join(empty, "c2")}},
		{exitFailed, "not a collection", []string{"info", "-c", empty}},
		{exitFailed, "not a collection", []string{"verify", "-c", empty}},
		{exitUsage, "takes one file", []string{"export", "-c", empty}},
		{exitUsage, "unknown flag", []string{"search", "--demo", "--explian", "dog"}},
	} {
		code, out, errs := cli("", c.args...)
		if code != c.code || !strings.Contains(errs, c.want) || out != "" && c.args[0] != "index" {
			t.Errorf("nsfl %s: exits with %d and says %q, want %d and %q", strings.Join(c.args, " "), code, errs, c.code, c.want)
		}
		if strings.Contains(errs, "goroutine") || strings.Contains(errs, ".go:") {
			t.Errorf("nsfl %s shows its insides: %s", strings.Join(c.args, " "), errs)
		}
	}
}

// TestIndex: a folder of notes: indexed, left alone when unchanged, brought up to date
// when not.
func TestIndex(t *testing.T) {
	dir, col := t.TempDir(), filepath.Join(t.TempDir(), "notes")
	write := func(name, text string) {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("garden/roses.md", "# Roses\n\nPrune the roses in March, before the buds swell.\n")
	write("garden/bees.md", "# Bees\n\nThe bees come to the lavender first.\n")
	write("house.txt", "The boiler needs a new valve.")
	write("shop.csv", "id,name,text\n1,Lamp,A lamp of brass\n2,Chair,A chair of oak\n")
	write("picture.bin", "\x00\x01")
	run := func(args ...string) (x indexed) {
		t.Helper()
		if err := json.Unmarshal([]byte(must(t, append([]string{"index", dir, "-c", col, "--json"}, args...)...)), &x); err != nil {
			t.Fatal(err)
		}
		return x
	}
	if x := run(); x.Documents != 5 || x.Files != 4 || len(x.Skipped) != 1 || x.Skipped[0].Reason == "" {
		t.Errorf("first: %+v", x)
	}
	if x := run(); x.Documents != 0 || x.Unchanged != 4 {
		t.Errorf("again: %+v", x)
	}
	if a := answerOf(t, "search", "-c", col, "-k", "1", "flowers AND pruning"); ids(a)[0] != "garden/roses.md" || a.Hits[0].Title != "Roses" {
		t.Errorf("found %v", ids(a))
	}
	if a := answerOf(t, "search", "-c", col, "furniture source:shop.csv"); len(a.Hits) != 2 {
		t.Errorf("by source: %v", ids(a))
	}
	write("garden/roses.md", "# Roses\n\nWater the tulips instead.\n")
	write("shop.csv", "id,name,text\n2,Chair,A chair of beech\n")
	if err := os.Remove(filepath.Join(dir, "house.txt")); err != nil {
		t.Fatal(err)
	}
	if x := run(); x.Documents != 2 || x.Unchanged != 1 || x.Removed != 1 {
		t.Errorf("after changes: %+v", x)
	}
	if x := run("--prune"); x.Documents != 0 || x.Removed != 1 {
		t.Errorf("pruned: %+v", x)
	}
	a := answerOf(t, "search", "-c", col, "-k", "100", "anything")
	got := ids(a)
	slices.Sort(got)
	if !slices.Equal(got, []string{"2", "garden/bees.md", "garden/roses.md"}) {
		t.Errorf("in the end: %v", got)
	}
	if out := must(t, "info", "-c", col); !strings.Contains(out, "documents   3, from 3 files") || !strings.Contains(out, "encoder     builtin") {
		t.Errorf("info:\n%s", out)
	}
	if out := must(t, "verify", "-c", col); !strings.HasPrefix(out, "3 documents, ") {
		t.Errorf("verify:\n%s", out)
	}
	if out := must(t, "delete", "-c", col, "2", "nobody"); out != "1 of 2 documents deleted\n" {
		t.Errorf("delete: %s", out)
	}
	if out := must(t, "compact", "-c", col); !strings.Contains(out, "MB") {
		t.Errorf("compact: %s", out)
	}
}

// TestIndexInterrupted: a thousand files, interrupted on the way, and then completed.
func TestIndexInterrupted(t *testing.T) {
	if testing.Short() {
		t.Skip("a thousand files")
	}
	dir, col := t.TempDir(), filepath.Join(t.TempDir(), "notes")
	for i := range 1000 {
		text := fmt.Sprintf("# Note %d\n\nThe %s of %s was mentioned on page %d.\n", i,
			[]string{"history", "price", "colour", "weight"}[i%4], []string{"tea", "iron", "silk", "salt", "paper"}[i%5], i)
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("note-%04d.md", i)), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var out strings.Builder
	done := make(chan int)
	go func() { done <- run(ctx, []string{"index", dir, "-c", col}, strings.NewReader(""), &out, &out) }()
	for { // until the first batch is on the disk
		code, info, _ := cli("", "info", "-c", col, "--json")
		if code == exitOK && !strings.Contains(info, `"documents": 0`) {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	cancel()
	if code := <-done; code == exitOK {
		t.Log("it was done before it could be interrupted")
	} else if !strings.Contains(out.String(), "goes on from there") {
		t.Errorf("interrupted: %s", out.String())
	}
	var x indexed
	if err := json.Unmarshal([]byte(must(t, "index", dir, "-c", col, "--json")), &x); err != nil {
		t.Fatal(err)
	}
	if x.Documents+x.Unchanged != 1000 || x.Unchanged < 256 {
		t.Errorf("completed: %+v", x)
	}
	a := answerOf(t, "search", "-c", col, "-k", "200", "silk AND price")
	if a.Documents != 1000 {
		t.Errorf("%d documents", a.Documents)
	}
	for i, h := range a.Hits[:20] {
		if !strings.Contains(h.Snippet.Text, "silk") || !strings.Contains(h.Snippet.Text, "price") {
			t.Errorf("rank %d: %s", i+1, h.Snippet.Text)
		}
	}
}

// TestIndexTwoFolders: the documents of one folder neither replace those of another in
// silence nor are removed with them.
func TestIndexTwoFolders(t *testing.T) {
	two, col := t.TempDir(), filepath.Join(t.TempDir(), "c")
	for _, folder := range []string{"a", "b"} {
		if err := os.Mkdir(filepath.Join(two, folder), 0o777); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"index.md", folder + ".md"} {
			if err := os.WriteFile(filepath.Join(two, folder, name), []byte("# "+folder+"\n\nThe page of "+folder+".\n"), 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
	a, b := filepath.Join(two, "a"), filepath.Join(two, "b")
	documents := func() []string {
		got := ids(answerOf(t, "search", "-c", col, "--all-copies", "-k", "100", "page"))
		slices.Sort(got)
		return got
	}
	must(t, "index", a, "-c", col)
	code, _, errs := cli("", "index", b, "-c", col)
	if code != exitFailed || !strings.Contains(errs, filepath.Join(a, "index.md")) || !strings.Contains(errs, "nothing was read") {
		t.Errorf("another folder with the same names: %d, %s", code, errs)
	}
	if got := documents(); !slices.Equal(got, []string{"a.md", "index.md"}) {
		t.Errorf("after the refusal there are %q", got)
	}
	if err := os.Remove(filepath.Join(b, "index.md")); err != nil {
		t.Fatal(err)
	}
	must(t, "index", b, "-c", col, "--prune") // what is in a stays
	if got := documents(); !slices.Equal(got, []string{"a.md", "b.md", "index.md"}) {
		t.Errorf("after pruning another folder there are %q", got)
	}
	if err := os.Remove(filepath.Join(a, "a.md")); err != nil {
		t.Fatal(err)
	}
	must(t, "index", b, "-c", col, "--prune")
	if got := documents(); len(got) != 3 {
		t.Errorf("what is gone elsewhere was removed: %q", got)
	}
	must(t, "index", a, "-c", col, "--prune")
	if got := documents(); !slices.Equal(got, []string{"b.md", "index.md"}) {
		t.Errorf("after pruning there are %q", got)
	}
	// A folder that has moved is the same one.
	moved := filepath.Join(two, "moved")
	if err := os.Rename(a, moved); err != nil {
		t.Fatal(err)
	}
	must(t, "index", moved, "-c", col)
}
