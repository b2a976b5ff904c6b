package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

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
	for _, name := range []string{"HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "LocalAppData", "AppData"} {
		os.Setenv(name, dir)
	}
	os.Unsetenv(collectionEnv)
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
// plain retrieval has it first. A puppy with the shreds of a football passes: in seventh place
// with the shipped profile, in fifth with the paper's, which does not read words.
func TestSearchDemo(t *testing.T) {
	balls := func(text string) bool {
		return strings.Contains(strings.ToLower(text), "ball") || strings.Contains(text, "fetch")
	}
	for _, x := range []struct {
		profile string
		first   int // place of the first ball, from 0
	}{{"builtin", 6}, {"paper", 4}} {
		a := answerOf(t, "search", "--demo", "--compare", "--explain", "--profile", x.profile, "dog AND NOT ball")
		logic, plain := 0, 0
		for i, h := range a.Hits {
			if h.Explanation == nil {
				t.Errorf("%s is not explained", h.ID)
			}
			if balls(h.Title + " " + h.Snippet.Text) {
				logic++
				if i < x.first {
					t.Errorf("profile %s: %s is in place %d", x.profile, h.ID, i+1)
				}
			}
		}
		for _, h := range a.Plain {
			if balls(h.Title + " " + h.Text) {
				plain++
			}
		}
		if len(a.Hits) != 10 || logic > 1 || plain < 4 {
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
	a := answerOf(t, "search", "--demo", "--nl", "rules", "-k", "2", "dogs without a ball")
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
		{exitUsage, "unknown pool", []string{"compile", "--demo", "--pool", "big", "dog"}},
		{exitUsage, "unknown fusion", []string{"eval", "--fusion", "big"}},
		{exitUsage, "above 0", []string{"search", "--demo", "-k", "0", "dog"}},
		{exitUsage, "two collections", []string{"search", "--demo", "-c", empty, "dog"}},
		{exitFailed, "there is no collection in", []string{"search", "-c", filepath.Join(empty, "none"), "dog"}},
		{exitFailed, "there is no collection in", []string{"search", "-c", empty, "dog"}},
		{exitFailed, "nsfl index testdata -c testdata-nsfl", []string{"search", "-c", "testdata", "dog"}},
		{exitFailed, "nothing to rank by", []string{"search", "--demo", "kind:film"}},
		{exitFailed, "reads no pictures", []string{"search", "--demo", "image:cat.png"}},
		{exitFailed, "no such document", []string{"search", "--demo", "like:nobody"}},
		{exitFailed, "unknown encoder", []string{"search", "--demo", "--encoder", "mystery", "dog"}},
		{exitFailed, "nsfl model pull", []string{"vector", "--encoder", "all-MiniLM-L6-v2", "dog"}},
		{exitFailed, "no such file", []string{"index", filepath.Join(empty, "none"), "-c", filepath.Join(empty, "c1")}},
		{exitUsage, "does not read pictures", []string{"index", empty, "--pictures", "-c", filepath.Join(empty, "c2")}},
		{exitFailed, "there is no collection in", []string{"info", "-c", empty}},
		{exitFailed, "not a collection", []string{"verify", "-c", empty}},
		{exitUsage, "takes one file", []string{"export", "-c", empty}},
		{exitUsage, "did you mean --explain?", []string{"search", "--demo", "--explian", "dog"}},
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
