package doc

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestKnown checks that the questions ask for sections that exist.
func TestKnown(t *testing.T) {
	dir := t.TempDir()
	if err := WriteKnown(dir); err != nil {
		t.Fatal(err)
	}
	ids := map[string]bool{}
	each(t, dir, "corpus.jsonl", func(p page) {
		if ids[p.ID] {
			t.Errorf("two sections have the id %s", p.ID)
		}
		ids[p.ID] = true
	})
	if len(ids) < 50 {
		t.Errorf("got %d sections, want at least 50", len(ids))
	}
	type question struct {
		ID      string   `json:"_id"`
		Targets []string `json:"targets"`
		About   []string `json:"about_excluded"`
	}
	each(t, dir, "queries.dev.jsonl", func(q question) {
		for _, id := range append(q.Targets, q.About...) {
			if !ids[id] {
				t.Errorf("%s names the section %s, which does not exist", q.ID, id)
			}
		}
	})
}

func each[T any](t *testing.T, dir, name string, do func(T)) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		var v T
		if err := json.Unmarshal([]byte(line), &v); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		do(v)
	}
}

func TestSections(t *testing.T) {
	got := sections("f", "# Top\nintro\n## One, two\na\n```\n# no heading\n```\n### Three\nb\n")
	want := []page{
		{"f", "Top", "intro\n"},
		{"f/one-two", "Top: One, two", "a\n```\n# no heading\n```\n"},
		{"f/three", "Top: Three", "b\n"},
	}
	if len(got) != len(want) {
		t.Fatalf("got %q, want %q", got, want)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("got %q, want %q", got[i], want[i])
		}
	}
}
