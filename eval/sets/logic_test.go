package sets

import (
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl/internal/frozen"
	"github.com/nsfl-go/nsfl/query"
)

// relevant lists the relevant documents of the query with the given id.
func relevant(t *testing.T, s *Set, id string) string {
	t.Helper()
	i := slices.IndexFunc(s.Queries, func(q Query) bool { return q.ID == id })
	if i < 0 {
		t.Fatalf("no query %q", id)
	}
	var out []string
	for doc, grade := range s.Queries[i].Relevant() {
		if s.Queries[i].Grade(doc) != grade {
			t.Errorf("query %s: document %s has the grades %d and %d", id, doc, grade, s.Queries[i].Grade(doc))
		}
		out = append(out, doc)
	}
	return strings.Join(out, " ")
}

func collect(t *testing.T, s *Set) []Document {
	t.Helper()
	var out []Document
	for d, err := range s.Documents {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, d)
	}
	return out
}

func TestOpenLogic(t *testing.T) {
	splits, err := splits("testdata/animals")
	if err != nil || !slices.Equal(splits, []string{"dev", "test"}) {
		t.Fatalf("got splits %q, %v", splits, err)
	}
	s, err := OpenLogic("testdata/animals", "dev")
	if err != nil {
		t.Fatal(err)
	}
	if s.Name != "animals" || s.Split != "dev" || len(s.Queries) != 6 {
		t.Errorf("got %s, %s with %d queries", s.Name, s.Split, len(s.Queries))
	}
	for id, want := range map[string]string{
		"d0": "rex bello",
		"d1": "rex bello",
		"d2": "rex",
		"d3": "tom bello",
		"d4": "void",
		"d5": "fido tom",
	} {
		if got := relevant(t, s, id); got != want {
			t.Errorf("query %s: got relevant documents %q, want %q", id, got, want)
		}
	}
	q := s.Queries[1]
	if q.Template != "A AND NOT B" || q.Formula != "dogs AND NOT leashes" || q.Truth != "dog AND NOT leash" {
		t.Errorf("got %+v", q)
	}
	if q.Grade("fido") != 0 || q.Grade("nobody") != 0 || !slices.Equal(q.Ideal(), []int{1, 1}) {
		t.Errorf("got grades %d and %d, ideal %v", q.Grade("fido"), q.Grade("nobody"), q.Ideal())
	}
	if want := []string{`query d5: no document has the label "unicorn"`}; !slices.Equal(s.Warnings, want) {
		t.Errorf("the warnings are %q, want %q", s.Warnings, want)
	}
	docs := collect(t, s)
	if len(docs) != 5 || docs[1].Title != "Fido" || string(docs[1].Metadata) != `{"year": 2019}` || docs[0].Passages[1] != "It has no leash." {
		t.Errorf("got documents %+v", docs)
	}
	if again := collect(t, s); len(again) != len(docs) {
		t.Errorf("the second loop yields %d documents, want 5", len(again))
	}
	for range s.Documents { // leaving a loop early must work
		break
	}
}

// write creates a folder with files; those whose names end in .gz are compressed.
func write(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		f, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		var w io.WriteCloser = f
		if strings.HasSuffix(name, ".gz") && !strings.HasPrefix(text, "raw ") {
			w = gzip.NewWriter(f)
			defer f.Close()
		}
		if _, err := io.WriteString(w, text); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestOpenLogicCompressed(t *testing.T) {
	dir := write(t, map[string]string{
		"corpus.jsonl.gz":      "\ufeff" + `{"_id":"x","labels":["a","b"]}` + "\r\n",
		"queries.all.jsonl.gz": `{"_id":"1","template":"A AND B","formula":"a AND b","truth":"a AND b"}`,
	})
	s, err := OpenLogic(dir, "all")
	if err != nil {
		t.Fatal(err)
	}
	if got := relevant(t, s, "1"); got != "x" {
		t.Errorf("got relevant documents %q, want x", got)
	}
	if splits, err := splits(dir); err != nil || !slices.Equal(splits, []string{"all"}) {
		t.Errorf("got splits %q, %v", splits, err)
	}
}

func TestOpenLogicRefuses(t *testing.T) {
	const corpus = `{"_id":"x","labels":["a","b"]}` + "\n"
	good := `{"_id":"1","template":"t","formula":"a","truth":"a"}` + "\n"
	for _, c := range []struct {
		name    string
		corpus  string
		queries string
		want    []string
	}{
		{"formula", corpus, good + `{"_id":"2","template":"t","formula":"a AND (b","truth":"a"}`, []string{"queries.dev.jsonl, line 2: query 2: its formula: syntax error", "a AND (b\n", "^"}},
		{"truth", corpus, good + "\n" + `{"_id":"2","template":"t","formula":"a","truth":"a AND OR"}`, []string{"line 3: query 2: its truth: syntax error", "^"}},
		{"template", corpus, `{"_id":"2","template":"A AND NOT B","formula":"a AND b","truth":"a AND b"}`, []string{"its formula a AND b does not match its template, A AND NOT B"}},
		{"template of the truth", corpus, `{"_id":"2","template":"A OR B","formula":"a OR b","truth":"a AND b"}`, []string{"its truth a AND b does not match its template"}},
		{"predicate", corpus, `{"_id":"2","template":"t","formula":"a","truth":"a year:3"}`, []string{"a truth may only contain labels", "year:3"}},
		{"weight", corpus, `{"_id":"2","template":"t","formula":"a","truth":"a^2"}`, []string{"a truth may only contain labels"}},
		{"nothing relevant", corpus, good + `{"_id":"2","template":"t","formula":"c","truth":"a AND c"}`, []string{"line 2: query 2 has no relevant documents: no document matches a AND c"}},
		{"twice", corpus, good + good, []string{`line 2: a query needs a unique _id, got "1"`}},
		{"no id", corpus, `{"template":"t","formula":"a","truth":"a"}`, []string{"a query needs a unique _id"}},
		{"no JSON", corpus, "{", []string{"queries.dev.jsonl, line 1: unexpected JSON"}},
		{"no queries", corpus, "\n", []string{"it contains no queries"}},
		{"documents twice", corpus + corpus, good, []string{`two documents have the _id "x"`}},
		{"document without id", corpus + `{"labels":["a"]}`, good, []string{"corpus.jsonl, line 2: the document has no _id"}},
		{"document without JSON", corpus + `[1]`, good, []string{"corpus.jsonl, line 2: unexpected JSON"}},
	} {
		dir := write(t, map[string]string{"corpus.jsonl": c.corpus, "queries.dev.jsonl": c.queries})
		_, err := OpenLogic(dir, "dev")
		for _, want := range c.want {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: got %v, want %q in it", c.name, err, want)
			}
		}
	}
	_, err := OpenLogic("testdata/animals", "train")
	if err == nil || !strings.Contains(err.Error(), "the set has the splits dev, test") {
		t.Errorf("missing split: got error %v", err)
	}
	dir := write(t, map[string]string{"corpus.jsonl.gz": "raw ", "queries.dev.jsonl": good})
	if _, err := OpenLogic(dir, "dev"); err == nil || !strings.Contains(err.Error(), "is not a gzip file") {
		t.Errorf("wrong .gz: got error %v", err)
	}
	if _, err := splits(filepath.Join(dir, "absent")); err == nil {
		t.Error("a missing folder has splits")
	}
}

// holds evaluates a formula for one document, independently of the package.
func holds(n query.Node, labels map[string]bool) bool {
	switch n := n.(type) {
	case *query.Not:
		return !holds(n.X, labels)
	case *query.And:
		return !slices.ContainsFunc(n.Parts, func(p query.Node) bool { return !holds(p, labels) })
	case *query.Or:
		return slices.ContainsFunc(n.Parts, func(p query.Node) bool { return holds(p, labels) })
	}
	return labels[n.(*query.Atom).Text]
}

func TestDevelopmentSets(t *testing.T) {
	root := frozen.Dir(t)
	for _, name := range []string{"coco", "films"} {
		if name == "films" && testing.Short() {
			t.Skip("films is large")
		}
		s, err := OpenLogic(filepath.Join(root, "data", name), "dev")
		if err != nil {
			t.Fatal(err)
		}
		if len(s.Queries) != 600 || len(s.Warnings) > 0 {
			t.Errorf("%s: got %d queries and warnings %q", name, len(s.Queries), s.Warnings)
		}
		labels := frozen.Labels(t, name)
		docs := collect(t, s)
		for i := 0; i < len(s.Queries); i += 100 {
			q := &s.Queries[i]
			truth, err := query.Parse(q.Truth)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Contains(Templates[:], q.Template) || TemplateOf(truth) != q.Template {
				t.Errorf("query %s: %s has template %q, but is called %q", q.ID, q.Truth, TemplateOf(truth), q.Template)
			}
			for j, d := range docs {
				if (q.Grade(d.ID) == 1) != holds(truth, labels[j]) {
					t.Fatalf("query %s: document %s has grade %d", q.ID, d.ID, q.Grade(d.ID))
				}
			}
		}
	}
}
