package sets

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl/query"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func TestReadCOCO(t *testing.T) {
	docs, err := ReadCOCO("testdata/coco/instances_tiny.json", "testdata/coco/captions_tiny.json")
	if err != nil {
		t.Fatal(err)
	}
	want := []Document{
		{ID: "coco-42", Passages: []string{"A dog among people.", "People with a dog."}, Labels: []string{"dog", "person"}, Metadata: []byte(`{"file_name":"000000000042.jpg"}`)},
		{ID: "coco-7", Passages: []string{"A table that is laid."}, Labels: []string{"dining table"}, Metadata: []byte(`{"file_name":"000000000007.jpg"}`)},
		{ID: "coco-99", Passages: []string{}, Metadata: []byte(`{"file_name":"000000000099.jpg"}`)},
	}
	if !reflect.DeepEqual(docs, want) {
		t.Errorf("got %+v, want %+v", docs, want)
	}
	docs, err = ReadCOCO("testdata/coco/instances_tiny.json", "")
	if err != nil || len(docs) != 3 || len(docs[0].Passages) != 0 || len(docs[0].Labels) != 2 {
		t.Errorf("without captions: got %+v, %v", docs, err)
	}
}

func TestReadCOCORefuses(t *testing.T) {
	const good = `{"images":[{"id":1}],"annotations":[{"image_id":1,"category_id":2}],"categories":[{"id":2,"name":"dog"}]}`
	for _, c := range []struct{ name, instances, captions, want string }{
		{"cut", good[:60], "{}", "in.json: unexpected EOF"},
		{"empty file", ``, "{}", "in.json: EOF"},
		{"list", `[]`, "{}", "in.json: json: cannot unmarshal array"},
		{"images", `{"images":{}}`, "{}", "cannot unmarshal object into Go struct field cocoFile.images"},
		{"number", `{"images":[{"id":"1"}]}`, "{}", "json: cannot unmarshal string"},
		{"twice", `{"images":[{"id":1},{"id":1}]}`, "{}", "two images have the id 1"},
		{"unknown image", `{"images":[{"id":1}],"annotations":[{"image_id":3,"category_id":2}]}`, "{}", "an annotation refers to image 3"},
		{"unknown category", `{"images":[{"id":1}],"annotations":[{"image_id":1,"category_id":2}]}`, "{}", "category 2, which is not listed"},
		{"none", `{}`, "{}", "it lists no images"},
		{"other split", good, `{"annotations":[{"image_id":5,"caption":"x"}]}`, "cap.json: a caption refers to image 5"},
		{"garbage", `{"info":{"a":[}`, "{}", "in.json: invalid character"},
	} {
		dir := write(t, map[string]string{"in.json": c.instances, "cap.json": c.captions})
		_, err := ReadCOCO(filepath.Join(dir, "in.json"), filepath.Join(dir, "cap.json"))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q in it", c.name, err, c.want)
		}
	}
}

// pictures returns a made-up corpus in which document i has a label depending on residues
// of i.
func pictures() []Document {
	labels := []struct {
		name string
		has  func(i int) bool
	}{
		{"person", func(i int) bool { return i%2 == 0 }},
		{"dog", func(i int) bool { return i%3 == 0 }},
		{"traffic light", func(i int) bool { return i%5 < 2 }},
		{"cat", func(i int) bool { return i%7 < 3 }},
		{"hot dog", func(i int) bool { return i%4 == 1 }},
		{"zebra", func(i int) bool { return i == 11 }}, // too rare for anything but OR
	}
	var out []Document
	for i := range 200 {
		d := Document{ID: fmt.Sprintf("p%03d", i), Passages: []string{"A picture."}}
		for _, l := range labels {
			if l.has(i) {
				d.Labels = append(d.Labels, l.name)
			}
		}
		out = append(out, d)
	}
	return out
}

// The golden file must not change with a Go release: a seed must reproduce the set for which
// others published numbers.
func TestGenerate(t *testing.T) {
	docs := pictures()
	o := GenerateOptions{Seed: 7, PerTemplate: 4, MinRelevant: 5, MinRemoved: 3}
	queries, err := Generate(docs, o)
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	seen := map[string]bool{}
	for i := range queries {
		q := &queries[i]
		fmt.Fprintf(&text, "%s | %s | %s | %d\n", q.ID, q.Template, q.Formula, len(q.Ideal()))
		if seen[q.Formula] {
			t.Errorf("%s occurs twice", q.Formula)
		}
		seen[q.Formula] = true
		checkGenerated(t, docs, q, o)
	}
	const golden = "testdata/generated.golden"
	if *update {
		if err := os.WriteFile(golden, []byte(text.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if text.String() != strings.ReplaceAll(string(want), "\r\n", "\n") {
		t.Errorf("got\n%s\nwant\n%s(-update rewrites it)", text.String(), want)
	}
	o.Seed = 8
	other, err := Generate(docs, o)
	if err != nil || slices.EqualFunc(queries, other, func(a, b Query) bool { return a.Formula == b.Formula }) {
		t.Errorf("another seed gives the same queries; error %v", err)
	}
}

// checkGenerated counts the documents of a query independently.
func checkGenerated(t *testing.T, docs []Document, q *Query, o GenerateOptions) {
	t.Helper()
	n, err := query.Parse(q.Truth)
	if err != nil || TemplateOf(n) != q.Template || q.Formula != q.Truth {
		t.Fatalf("query %s: %s has template %q, error %v", q.ID, q.Truth, TemplateOf(n), err)
	}
	relevant, removed := 0, 0
	for _, d := range docs {
		labels := map[string]bool{}
		for _, l := range d.Labels {
			labels[l] = true
		}
		if holds(n, labels) != (q.Grade(d.ID) == 1) {
			t.Errorf("query %s: document %s: got grade %d", q.ID, d.ID, q.Grade(d.ID))
		}
		if holds(n, labels) {
			relevant++
		} else if and, ok := n.(*query.And); ok && holds(positive(and), labels) {
			removed++
		}
	}
	if relevant < o.MinRelevant {
		t.Errorf("%s has only %d relevant documents", q.Formula, relevant)
	}
	if strings.Contains(q.Template, "NOT") && removed < o.MinRemoved {
		t.Errorf("NOT removes only %d documents from %s", removed, q.Formula)
	}
}

func positive(n *query.And) query.Node {
	return &query.And{Parts: slices.DeleteFunc(slices.Clone(n.Parts), func(p query.Node) bool { _, not := p.(*query.Not); return not })}
}

func TestGenerateRefuses(t *testing.T) {
	twice := append(pictures(), pictures()[0])
	nameless := pictures()
	for i := range nameless {
		nameless[i].Labels = append(nameless[i].Labels, "")
	}
	for _, c := range []struct {
		name string
		docs []Document
		o    GenerateOptions
		want string
	}{
		{"too many", pictures(), GenerateOptions{}, "9 formulas of the form A AND B have 10 relevant documents, but 100 are requested"},
		{"nothing", nil, GenerateOptions{PerTemplate: 1}, "0 formulas of the form A AND B"},
		{"negative", pictures(), GenerateOptions{MinRemoved: -1}, "-1 is not a valid number"},
		{"twice", twice, GenerateOptions{}, `two documents have the id "p000"`},
		{"no negations", pictures(), GenerateOptions{PerTemplate: 4, MinRemoved: 60}, "have 10 relevant documents and 60 that NOT removes"},
		{"nameless label", nameless, GenerateOptions{PerTemplate: 14}, "making a formula of"},
	} {
		if _, err := Generate(c.docs, c.o); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q in it", c.name, err, c.want)
		}
	}
}

func TestWriteLogic(t *testing.T) {
	docs := pictures()
	docs[3].Metadata = []byte(`{"file_name":"a<b>.jpg"}`)
	queries, err := Generate(docs, GenerateOptions{PerTemplate: 4, MinRelevant: 5, MinRemoved: 3})
	if err != nil {
		t.Fatal(err)
	}
	root := t.TempDir()
	for _, name := range []string{"one", "two"} {
		if err := WriteLogic(filepath.Join(root, name), docs, "test", queries); err != nil {
			t.Fatal(err)
		}
	}
	s, err := OpenLogic(filepath.Join(root, "one"), "test")
	if err != nil {
		t.Fatal(err)
	}
	if got := collect(t, s); !reflect.DeepEqual(got, docs) {
		t.Errorf("got different documents %+v", got)
	}
	for i := range queries {
		a, b := &s.Queries[i], &queries[i]
		if a.ID != b.ID || a.Template != b.Template || a.Formula != b.Formula || a.Truth != b.Truth || !slices.Equal(a.Ideal(), b.Ideal()) {
			t.Errorf("query %d: got %+v, want %+v", i, a, b)
		}
	}
	for _, name := range []string{"corpus.jsonl.gz", "queries.test.jsonl"} {
		one, err1 := os.ReadFile(filepath.Join(root, "one", name))
		two, err2 := os.ReadFile(filepath.Join(root, "two", name))
		if err := errors.Join(err1, err2); err != nil || !slices.Equal(one, two) {
			t.Errorf("%s differs between two equal sets, %v", name, err)
		}
	}
	if err := WriteLogic(filepath.Join(root, "one"), docs, "test", queries); err == nil || !strings.Contains(err.Error(), "it already exists") {
		t.Errorf("writing over a set: got error %v", err)
	}
	docs[0].Metadata = []byte("{") // cannot be written
	if err := WriteLogic(filepath.Join(root, "three"), docs, "test", queries); err == nil {
		t.Error("a broken document was written")
	}
	entries, err := os.ReadDir(root)
	if err != nil || len(entries) != 2 {
		t.Errorf("unexpected files left behind: %v, %v", entries, err)
	}
}
