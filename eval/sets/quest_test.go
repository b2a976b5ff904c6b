package sets

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl/internal/frozen"
	"github.com/nsfl-go/nsfl/query"
)

func TestOpenQUEST(t *testing.T) {
	s, err := OpenQUEST("testdata/quest", "train")
	if err != nil {
		t.Fatal(err)
	}
	want := []struct{ template, formula, relevant string }{
		{"A AND B", "1960s novels AND Novels set in Norway", "Blue Harbour (novel)|Cold Fjord"},
		{"A AND B AND C", "Trees of Norway AND Trees of Sweden AND Trees of Finland", "Betula"},
		{"A AND NOT B", "Norwegian films AND NOT Films set in winter", "A|B"},
		{"A AND B AND NOT C", `1970s films AND Norwegian films AND NOT "\"Olsen\" films: a series"`, `Snow "Queen"`},
		{"A OR B", `Seals OR "Whales and Dolphins OR Orcas"`, "Orca"},
		{"A OR B OR C", "Birds OR Bats OR Bees", "Bee"},
		{"A", "Norwegian romance films", "Kiss"},
	}
	if len(s.Queries) != len(want) {
		t.Fatalf("got %d queries", len(s.Queries))
	}
	for i, w := range want {
		q := &s.Queries[i]
		var docs []string
		for id := range q.Relevant() {
			docs = append(docs, id)
		}
		if q.Template != w.template || q.Formula != w.formula || strings.Join(docs, "|") != w.relevant {
			t.Errorf("query %s: got %s: %s with %q, want %s: %s with %q", q.ID, q.Template, q.Formula, docs, w.template, w.formula, w.relevant)
		}
		n, err := query.Parse(q.Formula)
		if err != nil || TemplateOf(n) != w.template {
			t.Errorf("%s: got template %q, %v", q.Formula, TemplateOf(n), err)
		}
	}
	if q := s.Queries[0]; q.ID != "train-0001" || q.Text != "novels from the sixties set in norway" {
		t.Errorf("got %+v", q)
	}
	docs := collect(t, s)
	if len(docs) != 2 || docs[0].ID != "Blue Harbour (novel)" || docs[0].Passages[0] != "Blue Harbour is a 1962 novel set in Norway." {
		t.Errorf("got documents %+v", docs)
	}
}

func TestOpenQUESTRefuses(t *testing.T) {
	long := strings.Repeat("x", query.MaxBytes)
	for name, c := range map[string]struct{ record, want string }{
		"augmented": {`{"docs":["x"],"original_query":""}`, "use train.jsonl rather than train_aug.jsonl"},
		"form":      {`{"docs":["x"],"original_query":"<mark>a</mark> near <mark>b</mark>"}`, `"_ near _", which is not one of QUEST's templates`},
		"template":  {`{"docs":["x"],"original_query":"<mark>a</mark> or <mark>b</mark>","metadata":{"template":"_ that are not _"}}`, `has the form "_ or _", but its template is "_ that are not _"`},
		"empty":     {`{"docs":["x"],"original_query":"<mark> </mark> or <mark>b</mark>"}`, "an atom of the original_query is empty"},
		"no docs":   {`{"docs":[],"original_query":"<mark>a</mark>"}`, "no relevant documents"},
		"long":      {`{"docs":["x"],"original_query":"<mark>` + long + `</mark> or <mark>b</mark>"}`, "syntax error"},
		"no JSON":   {`{"docs":"x"}`, "unexpected JSON"},
	} {
		dir := write(t, map[string]string{"val.jsonl": "\n" + c.record})
		_, err := OpenQUEST(dir, "val")
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "val.jsonl, line 2: ") {
			t.Errorf("%s: got error %v", name, err)
		}
	}
	if _, err := OpenQUEST(write(t, map[string]string{"val.jsonl": ""}), "val"); err == nil || !strings.Contains(err.Error(), "it contains no queries") {
		t.Errorf("empty file: got error %v", err)
	}
	s, err := OpenQUEST(write(t, map[string]string{"val.jsonl": `{"docs":["x"],"original_query":"<mark>a</mark>"}`, "documents.jsonl": `{"text":"no title"}`}), "val")
	if err != nil {
		t.Fatal(err)
	}
	for _, err := range s.Documents {
		if err == nil || !strings.Contains(err.Error(), "documents.jsonl, line 1: the document has no title") {
			t.Errorf("document without a title: got error %v", err)
		}
	}
}

func TestQUESTSample(t *testing.T) {
	s, err := OpenQUEST(filepath.Join(frozen.Dir(t), "data", "quest-sample"), "train_subset")
	if err != nil {
		t.Fatal(err)
	}
	counts := map[string]int{}
	for i := range s.Queries {
		q := &s.Queries[i]
		counts[q.Template]++
		n, err := query.Parse(q.Formula)
		if err != nil || TemplateOf(n) != q.Template {
			t.Errorf("query %s: %s: got template %q, want %q (%v)", q.ID, q.Formula, TemplateOf(n), q.Template, err)
		}
		if len(q.Ideal()) == 0 {
			t.Errorf("query %s has no relevant documents", q.ID)
		}
	}
	want := map[string]int{"A AND B": 19, "A AND B AND C": 20, "A AND NOT B": 11, "A AND B AND NOT C": 21, "A OR B": 3, "A OR B OR C": 3, "A": 3}
	for template, n := range want {
		if counts[template] != n {
			t.Errorf("got %d queries of %s, want %d", counts[template], template, n)
		}
	}
	if len(s.Queries) != 80 || !slices.Equal(sortedKeys(counts), sortedKeys(want)) {
		t.Errorf("got %d queries of %v", len(s.Queries), sortedKeys(counts))
	}
}

func TestTemplateOf(t *testing.T) {
	if want := [...]string{"A AND B", "A AND B AND C", "A AND NOT B", "A AND B AND NOT C", "A OR B", "A OR B OR C"}; Templates != want {
		t.Errorf("got templates %q", Templates)
	}
	for _, name := range Templates {
		n, err := query.Parse(name)
		if err != nil || TemplateOf(n) != name {
			t.Errorf("%s: got template %q, %v", name, TemplateOf(n), err)
		}
	}
	for formula, want := range map[string]string{
		"x":                        "A",
		"(x AND y) AND z":          "A AND B AND C",
		"NOT x AND y":              "A AND NOT B",
		"x AND NOT (y OR z)":       "",
		"x AND NOT NOT y":          "A AND B",
		"x OR NOT y":               "",
		"(x AND y) OR z":           "",
		"NOT x":                    "",
		"NOT x AND NOT y":          "",
		"x OR y OR z OR u":         "",
		"x AND year:2000":          "",
		"x AND y AND z AND NOT u":  "",
		"NOT (NOT x AND NOT y)":    "A OR B",
		"x AND (y OR z) AND NOT u": "",
	} {
		n, err := query.Parse(formula)
		if err != nil {
			t.Fatal(err)
		}
		if got := TemplateOf(n); got != want {
			t.Errorf("%s: got template %q, want %q", formula, got, want)
		}
	}
}
