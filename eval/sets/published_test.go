package sets

import (
	"bytes"
	"errors"
	"io"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
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

func TestQrels(t *testing.T) {
	q, err := ReadQrels("testdata/trec/qrels.txt")
	want := Qrels{"q1": {"d-1": 2, "d-2": 0, "d-5": -1}, "q2": {"d-1": 1}}
	if err != nil || !reflect.DeepEqual(q, want) {
		t.Fatalf("got %v, %v", q, err)
	}
	for text, want := range map[string]string{
		"q 0 d":            "x, line 1: got 3 columns, want 4 (query, 0, document, grade)",
		"q 0 d 1 2":        "got 5 columns",
		"q 0 d 1\nq 0 d x": `line 2: the grade "x" is not`,
		"q 0 d 1\nq 1 d 1": `line 2: document "d" is judged twice`,
	} {
		if _, err := readQrels("x", strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got error %v", text, err)
		}
	}
	for _, bad := range [][2]string{{"q 1", "d"}, {"q", "Blue Harbour"}, {"", "d"}, {"#q", "d"}} {
		run := &Run{Tag: "sys", Results: map[string][]Scored{bad[0]: {{bad[1], 1}}}}
		if err := WriteRun(io.Discard, run); err == nil || !strings.Contains(err.Error(), "TREC's format") {
			t.Errorf("%v was written; error %v", bad, err)
		}
	}
}

func TestRun(t *testing.T) {
	r, err := ReadRun("testdata/trec/run.txt")
	if err != nil {
		t.Fatal(err)
	}
	if r.Tag != "sys" || len(r.Results) != 2 || len(r.Results["q1"]) != 4 {
		t.Errorf("got %+v", r)
	}
	// trec_eval's comp_sim_docno: strcmp(second, first) among equal scores.
	if got := Rank(r.Results["q1"]); !slices.Equal(got, []string{"d-2", "d-3", "d-10", "d-1"}) {
		t.Errorf("got ranking %q", got)
	}
	var out bytes.Buffer
	if err := WriteRun(&out, r); err != nil {
		t.Fatal(err)
	}
	want := "q1 Q0 d-2 1 2 sys\nq1 Q0 d-3 2 1.5 sys\nq1 Q0 d-10 3 1.5 sys\nq1 Q0 d-1 4 1.5 sys\nq2 Q0 d-1 1 -0.25 sys\n"
	if out.String() != want {
		t.Errorf("got %q, want %q", out.String(), want)
	}
	for text, want := range map[string]string{
		"q Q0 d 1 0.5":                          "x, line 1: got 5 columns, want 6",
		"q Q0 d 1 high s":                       `the score "high" is not a number`,
		"q Q0 d 1 NaN s":                        `the score "NaN" is not a number`,
		"q Q0 d 1 2 s\n\nq Q0 d 2 1 s":          `line 3: document "d" is ranked twice for query "q"`,
		"q Q0 d 1 2 s\n#q Q0\nq Q0 e 2 1e999 s": "line 3: the score",
	} {
		if _, err := readRun("x", strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got error %v", text, err)
		}
	}
	for _, bad := range []*Run{
		{Tag: "", Results: nil},
		{Tag: "s", Results: map[string][]Scored{"q": {{"a b", 1}}}},
		{Tag: "s", Results: map[string][]Scored{"q": {{"a", 1}, {"a", 2}}}},
	} {
		if err := WriteRun(io.Discard, bad); err == nil {
			t.Errorf("%+v was written", bad)
		}
	}
	failing := iotest.ErrReader(errors.New("the disk is gone"))
	if _, err := readRun("x", failing); err == nil || !strings.Contains(err.Error(), "x, line 1: the disk is gone") {
		t.Errorf("failing file: got error %v", err)
	}
}

func TestScoresSurviveARun(t *testing.T) {
	r := &Run{Tag: "s", Results: map[string][]Scored{"q": {{"a", 0.1}, {"b", math.Nextafter(0.1, 1)}, {"c", math.Inf(-1)}, {"d", 5e-324}}}}
	var out bytes.Buffer
	if err := WriteRun(&out, r); err != nil {
		t.Fatal(err)
	}
	back, err := readRun("x", &out)
	if err != nil || !slices.Equal(Rank(back.Results["q"]), []string{"b", "a", "d", "c"}) {
		t.Errorf("got %+v, %v", back, err)
	}
}
