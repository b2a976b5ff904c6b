package sets

import "testing"

func TestAtLeast(t *testing.T) {
	corpus := newLabelled()
	for i, labels := range [][]string{{"A", "B"}, {"A", "C"}, {"B", "C", "D"}, {"A"}, {"A", "B", "C"}, {"E", "F", "A"}, {"B", "C"}, {"C", "D", "E"}, {"A", "D", "F"}, {"A", "D", "F", "B"}} {
		corpus.add(string(rune('a'+i)), labels, func(string) bool { return true })
	}
	s := &Set{Name: "x", Split: "dev"}
	for _, q := range [][2]string{{`"A films" AND "B films" AND "C films"`, "A AND B AND C"}, {`"A films" OR "B films"`, "A OR B"}, {`"D films" AND "E films" AND NOT "F films"`, "D AND E AND NOT F"}} {
		s.Queries = append(s.Queries, Query{Formula: q[0], Truth: q[1], judgements: matches{corpus: corpus}})
	}
	got, err := s.AtLeast()
	if err != nil {
		t.Fatal(err)
	}
	want := []struct {
		template, formula string
		relevant          int
	}{
		{"2 OF 3", "2 OF (A films, B films, C films)", 6},
		{"2 OF 5", "2 OF (A films, B films, C films, D films, E films)", 9},
		{"3 OF 6", "3 OF (A films, B films, C films, D films, E films, F films)", 6},
	}
	if len(got.Queries) != len(want) {
		t.Fatalf("got %d queries: %+v", len(got.Queries), got.Queries)
	}
	for i, w := range want {
		q := &got.Queries[i]
		n := 0
		for range q.Relevant() {
			n++
		}
		if q.Template != w.template || q.Formula != w.formula || n != w.relevant {
			t.Errorf("got %s: %s with %d, want %s: %s with %d", q.Template, q.Formula, n, w.template, w.formula, w.relevant)
		}
	}
	if _, err := (&Set{Queries: []Query{plain("1", "dogs", nil)}}).AtLeast(); err == nil {
		t.Error("a set without labels was accepted")
	}
}
