package retrieve

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/index"
)

// counting counts calls of Documents and the texts read.
type counting struct {
	*index.Collection
	texts, calls int
}

func (c *counting) Documents(ctx context.Context, refs []engine.Ref, parts engine.Parts) ([]engine.Document, error) {
	if c.calls++; parts.Has(engine.Texts) {
		c.texts += len(refs)
	}
	return c.Collection.Documents(ctx, refs, parts)
}

// folder returns a collection of texts, given as ID and text. Vectors depend only on the text.
func folder(t testing.TB, texts ...[2]string) (*Searcher, *counting) {
	t.Helper()
	c, err := index.Create(t.Context(), t.TempDir(), index.Options{Dimension: dim})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	var docs []engine.Document
	for _, x := range texts {
		docs = append(docs, engine.Document{ID: x[0], Text: x[1], Vector: vectorOf(x[1])})
	}
	if err := c.Upsert(t.Context(), docs); err != nil {
		t.Fatal(err)
	}
	store := &counting{Collection: c}
	return &Searcher{Store: store, Encoder: &hashing{}}, store
}

// page returns a text of about eighty words dominated by one word.
func page(word, last string) string {
	var b strings.Builder
	for i := range 79 {
		if i%3 == 0 {
			b.WriteString(word + " ")
		} else {
			fmt.Fprintf(&b, "%s%d ", word, i)
		}
	}
	return b.String() + last
}

// told formats the hits of a result with their copies, as in 1 a +2: b c.
func told(r *Result) (out []string) {
	for _, h := range r.Hits {
		line := fmt.Sprint(h.Rank, " ", h.ID)
		if h.CopyCount > 0 {
			line += fmt.Sprintf(" +%d:", h.CopyCount)
		}
		for _, c := range h.Copies {
			line += " " + c.ID
		}
		out = append(out, line)
	}
	return out
}

func TestCopiesAreFolded(t *testing.T) {
	s, _ := folder(t,
		[2]string{"a1", page("a", "2001")}, [2]string{"b1", page("b", "x")}, [2]string{"a2", page("a", "2001")}, [2]string{"a3", page("a", "2002")},
		[2]string{"c", "a c"}, [2]string{"d", "a d"}, [2]string{"c2", "a c"}, [2]string{"b2", page("b", "x")}, [2]string{"not", page("a", "not 2001")},
	)
	for _, mode := range []Mode{Exact, Baseline, Rerank, Hybrid, SQO} {
		o := Options{K: 4, Compare: true, Explain: true, Research: Research{Mode: mode}}
		all := o
		all.AllCopies, all.K = true, 9
		every, err := s.Search(t.Context(), asked(t, "a"), all)
		if err != nil {
			t.Fatal(err)
		}
		r, err := s.Search(t.Context(), asked(t, "a"), o)
		if err != nil {
			t.Fatal(err)
		}
		// Each group is represented by its best document, in ranking order, with that
		// document's score.
		kind := map[string]string{"a1": "a", "a2": "a", "a3": "a", "b1": "b", "b2": "b", "c": "c", "c2": "c", "d": "d", "not": "not"}
		shown := map[string]int{}
		var want []string
		for _, h := range every.Hits {
			if h.CopyCount > 0 || h.Copies != nil {
				t.Errorf("%s: %s has copies", mode, h.ID)
			}
			switch i, ok := shown[kind[h.ID]]; {
			case ok:
				want[i] += " " + h.ID
			case len(want) < 4:
				shown[kind[h.ID]] = len(want)
				want = append(want, fmt.Sprint(len(want)+1, " ", h.ID))
				if got := r.Hits[len(want)-1]; got.Score != h.Score || got.Explanation.Score != h.Explanation.Score {
					t.Errorf("%s: %s has a score of %v, want %v", mode, got.ID, got.Score, h.Score)
				}
			}
		}
		for i, line := range want {
			if f := strings.Fields(line); len(f) > 2 {
				want[i] = fmt.Sprintf("%s %s +%d: %s", f[0], f[1], len(f)-2, strings.Join(f[2:], " "))
			}
		}
		if got := told(r); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", mode, got, want)
		}
		checkPlain(t, r, kind)
	}
	// Why explains a copy by its ID.
	why, err := s.Why(t.Context(), asked(t, "a"), Options{}, "a3")
	if err != nil || len(why.Hits) != 1 || why.Hits[0].ID != "a3" || why.Hits[0].Rank == 0 || why.Hits[0].Copies != nil {
		t.Errorf("why a3: %+v, %v", why, err)
	}
}

// checkPlain checks that both lists are folded the same way, and that each refers to the ranks
// of the other.
func checkPlain(t *testing.T, r *Result, kind map[string]string) {
	t.Helper()
	now := map[string]int{}
	for _, h := range r.Hits {
		now[kind[h.ID]] = h.Rank
	}
	for i, p := range r.Plain {
		if p.Rank != i+1 || p.Now != now[kind[p.ID]] {
			t.Errorf("%s: plain %s has rank %d, now %d, want %d", r.Mode, p.ID, p.Rank, p.Now, now[kind[p.ID]])
		}
		for _, h := range r.Hits {
			if kind[h.ID] == kind[p.ID] && h.PlainRank != p.Rank {
				t.Errorf("%s: %s was %d, and stands at %d", r.Mode, h.ID, h.PlainRank, p.Rank)
			}
		}
	}
	if len(r.Plain) != 4 {
		t.Errorf("%s: %d of plain retrieval are shown", r.Mode, len(r.Plain))
	}
}

// TestCopiesDifferInWhatIsAsked checks that texts that differ in a query term are not copies.
func TestCopiesDifferInWhatIsAsked(t *testing.T) {
	text := page("chair", "with a %s seat")
	s, _ := folder(t, [2]string{"red", fmt.Sprintf(text, "red")}, [2]string{"blue", fmt.Sprintf(text, "blue")})
	for formula, want := range map[string]int{"chair": 1, "chair AND seat": 1, "chair AND NOT red": 2, "chair AND blue": 2} {
		r, err := s.Search(t.Context(), asked(t, formula), Options{Compare: true, Profile: spoken, Research: Research{Mode: Exact}})
		if err != nil || len(r.Hits) != want || len(r.Plain) != want {
			t.Errorf("%s: %q, %v; want %d", formula, told(r), err, want)
		}
	}
}

// TestCopiesAreReadOnce checks that looking for copies reads few documents: hardly any extra
// if there are no copies, and a bounded number if there are many.
func TestCopiesAreReadOnce(t *testing.T) {
	distinct := func(n int) (texts [][2]string) {
		for i := range n {
			texts = append(texts, [2]string{fmt.Sprint("d", i), page(fmt.Sprint("w", i), "a")})
		}
		return texts
	}
	search := func(texts [][2]string, o Options) (*Result, *counting) {
		s, store := folder(t, texts...)
		o.K, o.Mode = 10, Exact
		r, err := s.Search(t.Context(), asked(t, "a AND NOT b"), o)
		if err != nil {
			t.Fatal(err)
		}
		return r, store
	}
	if r, store := search(distinct(300), Options{AllCopies: true}); store.texts != 10 || store.calls != 1 {
		t.Errorf("all copies: %d texts in %d calls for %q", store.texts, store.calls, told(r))
	}
	if r, store := search(distinct(300), Options{}); len(r.Hits) != 10 || store.texts > 10+copyReads || store.calls > 3 {
		t.Errorf("no copies: %d texts in %d calls for %q", store.texts, store.calls, told(r))
	}
	many := distinct(9)
	for i := range 400 {
		many = append(many, [2]string{fmt.Sprint("copy", i), page("a", "b")})
	}
	r, store := search(many, Options{})
	if store.texts > 10+copyDepth || store.calls > 10 {
		t.Errorf("many copies: %d texts in %d calls", store.texts, store.calls)
	}
	i := slices.IndexFunc(r.Hits, func(h Hit) bool { return h.CopyCount > 0 })
	if i < 0 || len(r.Hits[i].Copies) != maxCopies || r.Hits[i].CopyCount < copyReads || r.Hits[i].CopyCount > copyDepth+10 {
		t.Errorf("many copies: %q", told(r))
	}
	seen := map[string]bool{}
	for _, h := range r.Hits {
		if seen[strings.TrimRight(h.ID, "0123456789")] && strings.HasPrefix(h.ID, "copy") {
			t.Errorf("two copies are shown: %q", told(r))
		}
		seen[strings.TrimRight(h.ID, "0123456789")] = true
	}
}

// BenchmarkCopies measures the cost of folding without copies, and with copies of all but ten
// documents.
func BenchmarkCopies(b *testing.B) {
	var distinct, many [][2]string
	for i := range 1000 {
		distinct = append(distinct, [2]string{fmt.Sprint(i), page(fmt.Sprint("w", i), "a")})
		many = append(many, [2]string{fmt.Sprint(i), page(fmt.Sprint("w", i%10), fmt.Sprint("a ", i))})
	}
	for name, texts := range map[string][][2]string{"distinct": distinct, "copies": many} {
		s, store := folder(b, texts...)
		for _, all := range []bool{true, false} {
			b.Run(fmt.Sprintf("%s, all %t", name, all), func(b *testing.B) {
				store.texts = 0
				for b.Loop() {
					if _, err := s.Search(b.Context(), asked(b, "a AND NOT b"), Options{AllCopies: all, Profile: spoken, Research: Research{Mode: Exact}}); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(store.texts)/float64(b.N), "texts")
			})
		}
	}
}
