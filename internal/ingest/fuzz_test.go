package ingest

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/nsfl-go/nsfl/passage"

	"github.com/nsfl-go/nsfl/engine"
)

// fuzzFormat reads whatever bytes as a file of that name: nothing panics, and what
// comes of it keeps the promises that do not depend on the format.
func fuzzFormat(f *testing.F, name string, seeds ...string) {
	files, err := filepath.Glob("testdata/golden/*" + filepath.Ext(name))
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(content)
	}
	for _, s := range seeds {
		f.Add([]byte(s))
	}
	for hostile, content := range hostileFiles(f, 2000) {
		if filepath.Ext(hostile) == filepath.Ext(name) {
			f.Add(content)
		}
	}
	fuzzAs(f, name, func(_ testing.TB, content []byte) []byte { return content })
}

// fuzzAs is fuzzFormat with the bytes wrapped by pack.
func fuzzAs(f *testing.F, name string, pack func(testing.TB, []byte) []byte) {
	f.Fuzz(func(t *testing.T, content []byte) {
		content = pack(t, content)
		skips := 0
		o := Options{Lengths: passage.Lengths{Min: 5, Max: 12}, limits: limits{file: 1 << 16, packed: 1 << 20, document: 1 << 15, passages: 1000, text: 1 << 16, parts: 1 << 14, time: time.Second}, Skip: func(Skip) { skips++ }}
		run, err := New(o)
		if err != nil {
			t.Fatal(err)
		}
		seen := map[string]bool{}
		for d, err := range run.From(context.Background(), name, strings.NewReader(string(content))) {
			if err != nil {
				t.Fatal(err)
			}
			if d.ID == "" || len(d.ID) > engine.MaxIDBytes || seen[d.ID] {
				t.Fatalf("the id %q is empty, too long, or there twice", d.ID)
			}
			seen[d.ID] = true
			checkDocument(t, d, o)
		}
		if one, _ := formatOf(name, true); one.rows == nil && len(seen)+skips != 1 {
			t.Fatalf("%d documents and %d skips of one file", len(seen), skips)
		}
	})
}

// defaultBudget returns the budget of a document without options.
func defaultBudget() *budget {
	return newBudget(context.Background(), limits{text: maxTextBytes, parts: maxTextParts, time: maxReadTime})
}

func checkDocument(t *testing.T, d engine.Document, o Options) {
	t.Helper()
	size := 2*len(d.Title) + len(d.Text) + len(d.Metadata)
	for _, p := range texts(d) {
		if size += len(p); strings.TrimSpace(p) == "" {
			t.Fatalf("%s: an empty passage", d.ID)
		}
	}
	all := strings.Join(append([]string{d.ID, d.Title, d.Text, string(d.Metadata)}, texts(d)...), "")
	switch {
	case !utf8.ValidString(all):
		t.Fatalf("%q is not valid UTF-8", all)
	case d.Title == "" && d.Text == "":
		t.Fatalf("%s is empty", d.ID)
	case (d.Text == "") != (len(d.Passages) == 0):
		t.Fatalf("%s has the text %q and %d passages", d.ID, d.Text, len(d.Passages))
	case size > o.limits.document || len(d.Passages) > o.limits.passages:
		t.Fatalf("%s: %d bytes and %d passages", d.ID, size, len(d.Passages))
	case passage.OneLine(d.Title) != d.Title:
		t.Fatalf("the title %q is not on one line", d.Title)
	}
	var object map[string]any
	if len(d.Metadata) > 0 && (json.Unmarshal(d.Metadata, &object) != nil || len(object) == 0) {
		t.Fatalf("the metadata %s are no object", d.Metadata)
	}
}

func FuzzText(f *testing.F) {
	fuzzFormat(f, "x.txt", "caf\xe9", "\xff\xfea\x00b\x00", "a\x00b\x00c\x00d\x00e\x00", "\uFEFF", "- a\n\n\n* b", "\u200B")
}

func FuzzMarkdown(f *testing.F) {
	fuzzFormat(f, "x.md", "---\na: [\n---\n", "---\ntitle: |\n  x\n---\n# h", "> - 1. x\n```\ncode", "<table><td>", "| a |\n|--|\n| b |", "[x]: y\n![a][x]", "&#0;&bogus;\\")
}

func FuzzPage(f *testing.F) {
	fuzzFormat(f, "x.html", "<ul><ul><li><table><tr><ul>", "<h1><p>x</h1><h1>", "<meta charset=utf-7>+AD0-", "<meta charset=iso-2022-jp>\x1b$B", "<frameset><noframes>x", "<pre><br>\n</pre>", "<svg><title>", "<table><caption><table>")
}

func FuzzTable(f *testing.F) {
	fuzzFormat(f, "x.csv", "a\tb\n\"", "text|id\n|\n", "text\n\"a\nb\"\"\"\n", "id,text\n1,\xe9t\xe9\n", ",,\n,,", "text,text\na,b")
}

func FuzzJSONLines(f *testing.F) {
	fuzzFormat(f, "x.jsonl", `{"text":"\ud800","id":1e5}`, `{"text":[],"passages":[""]}`, `{"metadata":[1],"title":"\u0000"}`, "null\n[]\n\"\"")
}

func FuzzJSON(f *testing.F) {
	fuzzFormat(f, "x.json", `[[]]`, `[1,`, `{}{`, `{"text":"a"}]`, `[{"id":-0,"title":3}]x`)
}

func FuzzGzip(f *testing.F) {
	fuzzFormat(f, "x.txt.gz", gzipped(f, "text"), gzipped(f, "")+gzipped(f, "more"), "\x1f\x8b")
}
