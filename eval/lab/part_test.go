package lab_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl/eval/lab"
	"github.com/nsfl-go/nsfl/eval/sets"
)

func TestPart(t *testing.T) {
	docs := []sets.Document{
		{ID: "1", Labels: []string{"x", "y"}}, {ID: "2", Labels: []string{"y"}}, {ID: "3", Labels: []string{"x", "z"}},
	}
	for _, c := range []struct {
		documents, every      int
		left, queries, graded string
		warning               string
	}{
		{0, 0, "1 2 3", "x y z", "x:1 x:3 y:1 y:2 z:3", ""},
		{2, 1, "1 2", "x y", "x:1 y:1 y:2", "1 of 3 queries of small have no relevant documents among the first 2"},
		{9, 2, "1 2 3", "x z", "x:1 x:3 z:3", ""},
	} {
		set := setOf(docs, "x", "y", "z")
		part, err := lab.Part(set, c.documents, c.every)
		if err != nil {
			t.Fatal(err)
		}
		var left, queries, graded []string
		for d := range part.Documents {
			left = append(left, d.ID)
		}
		for i := range part.Queries {
			q := &part.Queries[i]
			queries = append(queries, q.Formula)
			for id := range q.Relevant() {
				graded = append(graded, q.Formula+":"+id)
			}
			if len(q.Ideal()) == 0 || slices.ContainsFunc(left, func(id string) bool { return q.Grade(id) > 0 != slices.Contains(graded, q.Formula+":"+id) }) {
				t.Errorf("%d, %d: the grades of %s do not agree", c.documents, c.every, q.Formula)
			}
		}
		for _, pair := range [][2]string{{strings.Join(left, " "), c.left}, {strings.Join(queries, " "), c.queries}, {strings.Join(graded, " "), c.graded}} {
			if pair[0] != pair[1] {
				t.Errorf("%d, %d: got %q, want %q", c.documents, c.every, pair[0], pair[1])
			}
		}
		if got := strings.Join(part.Warnings, "\n"); !strings.Contains(got, c.warning) || (got == "") != (c.warning == "") {
			t.Errorf("%d, %d: got warnings %q, want %q", c.documents, c.every, got, c.warning)
		}
		if len(set.Queries) != 3 || len(set.Queries[0].Ideal()) != 2 {
			t.Error("the set itself was changed")
		}
	}
	for _, c := range []struct{ documents, every int }{{-1, 0}, {0, -1}, {1, 3}} {
		if part, err := lab.Part(setOf(docs[1:], "x"), c.documents, c.every); err == nil {
			t.Errorf("%d, %d: got %d queries and no error", c.documents, c.every, len(part.Queries))
		}
	}
}
