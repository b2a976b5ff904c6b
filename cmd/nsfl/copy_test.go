package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/index"
	"github.com/nsfl-go/nsfl/logic"
	"github.com/nsfl-go/nsfl/retrieve"
)

// made is a collection of n documents that no encoder is needed for.
func made(t *testing.T, dir, encoder string, n int) {
	t.Helper()
	ctx := context.Background()
	c, err := index.OpenOrCreate(ctx, dir, index.Options{Dimension: 8, Encoder: encoder})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	docs := make([]engine.Document, n)
	for i := range docs {
		docs[i] = engine.Document{ID: fmt.Sprint("id-", i), Text: fmt.Sprint("text ", i), Vector: []float32{1, float32(i), 0, 3, 0, 0, 0.1, 7}}
	}
	if err := c.Upsert(ctx, docs); err != nil {
		t.Fatal(err)
	}
}

func TestCopy(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	made(t, at("a"), "x", 700)
	out := must(t, "copy", at("a"), at("b"))
	if !strings.HasPrefix(out, at("b")+": 700 documents copied from "+at("a")) || !strings.Contains(out, "both have the checksum ") {
		t.Errorf("copy: %s", out)
	}
	must(t, "delete", "-c", at("a"), "id-3")
	code, _, errs := cli("", "copy", at("a"), at("b"))
	if code != exitFailed || !strings.Contains(errs, `the source has 699 documents, the target 700`) {
		t.Errorf("more in the target: got %d, %s, want a difference", code, errs)
	}
	must(t, "delete", "-c", at("b"), "id-3")
	if out := must(t, "copy", at("a"), at("b")); !strings.Contains(out, "699 documents copied") {
		t.Errorf("copied again: got %s, want 699 documents", out)
	}
	if err := os.Symlink(at("a"), at("link")); err != nil {
		t.Fatal(err)
	}
	made(t, at("other"), "y", 1)
	made(t, at("own"), "x", 1)
	if err := os.Mkdir(at("foreign"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(at("foreign"), "letter.txt"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		code     int
		from, to string
		want     string
	}{
		{exitUsage, at("a"), at("a"), "the same collection"},
		{exitUsage, at("a"), at("link"), "the same collection"},
		{exitUsage, at("a"), at("a") + "/.", "the same collection"},
		{exitFailed, at("none"), at("new"), "not a collection"},
		{exitFailed, at("a"), at("other"), `was made with encoder "y", not with "x"`},
		{exitFailed, at("a"), at("own"), "holds 1 documents that no copy has stored there"},
		{exitFailed, at("own"), at("b"), "holds a copy of " + at("a")},
		{exitFailed, at("a"), at("foreign"), "contains other files"},
	} {
		code, out, errs := cli("", "copy", c.from, c.to)
		if code != c.code || !strings.Contains(errs, c.want) || out != "" {
			t.Errorf("nsfl copy %s %s: exits with %d and says %q, want %d and %q", c.from, c.to, code, errs, c.code, c.want)
		}
	}
	if _, err := os.Stat(at("new")); err == nil {
		t.Error("a target was made for a source that is not there")
	}
}

// TestPrintDegraded: a result that a part of the store is missing from says so.
func TestPrintDegraded(t *testing.T) {
	var b bytes.Buffer
	p := &printer{terminal: newTerminal(&b, "never"), result: &retrieve.Result{
		Formula: "dog AND NOT ball", Mode: retrieve.Hybrid, Degraded: []string{"node n2 with shard 3 does not answer"},
		Hits: []retrieve.Hit{{Rank: 1, ID: "a", Explanation: &logic.Explanation{}}},
	}}
	p.head()
	if !strings.Contains(b.String(), "\nincomplete: node n2 with shard 3 does not answer\n") {
		t.Errorf("got %s, want a line that says what is incomplete", b.String())
	}
	// Nothing to show side by side.
	if out := must(t, "search", "--demo", "--compare", "--explain", "dog kind:nothing"); !strings.Contains(out, "no documents match the filter kind:nothing") {
		t.Errorf("got %s, want it to say that no documents match", out)
	}
}
