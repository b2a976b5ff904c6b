package sets

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const knownPages = `{"_id":"branch","title":"git-branch","text":"Branches.\n\nMerging is elsewhere."}` + "\n" + `{"_id":"merge","title":"git-merge","text":"Merges."}` + "\n"

func TestOpenKnown(t *testing.T) {
	dir := write(t, map[string]string{
		"corpus.jsonl":      knownPages,
		"queries.dev.jsonl": `{"_id":"1","kind":"passing","sentence":"branches, not merge","formula":"branches AND NOT merge","targets":["branch"],"about_excluded":["merge"]}`,
	})
	if !IsKnown(dir, "dev") {
		t.Error("got no known-item set, want one")
	}
	s, err := OpenKnown(dir, "dev")
	if err != nil {
		t.Fatal(err)
	}
	q := s.Queries[0]
	if q.Template != "passing" || q.Grade("branch") != 1 || q.Grade("merge") != 0 || len(q.AboutExcluded) != 1 || q.AboutExcluded[0] != "merge" {
		t.Errorf("got the query %+v", q)
	}
	if docs := collect(t, s); len(docs) != 2 || docs[0].Text == "" || docs[0].Passages != nil {
		t.Errorf("got the documents %+v", docs)
	}
}

func TestOpenKnownErrors(t *testing.T) {
	for _, c := range []struct{ name, query, want string }{
		{"no targets", `{"_id":"1","kind":"a","sentence":"s","formula":"a"}`, "needs a kind, a sentence and targets"},
		{"no id", `{"kind":"a","sentence":"s","formula":"a","targets":["x"]}`, "is empty or used twice"},
		{"formula", `{"_id":"1","kind":"a","sentence":"s","formula":"(a","targets":["x"]}`, "query 1"},
		{"no JSON", `{`, "unexpected JSON"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := write(t, map[string]string{"corpus.jsonl": knownPages, "queries.dev.jsonl": c.query})
			if _, err := OpenKnown(dir, "dev"); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got error %v, want %q in it", err, c.want)
			}
		})
	}
}

func FuzzKnown(f *testing.F) {
	f.Add(`{"_id":"1","kind":"and","sentence":"both a and b","formula":"a AND b","targets":["x"],"about_excluded":[]}`)
	f.Add(`{"_id":"1","targets":[]}`)
	f.Fuzz(func(t *testing.T, text string) {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, queriesName("dev")), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		s, err := OpenKnown(dir, "dev")
		if err != nil {
			return
		}
		for _, q := range s.Queries {
			if q.ID == "" || q.Formula == "" || q.Text == "" || len(q.Ideal()) == 0 {
				t.Errorf("%q: got the query %+v", text, q)
			}
		}
	})
}
