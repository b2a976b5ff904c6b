package enginetest

import (
	"context"
	"errors"
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
	if m.attached != nil {
		findsNone(t, s)
		return
	}
	replaced := corpus(5)[2:5]
	replaced[0].Text = "another text"
	upsert(t, s, replaced)
	finds()
	ref, err := s.Find(ctx, "id-2")
	if err != nil {
		t.Fatal(err)
	}
	got, err := s.Documents(ctx, []engine.Ref{ref}, engine.AllParts)
	if err != nil {
		t.Fatal(err)
	}
	same(t, &got[0], &replaced[0])
	if _, err := s.Delete(ctx, []string{"id-3"}); err != nil {
		t.Fatal(err)
	}
	findsNone(t, s, "id-3")
}

// findsNone checks that missing documents are not found.
func findsNone(t *testing.T, s Store, gone ...string) {
	t.Helper()
	for _, id := range append(gone, "never", "", "id-", "ID-2", "id-2 ", "id-2\x00", "\xff") {
		if ref, err := s.Find(context.Background(), id); !errors.Is(err, engine.ErrNotFound) {
			t.Errorf("%q is found as %v, %v", id, ref, err)
		}
	}
}

// listed reads all pages, and calls between before every page but the first.
func listed(t *testing.T, s Store, limit int, between func(page int)) []engine.Document {
	t.Helper()
	return listedBy(t, s, nil, limit, between)
}

// listedBy reads all pages of what passes a filter.
func listedBy(t *testing.T, s Store, filter query.Node, limit int, between func(page int)) []engine.Document {
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

// times is how often each id is in a list.
func times(docs []engine.Document) map[string]int {
	n := map[string]int{}
	for _, d := range docs {
		n[d.ID]++
	}
	return n
}

// A list has every document once and whole, whatever the size of its pages.
func testList(t *testing.T, m Maker) {
	docs := m.corpus(47)
	docs[1].Metadata = nil
	docs[2].Title, docs[2].Text = "", ""
	ctx, s := context.Background(), m.stored(t, docs)
	there := map[string]*engine.Document{}
	for i := range docs {
		there[docs[i].ID] = &docs[i]
	}
	if m.attached == nil {
		for _, i := range []int{5, 46} {
			delete(there, docs[i].ID)
			if _, err := s.Delete(ctx, []string{docs[i].ID}); err != nil {
				t.Fatal(err)
			}
		}
		upsert(t, s, docs[8:11])
	}
	for _, limit := range []int{1, 7, 44, 45, 46, 5000} {
		got := listed(t, s, limit, nil)
		for id, n := range times(got) {
			if n != 1 {
				t.Errorf("pages of %d: %s is listed %d times", limit, id, n)
			}
		}
		if len(got) != len(there) {
			t.Errorf("pages of %d list %d documents, want %d", limit, len(got), len(there))
		}
		for i := range got {
			if want := there[got[i].ID]; want == nil {
				t.Errorf("pages of %d list %q", limit, got[i].ID)
			} else {
				same(t, &got[i], want)
			}
		}
	}
	for _, bad := range []engine.Page{{After: "\xff no mark", Limit: 10}, {Limit: 0}, {Limit: -1}, {Limit: 1, Filter: &query.And{}}, {Limit: 1, Filter: &query.Atom{Text: "a"}}} {
		var input *engine.InputError
		if docs, _, err := s.List(ctx, bad); !errors.As(err, &input) {
			t.Errorf("%+v: %d documents, %v", bad, len(docs), err)
		}
	}
}

// A list by a filter has all that pass, once and whole, and nothing else.
func testListFilter(t *testing.T, m Maker) {
	docs := m.corpus(47)
	s := m.stored(t, docs)
	for _, filter := range []string{"even:true", "n:<7", "n:46", "NOT n:>=40", "n:<0", "even:true AND n:>20", "n:>=0"} {
		var want []engine.Document
		for i := range docs {
			values, err := engine.Values(docs[i].Metadata)
			if err != nil {
				t.Fatal(err)
			}
			if engine.Passes(filterOf(t, filter), values) {
				want = append(want, docs[i])
			}
		}
		for _, limit := range []int{1, 6, 5000} {
			got := listedBy(t, s, filterOf(t, filter), limit, nil)
			if len(got) != len(want) {
				t.Errorf("%s, pages of %d: %d documents, want %d", filter, limit, len(got), len(want))
			}
			for i := range want {
				at := slices.IndexFunc(got, func(d engine.Document) bool { return d.ID == want[i].ID })
				if at < 0 {
					t.Errorf("%s, pages of %d: %s is not listed", filter, limit, want[i].ID)
					continue
				}
				same(t, &got[at], &want[i])
			}
		}
	}
}

// testMarks checks that marks stay valid while documents are added, changed and deleted, and
// after the collection is reopened. A document that exists throughout is listed once; a
// replaced document is listed in its current version, perhaps a second time.
func testMarks(t *testing.T, m Maker) {
	ctx, s := context.Background(), m.open(t, dim)
	docs := corpus(40)
	upsert(t, s, docs)
	changed := map[string]bool{}
	got := listed(t, s, 4, func(page int) {
		if page > 8 {
			return
		}
		gone, other, fresh := fmt.Sprint("id-", page), docs[39-page], corpus(100 + page)[99+page:]
		changed[gone], changed[other.ID], changed[fresh[0].ID] = true, true, true
		if _, err := s.Delete(ctx, []string{gone}); err != nil {
			t.Fatal(err)
		}
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
	want := len(listed(t, s, 100, nil))
	first, mark, err := s.List(ctx, engine.Page{Limit: 11})
	if err != nil {
		t.Fatal(err)
	}
	again := m.reopened(t, s)
	seen := times(first)
	for {
		page, next, err := again.List(ctx, engine.Page{After: mark, Limit: 11})
		if err != nil {
			t.Fatal(err)
		}
		if len(page) == 0 {
			break
		}
		mark = next
		for _, d := range page {
			seen[d.ID]++
		}
	}
	if len(seen) != want || want != 40 {
		t.Errorf("a mark from before lists %d documents in all, want %d, which should be 40", len(seen), want)
	}
	for id, n := range seen {
		if n != 1 {
			t.Errorf("with a mark from before %s is listed %d times", id, n)
		}
	}
}
