package sets

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"testing"
)

func TestOpenBEIR(t *testing.T) {
	s, err := OpenBEIR("testdata/beir", "test")
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, q := range s.Queries {
		ids = append(ids, q.ID)
	}
	if !slices.Equal(ids, []string{"3", "1", "2"}) {
		t.Errorf("got queries %q", ids)
	}
	if q := s.Queries[1]; q.Text != "what is sweet" || q.Grade("202") != 2 || q.Grade("101") != 0 || !slices.Equal(q.Ideal(), []int{2}) {
		t.Errorf("got %+v", q)
	}
	if got := relevant(t, s, "3"); got != "101 202" {
		t.Errorf("got relevant documents %q", got)
	}
	if want := []string{"query 2 has no relevant documents"}; !slices.Equal(s.Warnings, want) {
		t.Errorf("got warnings %q", s.Warnings)
	}
	docs := collect(t, s)
	if len(docs) != 2 || docs[0].Title != "Bread" || docs[0].Text != "Sourdough rises slowly." || !strings.Contains(string(docs[1].Metadata), "example.org") {
		t.Errorf("got documents %+v", docs)
	}
}

func TestOpenBEIRRefuses(t *testing.T) {
	const queries = `{"_id":"1","text":"a"}` + "\n"
	for name, c := range map[string]struct{ qrels, queries, want string }{
		"columns":   {"1 x 1", queries, "test.tsv, line 1: got 1 columns, want query id"},
		"grade":     {"query-id\tcorpus-id\tscore\n1\tx\t1.5", queries, `test.tsv, line 2: the grade "1.5" is not a whole number`},
		"twice":     {"1\tx\t1\n1\tx\t0", queries, `test.tsv, line 2: document "x" is judged twice for query "1"`},
		"unknown":   {"1\tx\t1\n2\tx\t1", queries, `query "2" is judged but not in queries.jsonl`},
		"empty":     {"query-id\tcorpus-id\tscore\n", queries, "it contains no judgements"},
		"two":       {"1\tx\t1", queries + queries, `queries.jsonl, line 2: two queries have the _id "1"`},
		"no JSON":   {"1\tx\t1", "x", "queries.jsonl, line 1: unexpected JSON"},
		"number id": {"1\tx\t1", `{"_id":1}`, "queries.jsonl, line 1: unexpected JSON"},
	} {
		dir := write(t, map[string]string{"qrels/test.tsv.gz": c.qrels, "queries.jsonl": c.queries, "corpus.jsonl": "{}"})
		_, err := OpenBEIR(dir, "test")
		if want := strings.Replace(c.want, "test.tsv,", "test.tsv.gz,", 1); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q in it", name, err, want)
		}
	}
	s, err := OpenBEIR(write(t, map[string]string{"qrels/test.tsv": "1\tx\t1", "queries.jsonl": queries, "corpus.jsonl": `{"text":"x"}`}), "test")
	if err != nil {
		t.Fatal(err)
	}
	for _, err := range s.Documents {
		if err == nil || !strings.Contains(err.Error(), "corpus.jsonl, line 1: the document has no _id") {
			t.Errorf("document without id: got error %v", err)
		}
	}
}

func TestSetGrades(t *testing.T) {
	var q Query
	if q.Grade("a") != 0 || len(q.Ideal()) != 0 {
		t.Errorf("without judgements: got grade %d and ideal %v", q.Grade("a"), q.Ideal())
	}
	q.SetGrades(map[string]int{"a": 1, "b": 3, "c": 0, "d": -1})
	if q.Grade("b") != 3 || !slices.Equal(q.Ideal(), []int{3, 1}) {
		t.Errorf("got grade %d and ideal %v", q.Grade("b"), q.Ideal())
	}
}

func TestWriteRun(t *testing.T) {
	var out bytes.Buffer
	if err := WriteRun(&out, "sys", map[string][]string{"q2": {"d-1"}, "q1": {"d-2", "d-10"}}); err != nil {
		t.Fatal(err)
	}
	if want := "q1 Q0 d-2 1 2 sys\nq1 Q0 d-10 2 1 sys\nq2 Q0 d-1 1 1 sys\n"; out.String() != want {
		t.Errorf("got %q, want %q", out.String(), want)
	}
	for _, bad := range [][3]string{{"q 1", "d", "sys"}, {"q", "Blue Harbour", "sys"}, {"", "d", "sys"}, {"q", "d", ""}} {
		if err := WriteRun(io.Discard, bad[2], map[string][]string{bad[0]: {bad[1]}}); err == nil || !strings.Contains(err.Error(), "TREC's format") {
			t.Errorf("%q: got error %v, want one about TREC's format", bad, err)
		}
	}
}
