package demo

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"unicode"
	"unicode/utf8"

	"github.com/nsfl-go/nsfl/query"
)

// fields are the metadata of each kind, and how many documents it has at least.
var fields = map[string]struct {
	documents int
	names     []string
}{
	"photo":   {200, []string{"kind", "place", "year"}},
	"film":    {120, []string{"country", "kind", "minutes", "year"}},
	"recipe":  {110, []string{"cuisine", "kind", "minutes", "servings"}},
	"product": {90, []string{"brand", "in_stock", "kind", "price"}},
}

func documents(t *testing.T) []Document {
	t.Helper()
	docs, err := Documents()
	if err != nil {
		t.Fatal(err)
	}
	return docs
}

func kind(d Document) string {
	k, _, _ := strings.Cut(d.ID, "-")
	return k
}

func TestDocuments(t *testing.T) {
	ids, kinds := map[string]bool{}, map[string]int{}
	for _, d := range documents(t) {
		if ids[d.ID] {
			t.Errorf("%s: got the id twice, want it once", d.ID)
		}
		ids[d.ID] = true
		kinds[kind(d)]++
		var metadata map[string]any
		if err := json.Unmarshal(d.Metadata, &metadata); err != nil {
			t.Fatalf("%s: metadata: %v", d.ID, err)
		}
		if metadata["kind"] != kind(d) {
			t.Errorf("%s: got the kind %v, want that of its id", d.ID, metadata["kind"])
		}
		names := slices.Sorted(maps.Keys(metadata))
		if !slices.Equal(names, fields[kind(d)].names) {
			t.Errorf("%s: metadata has %q, want %q", d.ID, names, fields[kind(d)].names)
		}
		if kind(d) != "photo" && d.Title == "" {
			t.Errorf("%s: got no title, want one", d.ID)
		}
		if n := len(d.Title); n > 60 {
			t.Errorf("%s: got a title of %d bytes, want at most 60", d.ID, n)
		}
		if n := len(d.Passages); n < 1 || n > 2 {
			t.Errorf("%s: got %d passages, want 1 or 2", d.ID, n)
		}
		for _, p := range d.Passages {
			if n := len(p); n < 40 || n > 300 {
				t.Errorf("%s: got a passage of %d bytes, want 40 to 300", d.ID, n)
			}
		}
		for _, text := range append(d.Passages, d.Title) {
			if !utf8.ValidString(text) || strings.ContainsFunc(text, unicode.IsControl) || text != strings.TrimSpace(text) {
				t.Errorf("%s: got stray bytes in %q, want none", d.ID, text)
			}
		}
	}
	for kind, f := range fields {
		if kinds[kind] < f.documents {
			t.Errorf("%d documents of kind %s, want %d", kinds[kind], kind, f.documents)
		}
	}
	if len(kinds) != len(fields) {
		t.Errorf("got the kinds %v, want as many as fields", kinds)
	}
}

// Texts written by hand do not repeat each other, nor do they begin alike.
func TestTextsDiffer(t *testing.T) {
	const run, opening, alike = 8, 3, 6
	word := regexp.MustCompile(`[\p{L}\p{N}]+`)
	seen, openings := map[string]string{}, map[string]int{}
	for _, d := range documents(t) {
		words := word.FindAllString(strings.ToLower(strings.Join(d.Passages, " ")), -1)
		for i := range len(words) - run + 1 {
			key := strings.Join(words[i:i+run], " ")
			if other, ok := seen[key]; ok && other != d.ID {
				t.Errorf("got %s and %s with the same %q, want no copies", other, d.ID, key)
			}
			seen[key] = d.ID
		}
		openings[strings.Join(words[:min(opening, len(words))], " ")]++
	}
	for words, n := range openings {
		if n > alike {
			t.Errorf("got %d documents that begin with %q, want fewer", n, words)
		}
	}
}

// vocabulary reads the labels that LABELS.md defines.
func vocabulary(t *testing.T) map[string]bool {
	t.Helper()
	text, err := os.ReadFile("LABELS.md")
	if err != nil {
		t.Fatal(err)
	}
	labels := map[string]bool{}
	quoted := regexp.MustCompile("`([^`]+)`")
	for line := range strings.Lines(string(text)) {
		if !strings.HasPrefix(line, "- ") {
			continue
		}
		names, _, _ := strings.Cut(line, ":")
		for _, m := range quoted.FindAllStringSubmatch(names, -1) {
			if labels[m[1]] {
				t.Errorf("got %q twice in LABELS.md, want it once", m[1])
			}
			labels[m[1]] = true
		}
	}
	return labels
}

func TestLabels(t *testing.T) {
	known := vocabulary(t)
	count, kinds := map[string]int{}, map[string]map[string]bool{}
	for _, d := range documents(t) {
		if len(d.Labels) == 0 {
			t.Errorf("%s: got no label, want some", d.ID)
		}
		own := map[string]bool{}
		for _, l := range d.Labels {
			if !known[l] || own[l] {
				t.Errorf("%s: got the label %q, want one of LABELS.md, once", d.ID, l)
			}
			own[l] = true
			count[l]++
			if kinds[l] == nil {
				kinds[l] = map[string]bool{}
			}
			kinds[l][kind(d)] = true
		}
		for _, c := range []struct{ label, implies string }{
			{"vegan", "vegetarian"}, {"guitar", "music"}, {"piano", "music"}, {"musical", "music"},
			{"skiing", "snow"}, {"cake", "dessert"}, {"detective", "crime"}, {"beach", "sea"},
		} {
			if own[c.label] && !own[c.implies] {
				t.Errorf("%s: got %s without %s, want both", d.ID, c.label, c.implies)
			}
		}
		for _, flesh := range []string{"beef", "pork", "chicken", "fish"} {
			if own["vegetarian"] && own[flesh] {
				t.Errorf("%s: got vegetarian with %s, want one of them", d.ID, flesh)
			}
		}
		for _, animal := range []string{"dairy", "egg", "cheese"} {
			if own["vegan"] && own[animal] {
				t.Errorf("%s: got vegan with %s, want one of them", d.ID, animal)
			}
		}
	}
	across := 0
	for l := range known {
		if count[l] < 6 {
			t.Errorf("label %q is on %d documents, want 6", l, count[l])
		}
		if len(kinds[l]) > 1 {
			across++
		}
	}
	if across < 40 {
		t.Errorf("%d labels occur in several kinds, want 40", across)
	}
}

func TestQueries(t *testing.T) {
	queries, err := Queries()
	if err != nil {
		t.Fatal(err)
	}
	known, docs := vocabulary(t), documents(t)
	count, ids, formulas := map[string]int{}, map[string]bool{}, map[string]bool{}
	for _, q := range queries {
		if ids[q.ID] || formulas[q.Formula] {
			t.Errorf("%s: got the query twice, want it once", q.ID)
		}
		ids[q.ID], formulas[q.Formula] = true, true
		count[q.Template]++
		formula, err := query.Parse(q.Formula)
		if err != nil {
			t.Fatalf("%s: %v", q.ID, err)
		}
		truth, err := query.Parse(q.Truth)
		if err != nil {
			t.Fatalf("%s: %v", q.ID, err)
		}
		for _, n := range []query.Node{formula, truth} {
			if s := shape(n); s != q.Template {
				t.Errorf("%s: %s has the shape %s, want %s", q.ID, n, s, q.Template)
			}
		}
		for leaf := range query.Leaves(truth) {
			if a, ok := leaf.(*query.Atom); !ok || !known[a.Text] {
				t.Errorf("%s: got %s, want a label", q.ID, leaf)
			}
		}
		relevant, positive := 0, 0
		for _, d := range docs {
			if holds(truth, d.Labels) {
				relevant++
			}
			if holds(withoutNegation(truth), d.Labels) {
				positive++
			}
		}
		if relevant < 3 {
			t.Errorf("%s: got %d relevant documents for %s, want at least 3", q.ID, relevant, q.Truth)
		}
		if strings.Contains(q.Template, "NOT") && positive-relevant < 2 {
			t.Errorf("%s: got a negation in %s that removes %d documents, want at least 2", q.ID, q.Truth, positive-relevant)
		}
	}
	want := map[string]int{
		"A AND B": 20, "A AND B AND C": 20, "A AND NOT B": 20,
		"A AND B AND NOT C": 20, "A OR B": 20, "A OR B OR C": 20,
	}
	if !maps.Equal(count, want) {
		t.Errorf("templates: %v, want %v", count, want)
	}
}

// shape is a formula with letters for its atoms.
func shape(n query.Node) string {
	letter := 'A' - 1
	var print func(query.Node) string
	join := func(parts []query.Node, operator string) string {
		var out []string
		for _, p := range parts {
			out = append(out, print(p))
		}
		return strings.Join(out, operator)
	}
	print = func(n query.Node) string {
		switch n := n.(type) {
		case *query.And:
			return join(n.Parts, " AND ")
		case *query.Or:
			return join(n.Parts, " OR ")
		case *query.Not:
			return "NOT " + print(n.X)
		}
		letter++
		return string(letter)
	}
	return print(n)
}

// holds evaluates a formula over labels.
func holds(n query.Node, labels []string) bool {
	switch n := n.(type) {
	case *query.Atom:
		return slices.Contains(labels, n.Text)
	case *query.Not:
		return !holds(n.X, labels)
	case *query.And:
		return !slices.ContainsFunc(n.Parts, func(p query.Node) bool { return !holds(p, labels) })
	case *query.Or:
		return slices.ContainsFunc(n.Parts, func(p query.Node) bool { return holds(p, labels) })
	}
	panic(fmt.Sprintf("no truth for %s", n))
}

// withoutNegation drops the negated parts of a conjunction.
func withoutNegation(n query.Node) query.Node {
	and, ok := n.(*query.And)
	if !ok {
		return n
	}
	negated := func(p query.Node) bool { _, ok := p.(*query.Not); return ok }
	return &query.And{Parts: slices.DeleteFunc(slices.Clone(and.Parts), negated)}
}

func TestDamagedFile(t *testing.T) {
	_, err := read[Document](fstest.MapFS{"corpus.jsonl": {Data: []byte("{\"_id\":\"photo-001\"}\n{\"_id\":\n")}}, "corpus.jsonl")
	if err == nil || !strings.Contains(err.Error(), "corpus.jsonl, line 2") {
		t.Errorf("got error %v, want one that names the line", err)
	}
}

// Every line is one complete object with no field that nobody reads.
func TestFields(t *testing.T) {
	check := func(name string, v func() any) {
		text, err := files.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for line := range bytes.Lines(text) {
			d := json.NewDecoder(bytes.NewReader(line))
			d.DisallowUnknownFields()
			if err := d.Decode(v()); err != nil {
				t.Errorf("%s: %v in %s", name, err, line)
			}
		}
	}
	check("corpus.jsonl", func() any { return &Document{} })
	check("queries.dev.jsonl", func() any { return &Query{} })
}
