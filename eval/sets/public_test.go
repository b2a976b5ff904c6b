package sets

import (
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl/query"
)

// TestSetsMTEB: judgements are found as JSON objects too, of a split or of the whole.
func TestSetsMTEB(t *testing.T) {
	const corpus = `{"_id": "Ada Lund", "title": "", "text": "Ada Lund likes Quokkas."}`
	const queries = `{"_id": "query_0", "text": "Who likes Quokkas?"}`
	for name, c := range map[string]struct{ file, judged, want string }{
		"whole":    {"qrels.jsonl", `{"query-id": "query_0", "corpus-id": "Ada Lund", "score": 1}`, ""},
		"split":    {"qrels/test.jsonl", `{"query-id": "query_0", "corpus-id": "Ada Lund", "score": 1.0}`, ""},
		"fraction": {"qrels.jsonl", `{"query-id": "query_0", "corpus-id": "Ada Lund", "score": 0.5}`, "line 1: the grade 0.5 is not a whole number"},
		"no score": {"qrels.jsonl", `{"query-id": "query_0", "corpus-id": "Ada Lund"}`, "lacks one of them"},
		"empty":    {"qrels.jsonl", "\n", "qrels.jsonl: there are no judgements in it"},
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
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := relevant(t, s, "query_0"); got != "Ada Lund" {
			t.Errorf("%s: %q is relevant", name, got)
		}
		if n, err := query.Parse(s.Queries[0].Formula); err != nil || n.(*query.Atom).Text != "Who likes Quokkas?" {
			t.Errorf("%s: the formula is %s, %v", name, s.Queries[0].Formula, err)
		}
	}
}

// TestSetsLIMITPlus: LIMIT+ has LIMIT's documents, which have ids and no titles, and
// QUEST's queries.
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
