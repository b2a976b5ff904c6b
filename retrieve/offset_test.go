package retrieve

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/index"
	"github.com/nsfl-go/nsfl/profile"
)

// copied returns a collection of n documents, some of them copies of others.
func copied(t *testing.T, n int) *Searcher {
	t.Helper()
	c, err := index.Create(t.Context(), t.TempDir(), index.Options{Dimension: dim})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	r := rand.New(rand.NewPCG(3, 3))
	var docs []engine.Document
	for i := range n {
		d := engine.Document{ID: fmt.Sprint("doc-", i)}
		first, last := "abcdefgh"[r.IntN(8):][:1], "abcdefgh"[r.IntN(8):][:1]
		if d.Text = strings.Repeat(first+" ", 60) + page(fmt.Sprint(last, i), last); i > 10 && r.IntN(3) == 0 {
			d.Text = docs[r.IntN(i)].Text
		}
		d.Vector = vectorOf(d.Text)
		docs = append(docs, d)
	}
	if err := c.Upsert(t.Context(), docs); err != nil {
		t.Fatal(err)
	}
	return &Searcher{Store: c, Encoder: &hashing{}}
}

// TestOffset checks that consecutive pages add up to the results of one larger search.
func TestOffset(t *testing.T) {
	words, _ := corpus(t, 400)
	l := profile.Logistic{Intercept: -2, Score: 4}
	words.Profile = &profile.Profile{Name: "calibrated", Calibration: &l}
	copies := copied(t, 400)
	pooled := &Searcher{Store: &sampledStore{Store: words.Store}, Encoder: &hashing{}} // a store that cannot scan
	for _, s := range []*Searcher{words, copies, pooled} {
		for mode := Baseline; int(mode) < len(modeNames); mode++ {
			if mode == Exact && s == pooled {
				continue
			}
			for _, o := range []Options{{}, {AllCopies: true}, {Compare: true, Explain: true}, {MinProbability: 0.2}} {
				if o.MinProbability > 0 && (s != words || !mode.calculus()) {
					continue
				}
				o.Mode, o.Candidates = mode, 350
				checkPages(t, s, "a AND b", o)
			}
		}
	}
}

// checkPages compares pages of several sizes with the full result.
func checkPages(t *testing.T, s *Searcher, text string, o Options) {
	t.Helper()
	name := fmt.Sprintf("%T, %s, all copies %t, at least %v", s.Store, o.Mode, o.AllCopies, o.MinProbability)
	search := func(offset, k int) *Result {
		t.Helper()
		o.Offset, o.K = offset, k
		r, err := s.Search(t.Context(), asked(t, text), o)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		return r
	}
	const total = 60
	all := search(0, total)
	folded := slices.ContainsFunc(all.Hits, func(h Hit) bool { return h.CopyCount > 0 })
	for _, size := range []int{7, 20, 59} {
		var hits []Hit
		var plain []PlainHit
		left := 0
		for offset := 0; offset < total; offset += size {
			k := min(size, total-offset)
			r := search(offset, k)
			hits, plain, left = append(hits, r.Hits...), append(plain, r.Plain...), left+r.LeftOut
			further := offset+len(r.Hits) < len(all.Hits) || offset+k == total && all.Next > 0
			if r.Offset != offset || further != (r.Next > 0) || r.Next > 0 && r.Next != offset+len(r.Hits) {
				t.Errorf("%s: after %d of %d from %d on, of %d, next is %d", name, len(r.Hits), k, offset, len(all.Hits), r.Next)
			}
			if p := r.Proof; p != nil && p.Exact == len(r.Hits) && len(r.Hits) > 1 && !strings.HasPrefix(p.Says, fmt.Sprintf("proven: the first %d are exact", offset+len(r.Hits))) {
				t.Errorf("%s: %d from %d on: %s", name, k, offset, p.Says)
			}
		}
		if len(hits) != len(all.Hits) || len(plain) != len(all.Plain) || left != all.LeftOut {
			t.Errorf("%s: pages of %d: %d results and %d plain ones, %d left out; want %d, %d and %d", name, size, len(hits), len(plain), left, len(all.Hits), len(all.Plain), all.LeftOut)
			continue
		}
		for i, h := range hits {
			w := &all.Hits[i]
			if folded { // plain retrieval folds copies only down to the last result shown
				h.PlainRank = w.PlainRank
			}
			if h.Rank != i+1 || h.ID != w.ID || h.Score != w.Score || h.Probability != w.Probability || h.PlainRank != w.PlainRank || h.Snippet.Text != w.Snippet.Text || (h.Explanation == nil) != (w.Explanation == nil) {
				t.Errorf("%s: pages of %d: result %d is %d %s, %v %v %d, want %s, %v %v %d", name, size, i+1, h.Rank, h.ID, h.Score, h.Probability, h.PlainRank, w.ID, w.Score, w.Probability, w.PlainRank)
				break
			}
		}
		for i, h := range plain {
			if w := &all.Plain[i]; h.Rank != w.Rank || h.ID != w.ID || h.Text != w.Text {
				t.Errorf("%s: pages of %d: plain result %d is %d %s, want %d %s", name, size, i+1, h.Rank, h.ID, w.Rank, w.ID)
				break
			}
		}
	}
}

// TestOffsetEnds checks that pages end with the documents, and that an offset beyond the limit
// is an error.
func TestOffsetEnds(t *testing.T) {
	s, docs := corpus(t, 25)
	r, err := s.Search(t.Context(), asked(t, "a AND b"), Options{K: 10, Offset: 20, AllCopies: true})
	if err != nil || len(r.Hits) != 5 || r.Hits[4].Rank != len(docs) || r.Next != 0 {
		t.Errorf("got error %v and %+v, want the last 5 hits and no next page", err, r)
	}
	if r, err = s.Search(t.Context(), asked(t, "a AND b"), Options{K: 10, Offset: 100}); err != nil || len(r.Hits) != 0 || r.Next != 0 {
		t.Errorf("got error %v and %+v, want no hits and no next page", err, r)
	}
	for _, o := range []Options{{Offset: -1}, {Offset: MaxK}, {Offset: math.MaxInt}, {Offset: MaxK - 5, K: 6}} {
		var bad *OptionError
		if _, err := s.Search(t.Context(), asked(t, "a AND b"), o); !errors.As(err, &bad) {
			t.Errorf("%+v: %v", o, err)
		}
	}
}
