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
