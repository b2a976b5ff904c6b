package enginetest

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/query"
)

// A Ref that is found by id is the one that pools have.
func testFind(t *testing.T, m Maker) {
	docs := m.corpus(12)
	ctx, s := context.Background(), m.stored(t, docs)
	finds := func() {
		t.Helper()
		for id, want := range refsOf(t, s, 12) {
			if got, err := s.Find(ctx, id); err != nil || got != want {
				t.Errorf("%s is found as %v, %v; pools have %v", id, got, err, want)
			}
		}
	}
	finds()
	if !m.written() {
		findsNone(t, s)
		return
	}
	replaced := corpus(5)[2:5]
	replaced[0].Text = "another text"
	upsert(t, s, replaced)
	finds()
	ref := must(s.Find(ctx, "id-2"))(t)
	got := must(s.Documents(ctx, []engine.Ref{ref}, engine.AllParts))(t)
	same(t, &got[0], &replaced[0])
	must(s.Delete(ctx, []string{"id-3"}))(t)
	findsNone(t, s, "id-3")
}

// listed reads all pages of the documents that pass a filter, and calls between, which may be
// nil, before every page but the first.
func listed(t *testing.T, s Store, filter query.Node, limit int, between func(page int)) []engine.Document {
	t.Helper()
	var all []engine.Document
	for mark, page := "", 0; ; page++ {
		docs, next, err := s.List(context.Background(), engine.Page{Filter: filter, After: mark, Limit: limit, Parts: engine.AllParts})
		if err != nil {
			t.Fatalf("page %d of %d documents: %v", page, limit, err)
		}
		if len(docs) > limit {
			t.Fatalf("page %d has %d documents, at most %d were asked for", page, len(docs), limit)
		}
		bounded(t, docs)
		if len(docs) == 0 {
			return all
		}
		if page > 1000 {
			t.Fatal("pages do not come to an end")
		}
		all, mark = append(all, docs...), next
		if between != nil {
			between(page + 1)
		}
	}
}

func times(docs []engine.Document) map[string]int {
	n := map[string]int{}
	for _, d := range docs {
		n[d.ID]++
	}
	return n
}

// A list has every document that passes a filter once and whole, whatever the size of its pages.
func testList(t *testing.T, m Maker) {
	docs := m.corpus(47)
	docs[1].Metadata = nil
	docs[2].Title, docs[2].Text = "", ""
	ctx, s := context.Background(), m.stored(t, docs)
	if m.written() {
		must(s.Delete(ctx, []string{docs[5].ID, docs[46].ID}))(t)
		upsert(t, s, docs[8:11])
		docs = slices.Delete(docs[:46], 5, 6)
	}
	for _, filter := range []string{"", "even:true", "n:<7", "n:43", "NOT n:>=40", "n:<0", "even:true AND n:>20", "n:>=0"} {
		want := map[string]engine.Document{}
		for _, d := range passing(t, docs, filterOf(t, filter)) {
			want[d.ID] = d
		}
		limits := []int{1, 6, 5000}
		if filter == "" {
			limits = append(limits, len(docs)-1, len(docs), len(docs)+1)
		}
		for _, limit := range limits {
			got := listed(t, s, filterOf(t, filter), limit, nil)
			if len(got) != len(want) || len(times(got)) != len(want) {
				t.Errorf("filter %q, pages of %d: %d documents, %d different ones, want %d", filter, limit, len(got), len(times(got)), len(want))
			}
			for i := range got {
				if d, ok := want[got[i].ID]; !ok {
					t.Errorf("filter %q, pages of %d: %q is listed", filter, limit, got[i].ID)
				} else {
					same(t, &got[i], &d)
				}
			}
		}
	}
	for _, bad := range []engine.Page{{After: "\xff no mark", Limit: 10}, {Limit: 0}, {Limit: -1}, {Limit: 1, Filter: &query.And{}}, {Limit: 1, Filter: &query.Atom{Text: "a"}}} {
		_, _, err := s.List(ctx, bad)
		refused(t, fmt.Sprintf("%+v", bad), err)
	}
}

// testMarks checks that marks stay valid while documents are added, changed and deleted. A
// document that exists throughout is listed once; a
// replaced document is listed in its current version, perhaps a second time.
func testMarks(t *testing.T, m Maker) {
	ctx, s := context.Background(), m.open(t, dim)
	docs := corpus(40)
	upsert(t, s, docs)
	changed := map[string]bool{}
	got := listed(t, s, nil, 4, func(page int) {
		if page > 8 {
			return
		}
		gone, other, fresh := fmt.Sprint("id-", page), docs[39-page], corpus(100 + page)[99+page:]
		changed[gone], changed[other.ID], changed[fresh[0].ID] = true, true, true
		must(s.Delete(ctx, []string{gone}))(t)
		other.Text = "replaced"
		upsert(t, s, append(fresh, other))
	})
	n, last := times(got), map[string]engine.Document{}
	for _, d := range got {
		last[d.ID] = d
	}
	for i := range docs {
		switch d := last[docs[i].ID]; {
		case !changed[docs[i].ID] && n[docs[i].ID] != 1:
			t.Errorf("%s was there all the time and is listed %d times", docs[i].ID, n[docs[i].ID])
		case i > 30 && i < 39 && n[docs[i].ID] == 0:
			t.Errorf("%s, which was replaced, is not listed", docs[i].ID)
		case n[docs[i].ID] > 1 && d.Text != "replaced":
			t.Errorf("%s is listed %d times, last as it was", docs[i].ID, n[docs[i].ID])
		}
	}
	if n := len(listed(t, s, nil, 100, nil)); n != 40 {
		t.Errorf("listed %d documents after the changes, want 40", n)
	}
}

func testReopenedMarks(t *testing.T, m Maker) {
	docs := m.corpus(40)
	s := m.stored(t, docs)
	all, mark, err := s.List(context.Background(), engine.Page{Limit: 11})
	check(t, err)
	for d, err := range engine.All(context.Background(), m.reopened(t, s), engine.Page{After: mark, Limit: 11}) {
		check(t, err)
		all = append(all, d)
	}
	if seen := times(all); len(all) != len(docs) || len(seen) != len(docs) {
		t.Errorf("listed %d documents, %d different ones, want %d", len(all), len(seen), len(docs))
	}
}
