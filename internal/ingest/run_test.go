package ingest

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/passage"
)

// from reads content as if it were a file of that name.
func from(t testing.TB, o Options, name, content string) ([]engine.Document, []Skip) {
	t.Helper()
	var skips []Skip
	o.Skip = func(s Skip) { skips = append(skips, s) }
	run, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	var docs []engine.Document
	for d, err := range run.From(context.Background(), name, strings.NewReader(content)) {
		if err != nil {
			t.Fatal(err)
		}
		docs = append(docs, d)
	}
	return docs, skips
}

func gzipped(t testing.TB, content string) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write([]byte(content)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestGzip: compressed files read like the same files uncompressed.
func TestGzip(t *testing.T) {
	files, _ := filepath.Glob("testdata/golden/*")
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		name := filepath.Base(file)
		want, wantSkips := from(t, Options{}, name, string(content))
		docs, skips := from(t, Options{}, name+".gz", gzipped(t, string(content)))
		for i := range docs {
			docs[i].ID = strings.Replace(docs[i].ID, ".gz", "", 1)
		}
		if len(docs) == 0 || !reflect.DeepEqual(docs, want) || len(skips) != len(wantSkips) {
			t.Errorf("%s: %+v, %v", name, docs, skips)
		}
	}
}

// TestDamagedGzip: the content before the damage is read, and the rest is reported.
func TestDamagedGzip(t *testing.T) {
	var content strings.Builder
	for i := range 20000 {
		fmt.Fprintf(&content, `{"id":"%d","text":"row %x"}`+"\n", i, i*i*7919)
	}
	whole := gzipped(t, content.String())
	docs, skips := from(t, Options{}, "x.jsonl.gz", whole[:len(whole)/2])
	if len(docs) == 0 || len(docs) >= 20000 || len(skips) == 0 || skips[len(skips)-1].Kind != Malformed {
		t.Errorf("cut off: %d documents, %v", len(docs), skips)
	}
	broken := []byte(whole)
	broken[len(broken)/2] ^= 0xFF
	docs, skips = from(t, Options{}, "x.jsonl.gz", string(broken))
	if len(docs) == 0 || len(skips) == 0 {
		t.Errorf("broken: %d documents, %v", len(docs), skips)
	}
	if docs, skips = from(t, Options{}, "x.txt.gz", "not gzip"); len(docs) > 0 || len(skips) != 1 || skips[0].Kind != Malformed {
		t.Errorf("no gzip: %+v, %v", docs, skips)
	}
	bomb := gzipped(t, strings.Repeat("\n", 10<<20))
	if docs, skips = from(t, Options{limits: limits{file: 1 << 20}}, "x.md.gz", bomb); len(docs) > 0 || len(skips) != 1 || skips[0].Kind != TooLarge {
		t.Errorf("bomb: %+v, %v", docs, skips)
	}
}

// TestLimits has one file for each limit.
func TestLimits(t *testing.T) {
	long := strings.Repeat("word ", 200)
	for _, c := range []struct {
		name, file, content string
		o                   Options
		docs                int
		reason              string
	}{
		{"file", "x.txt", long, Options{limits: limits{file: 100}}, 0, "more than 100 bytes"},
		{"line", "x.jsonl", `{"text":"` + long + "\"}\n{\"text\":\"b\"}\n", Options{limits: limits{file: 100}}, 1, "the line has more than 100 bytes"},
		{"object", "x.json", `[{"text":"a"},{"text":"` + strings.Repeat(long, 30) + `"},{"text":"b"}]`, Options{limits: limits{file: 8000}}, 1, "reading stopped after row 1: a row is larger"},
		{"quoted row", "x.csv", "id,text\n1,\"a, b\"\n2,\"" + strings.Repeat(long, 30) + "\n", Options{limits: limits{file: 8000}}, 1, "reading stopped after row 1: a row is larger"},
		{"plain row", "x.tsv", "id\ttext\n1\t" + long + "\n2\tb\n", Options{limits: limits{file: 100}}, 1, "a row is larger"},
		{"document", "x.txt", long, Options{limits: limits{document: 500}}, 0, "at most 500 are possible"},
		{"document with passages", "x.txt", long, Options{limits: limits{document: 1500}}, 0, "at most 1500 are possible"},
		{"passages", "x.txt", long, Options{Lengths: passage.Lengths{Max: 10}, limits: limits{passages: 5}}, 0, "it has 20 passages, at most 5"},
		{"id", "x.jsonl", `{"id":"` + strings.Repeat("i", 1025) + `","text":"a"}`, Options{}, 0, "the id has 1025 bytes"},
		{"metadata", "x.jsonl", `{"text":"a","metadata":` + strings.Repeat(`{"a":`, 17) + "1" + strings.Repeat("}", 17) + "}\n{\"text\":\"b\"}\n", Options{}, 1, "nested more than 16 deep"},
	} {
		docs, skips := from(t, c.o, c.file, c.content)
		if len(docs) != c.docs || len(skips) != 1 || skips[0].Kind != TooLarge || !strings.Contains(skips[0].Reason, c.reason) {
			t.Errorf("%s: got %d documents, skips %v, want %d and %q", c.name, len(docs), skips, c.docs, c.reason)
		}
	}
}

func TestOptions(t *testing.T) {
	for _, l := range []passage.Lengths{{Max: -1}, {Min: 9, Max: 8}, {Max: 10000}} {
		if _, err := New(Options{Lengths: l}); err == nil {
			t.Errorf("%+v were accepted", l)
		}
	}
	if _, err := New(Options{Text: "\xFF"}); err == nil {
		t.Error("a column that is not UTF-8 was accepted")
	}
	for _, l := range []passage.Lengths{{}, {Min: 500}, {Max: 1}, {Min: 7, Max: 7}} {
		run, err := New(Options{Lengths: l})
		if err != nil || run.options.Lengths.Min < 1 || run.options.Lengths.Min > run.options.Lengths.Max {
			t.Errorf("%+v became %+v, %v", l, run, err)
		}
	}
}

// TestCancel: a context that ends in the middle ends the reading, with its error
// as the last thing, and breaking off yields nothing more.
func TestCancel(t *testing.T) {
	content := strings.Repeat("{\"text\":\"a\"}\n", 50000)
	for _, name := range []string{"x.jsonl", "x.json"} {
		run, _ := New(Options{})
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		n, failed := 0, error(nil)
		for _, err := range run.From(ctx, name, strings.NewReader(content)) {
			if failed != nil {
				t.Fatal("something follows the error")
			}
			if failed = err; err == nil {
				n++
			}
			if n == 100 {
				cancel()
			}
		}
		if n != 100 || !errors.Is(failed, context.Canceled) || !strings.Contains(failed.Error(), name) {
			t.Errorf("%s: %d documents, then %v", name, n, failed)
		}
		n = 0
		for range run.From(context.Background(), "y"+name, strings.NewReader(content)) {
			if n++; n == 5 {
				break
			}
		}
		if n != 5 {
			t.Errorf("%s: %d documents, not 5", name, n)
		}
	}
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	run, _ := New(Options{})
	for d, err := range run.From(ended, "x.txt", strings.NewReader("text")) {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("got %v and error %v, want context.Canceled", d, err)
		}
	}
	for _, err := range run.Sources(ended, "testdata") {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("sources: %v", err)
		}
	}
}

func TestFromNames(t *testing.T) {
	for name, want := range map[string]string{
		"notes": "notes", "main.go": "main.go", "a/b.txt": "a/b.txt", "": "", "\xFF.txt": "",
	} {
		docs, skips := from(t, Options{}, name, "Some text.")
		if want == "" && len(skips) != 1 || want != "" && (len(docs) != 1 || docs[0].ID != want) {
			t.Errorf("%q: %v, %v", name, docs, skips)
		}
	}
}

func TestSummary(t *testing.T) {
	var s Summary
	if s.String() != "" {
		t.Errorf("of nothing: %q", s.String())
	}
	for i := range 5 {
		s.Add(Skip{Path: "a.csv", Line: i + 2, Kind: Malformed, Reason: "odd"})
	}
	s.Add(Skip{Path: "b.bin", Kind: Unknown, Reason: "what"})
	want := "5 skipped, malformed:\n  a.csv, line 2: odd\n  a.csv, line 3: odd\n  a.csv, line 4: odd\n  and 2 more\n" +
		"1 skipped, unknown type: 1 .bin; name one to have it read as text\n"
	if s.String() != want {
		t.Errorf("got\n%s\nwant\n%s", s.String(), want)
	}
}
