package sets

import (
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl/query"
)

// Judgements can also be JSON objects, in a file of the split or of the whole set.
func TestSetsMTEB(t *testing.T) {
	const corpus = `{"_id": "Ada Lund", "title": "", "text": "Ada Lund likes Quokkas."}`
	const queries = `{"_id": "query_0", "text": "Who likes Quokkas?"}`
	for name, c := range map[string]struct{ file, judged, want string }{
		"whole":    {"qrels.jsonl", `{"query-id": "query_0", "corpus-id": "Ada Lund", "score": 1}`, ""},
		"split":    {"qrels/test.jsonl", `{"query-id": "query_0", "corpus-id": "Ada Lund", "score": 1.0}`, ""},
		"fraction": {"qrels.jsonl", `{"query-id": "query_0", "corpus-id": "Ada Lund", "score": 0.5}`, "line 1: the grade 0.5 is not a whole number"},
		"no score": {"qrels.jsonl", `{"query-id": "query_0", "corpus-id": "Ada Lund"}`, "needs query-id, corpus-id and score"},
		"empty":    {"qrels.jsonl", "\n", "qrels.jsonl: it contains no judgements"},
		"absent":   {"qrels/dev.jsonl", "", "neither"},
	} {
		s, err := OpenBEIR(write(t, map[string]string{"corpus.jsonl": corpus, "queries.jsonl": queries, c.file: c.judged}), "test")
		if c.want != "" {
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: got %v, want %q in it", name, err, c.want)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: got error %v", name, err)
			continue
		}
		if got := relevant(t, s, "query_0"); got != "Ada Lund" {
			t.Errorf("%s: got relevant documents %q", name, got)
		}
		if n, err := query.Parse(s.Queries[0].Formula); err != nil || n.(*query.Atom).Text != "Who likes Quokkas?" {
			t.Errorf("%s: got formula %s, %v", name, s.Queries[0].Formula, err)
		}
	}
}

// LIMIT+ has LIMIT's documents, which have ids but no titles, and queries in QUEST's format.
func TestSetsLIMITPlus(t *testing.T) {
	s, err := OpenQUEST(write(t, map[string]string{
		"documents.jsonl": `{"_id": "Bo Ek", "title": "", "text": "Bo Ek likes Quokkas."}`,
		"test.jsonl":      `{"id": 1, "query": "Who likes Quokkas but not Tofu?", "num_docs": 1, "docs": ["Bo Ek"], "original_query": "<mark>Quokkas</mark> that are not <mark>Tofu</mark>", "metadata": {"template": "_ that are not _", "attrs": ["Quokkas", "Tofu"]}}`,
	}), "test")
	if err != nil {
		t.Fatal(err)
	}
	if q := s.Queries[0]; q.Template != "A AND NOT B" || q.Formula != "Quokkas AND NOT Tofu" || q.Grade("Bo Ek") != 1 {
		t.Errorf("got %+v", q)
	}
	if d := collect(t, s)[0]; d.ID != "Bo Ek" || d.Title != "" {
		t.Errorf("got %+v", d)
	}
}

func TestSetsNevIR(t *testing.T) {
	const first = `{"id": "1-2", "WorkerId": 7, "q1": "a?", "q2": "b?", "doc1": "A.", "doc2": "B."}`
	const second = `{"id": 3, "q1": "c?", "q2": "d?", "doc1": "A.", "doc2": "D."}`
	const table = "id,q1,q2,doc1,doc2\n1-2,a?,b?,A.,B.\n3,c?,d?,A.,D.\n"
	for name, text := range map[string]string{"test.jsonl": "\ufeff\n" + first + "\n" + second, "test.csv": table} {
		s, err := OpenNevIR(write(t, map[string]string{name: text}), "test")
		if err != nil {
			t.Errorf("%s: got error %v", name, err)
			continue
		}
		if docs := collect(t, s); len(docs) != 3 || docs[2].Passages[0] != "D." || len(s.Queries) != 4 {
			t.Errorf("%s: got documents %+v", name, docs)
		}
		for id, want := range map[string]string{"test-0001-q1": "test-0001-doc1", "test-0001-q2": "test-0001-doc2", "test-0002-q1": "test-0001-doc1", "test-0002-q2": "test-0002-doc2"} {
			if got := relevant(t, s, id); got != want {
				t.Errorf("%s: got relevant documents %s for %s", name, got, id)
			}
		}
	}
	for text, want := range map[string]string{
		first + "\n" + `{"id": "4", "q1": "a"}`: `line 2: pair "4" lacks one of q1, q2, doc1, doc2`,
		`{"id": `:                               "line 1: unexpected JSON",
		"":                                      "there are no pairs",
	} {
		if _, err := OpenNevIR(write(t, map[string]string{"test.jsonl": text}), "test"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got error %v", text, err)
		}
	}
	if _, err := OpenNevIR(t.TempDir(), "test"); err == nil || !strings.Contains(err.Error(), "test.jsonl") {
		t.Errorf("empty folder: got error %v", err)
	}
}

func TestSetsExcluIR(t *testing.T) {
	const corpus = `["Oslo.", "Bergen.", "Tromsø."]`
	s, err := OpenExcluIR(write(t, map[string]string{
		"corpus.json":            corpus,
		"test_manual_final.json": `[{"question0": "cities", "ExcluQ": "cities but not Oslo", "index": [0, 1]}, {"RQ_rewrite": "not Bergen", "corpus_sub_index": [1, 0, 2]}]`,
	}), "test")
	if err != nil {
		t.Fatal(err)
	}
	if docs := collect(t, s); len(docs) != 3 || docs[2].ID != "2" || docs[2].Passages[0] != "Tromsø." {
		t.Errorf("got documents %+v", docs)
	}
	if one, two := relevant(t, s, "test-0001"), relevant(t, s, "test-0002"); one != "1" || two != "0 2" || s.Queries[1].Text != "not Bergen" {
		t.Errorf("got relevant documents %q and %q", one, two)
	}
	for queries, want := range map[string]string{
		`{}`:                              "not the JSON array",
		`[]`:                              "the array is empty",
		`[{"ExcluQ":"a","index":[1]}]`:    "query 1: it needs the text ExcluQ",
		`[{"ExcluQ":"a","index":[1,1]}]`:  "document 1 cannot be relevant to it",
		`[{"index":[0,1]}]`:               "query 1: it needs",
		`[{"ExcluQ":"a","index":[0,1]}]x`: "something follows",
	} {
		if _, err := OpenExcluIR(write(t, map[string]string{"corpus.json": corpus, "test_manual_final.json": queries}), "test"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got error %v", queries, err)
		}
	}
	if _, err := OpenExcluIR(t.TempDir(), "dev"); err == nil || !strings.Contains(err.Error(), "the split test only") {
		t.Errorf("another split: got error %v", err)
	}
}
