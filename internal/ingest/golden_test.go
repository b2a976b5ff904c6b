package ingest

import (
	"context"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/passage"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// collect reads everything in paths.
func collect(t testing.TB, o Options, paths ...string) ([]engine.Document, []Skip) {
	t.Helper()
	var skips []Skip
	o.Skip = func(s Skip) { skips = append(skips, s) }
	run, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	var docs []engine.Document
	for s, err := range run.Sources(context.Background(), paths...) {
		if err != nil {
			t.Fatal(err)
		}
		for d, err := range run.Documents(context.Background(), s) {
			if err != nil {
				t.Fatal(err)
			}
			docs = append(docs, d)
		}
	}
	return docs, skips
}

// TestGolden reads each file of testdata/golden and compares its documents with
// the file of the same name in testdata/want.
func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/golden/*")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			docs, skips := collect(t, Options{Lengths: passage.Lengths{Min: 26, Max: 78}}, file)
			got := render(t, docs, skips)
			want := filepath.Join("testdata", "want", filepath.Base(file)+".txt")
			if *update {
				if err := os.WriteFile(want, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			content, err := os.ReadFile(want)
			if err != nil {
				t.Fatal(err)
			}
			if got != string(content) {
				t.Errorf("reading %s is not as in %s (-update rewrites it):\n%s", file, want, got)
			}
		})
	}
}

// texts are those of a document's passages.
func texts(d engine.Document) (out []string) {
	for _, p := range d.Passages {
		out = append(out, p.Text)
	}
	return out
}

func render(t *testing.T, docs []engine.Document, skips []Skip) string {
	var b strings.Builder
	for _, d := range docs {
		b.WriteString("id: " + d.ID + "\ntitle: " + d.Title + "\nmetadata: " + string(d.Metadata) + "\n")
		if len(d.Metadata) > 0 && !json.Valid(d.Metadata) {
			t.Errorf("%s: the metadata is no JSON: %s", d.ID, d.Metadata)
		}
		if len(d.Passages) == 1 && d.Passages[0].Text == d.Text {
			b.WriteString("--- text, one passage\n" + d.Text + "\n")
		} else {
			b.WriteString("--- text\n" + d.Text + "\n")
			for _, p := range d.Passages {
				b.WriteString(strings.TrimSuffix("--- passage: "+p.Place.String(), ": ") + "\n" + p.Text + "\n")
			}
		}
		b.WriteString("=====\n")
	}
	for _, s := range skips {
		s.Path = filepath.ToSlash(s.Path)
		b.WriteString("skipped, " + string(s.Kind) + ": " + s.String() + "\n")
	}
	return b.String()
}
