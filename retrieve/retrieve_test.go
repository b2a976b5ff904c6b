package retrieve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl/encoder"
	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/fusion"
	"github.com/nsfl-go/nsfl/index"
	"github.com/nsfl-go/nsfl/internal/vec"
	"github.com/nsfl-go/nsfl/logic"
	"github.com/nsfl-go/nsfl/profile"
	"github.com/nsfl-go/nsfl/query"
	"github.com/nsfl-go/nsfl/sphere"
)

const dim = 24

// hashing is an encoder that gives every string its own vector and counts its calls.
type hashing struct{ calls int }

func (h *hashing) Identity() encoder.Identity {
	return encoder.Identity{Name: "hashing", Dimension: dim}
}

func (h *hashing) Encode(_ context.Context, _ encoder.Role, texts []string) (encoder.Encoded, error) {
	h.calls++
	out := encoder.Encoded{Cut: make([]bool, len(texts))}
	for i, t := range texts {
		out.Vectors = append(out.Vectors, vectorOf(t))
		out.Cut[i] = len(t) > 100
	}
	return out, nil
}

// vectorOf returns the mean of the vectors of the words, so a fusion is near its atoms, plus a
// small vector for the whole string.
func vectorOf(text string) []float32 {
	v := make([]float32, dim)
	add := func(s string, scale float32) {
		h := fnv.New64a()
		h.Write([]byte(s))
		r := rand.New(rand.NewPCG(h.Sum64(), 1))
		for i := range v {
			v[i] += scale * (float32(r.NormFloat64()) + 0.4)
		}
	}
	for _, w := range strings.Fields(text) {
		add(w, 1)
	}
	add(text, 0.3)
	if err := vec.Normalize(v); err != nil {
		panic(err)
	}
	return v
}

// corpus returns a collection of n documents of random words. Every third document has
// passages.
func corpus(t *testing.T, n int) (*Searcher, []engine.Document) {
	t.Helper()
	ctx := context.Background()
	c, err := index.Create(ctx, t.TempDir(), index.Options{Dimension: dim})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	words := strings.Fields("a b c d e f g h")
	r := rand.New(rand.NewPCG(7, 7))
	sentence := func() string {
		return words[r.IntN(len(words))] + " " + words[r.IntN(len(words))] + " " + words[r.IntN(len(words))]
	}
	docs := make([]engine.Document, n)
	for i := range docs {
		text := sentence()
		docs[i] = engine.Document{
			ID: fmt.Sprint("doc-", i), Title: fmt.Sprint("title ", i), Text: text,
			Metadata: []byte(fmt.Sprintf(`{"n": %d, "even": %t}`, i, i%2 == 0)),
		}
		if i%3 == 0 {
			other := sentence()
			docs[i].Text = text + " " + other
			docs[i].Passages = []engine.Passage{{Text: docs[i].Title, Vector: vectorOf(docs[i].Title)}, {Text: text, Vector: vectorOf(text)}, {Text: other, Vector: vectorOf(other)}}
		}
		docs[i].Vector = vectorOf(docs[i].Text)
	}
	if err := c.Upsert(ctx, docs); err != nil {
		t.Fatal(err)
	}
	return &Searcher{Store: c, Encoder: &hashing{}}, docs
}

// similarity computes the similarity of a document as the engine defines it.
func similarity(d *engine.Document, v []float32) float64 {
	whole := vec.Dot64(d.Vector, v)
	if len(d.Passages) == 0 {
		return whole
	}
	best := math.Inf(-1)
	for _, p := range d.Passages {
		best = max(best, vec.Dot64(p.Vector, v))
	}
	return (whole + best) / 2
}

func parsed(t testing.TB, text string) *query.Formula {
	t.Helper()
	f, err := query.ParseFormula(text)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func asked(t testing.TB, text string) *Question { return Ask(parsed(t, text)) }

// naive implements the modes with plain loops over all documents.
type naive struct {
	t       *testing.T
	f       *query.Formula
	docs    []engine.Document
	vectors [][]float32
	program *logic.Program
}

func newNaive(t *testing.T, formula string, docs []engine.Document) *naive {
	n := &naive{t: t, f: parsed(t, formula), docs: docs}
	plan := fusion.New(n.f, fusion.Simple)
	var strings [][]float32
	for _, s := range plan.Strings {
		strings = append(strings, vectorOf(s))
	}
	var err error
	if n.vectors, err = plan.Vectors(strings, nil); err != nil {
		t.Fatal(err)
	}
	if n.program, err = logic.Compile(n.f, logic.Options{}); err != nil {
		t.Fatal(err)
	}
	return n
}

func (n *naive) near(v []float32, k int, among []int) []int {
	scores := map[int]float64{}
	for _, d := range among {
		scores[d] = similarity(&n.docs[d], v)
	}
	out := slices.Clone(among)
	slices.SortFunc(out, func(a, b int) int { return cmp.Or(cmp.Compare(scores[b], scores[a]), cmp.Compare(a, b)) })
	return out[:min(k, len(out))]
}

func (n *naive) calculus(pool []int, k int) []int {
	columns := make([][]float32, len(n.vectors))
	for t, v := range n.vectors {
		for _, d := range pool {
			columns[t] = append(columns[t], float32(similarity(&n.docs[d], v)))
		}
	}
	scores := make([]float32, len(pool))
	if _, err := n.program.Rank(scores, columns); err != nil {
		n.t.Fatal(err)
	}
	byDoc := map[int]float32{}
	for i, d := range pool {
		byDoc[d] = scores[i]
	}
	out := slices.Clone(pool)
	slices.SortFunc(out, func(a, b int) int { return cmp.Or(cmp.Compare(byDoc[b], byDoc[a]), cmp.Compare(a, b)) })
	return out[:min(k, len(out))]
}

func (n *naive) answer(mode Mode, k, candidates int, among []int) []int {
	m := n.vectors[n.f.Terms.Index(n.f.Monolithic())]
	g, err := sphere.Geometric(n.f, n.vectors)
	if err != nil {
		n.t.Fatal(err)
	}
	x, err := sphere.Exact(n.program.Objective(), n.vectors)
	if err != nil {
		n.t.Fatal(err)
	}
	_, or := n.f.Root.(*query.Or)
	switch mode {
	case Baseline:
		return n.near(m, k, among)
	case Rerank:
		return n.calculus(n.near(m, candidates, among), k)
	case SQO:
		return n.near(x.Vector, k, among)
	case Hybrid, Exact: // Hybrid only as far as it is proven
		return n.calculus(among, k)
	case GeoRerank, GeoHybrid:
		pool := n.near(m, candidates, among)
		if mode == GeoHybrid {
			pool = n.near(g, candidates, among)
		}
		if or {
			return n.calculus(pool, k)
		}
		return n.near(g, k, pool)
	case GeoOpt:
		return n.near(g, k, among)
	}
	n.t.Fatalf("no definition of %s", mode)
	return nil
}

// TestModes checks every mode against its definition, document by document.
func TestModes(t *testing.T) {
	s, docs := corpus(t, 400)
	all := make([]int, len(docs))
	var even []int
	for i := range docs {
		all[i] = i
		if i%2 == 0 {
			even = append(even, i)
		}
	}
	const k, candidates = 20, 60
	proven := 0
	for _, formula := range []string{"a AND b", "a AND b AND c", "a AND NOT b", "a AND b AND NOT c", "a OR b", "a OR b OR c", "(a OR b) AND c AND NOT d", "NOT a", "a"} {
		for mode := Baseline; mode <= GeoHybrid; mode++ {
			for _, filtered := range []bool{false, true} {
				text, among := formula, all
				if filtered {
					text, among = "("+formula+") even:true", even
				}
				calls := s.Encoder.(*hashing).calls
				r, err := s.Search(context.Background(), asked(t, text), Options{K: k, Explain: true, Compare: true, Research: Research{Mode: mode, Candidates: candidates}})
				if err != nil {
					t.Errorf("%s, %s: %v", text, mode, err)
					continue
				}
				if n := s.Encoder.(*hashing).calls - calls; n != 1 {
					t.Errorf("%s, %s: the encoder was called %d times", text, mode, n)
				}
				n := newNaive(t, text, docs)
				var want, got []string
				for _, d := range n.answer(mode, k, candidates, among) {
					want = append(want, docs[d].ID)
				}
				for _, h := range r.Hits {
					got = append(got, h.ID)
				}
				if mode == Hybrid {
					proven += r.Proof.Exact
					got, want = got[:r.Proof.Exact], want[:r.Proof.Exact]
				}
				if !slices.Equal(got, want) {
					t.Errorf("%s, %s:\n%v, want\n%v", text, mode, got, want)
				}
				checkResult(t, n, among, r)
			}
		}
	}
	if proven < 2*9*k/2 {
		t.Errorf("%d of %d results of hybrid are proven", proven, 2*9*k)
	}
}

// checkResult checks the contents of a result other than the order of its hits.
func checkResult(t *testing.T, n *naive, among []int, r *Result) {
	t.Helper()
	m := n.vectors[n.f.Terms.Index(n.f.Monolithic())]
	plain := n.near(m, len(among), among)
	place := map[string]int{}
	for i, d := range plain {
		place[n.docs[d].ID] = i + 1
	}
	for i, h := range r.Hits {
		if h.Rank != i+1 {
			t.Errorf("hit %d has rank %d", i, h.Rank)
		}
		if want := place[h.ID]; h.PlainRank != want && !(h.PlainRank == 0 && want > r.Compared) {
			t.Errorf("%s, %s: plain rank of %s is %d, want %d", r.Formula, r.Mode, h.ID, h.PlainRank, want)
		}
		if h.Explanation == nil || math.Abs(h.Explanation.Score-h.Score) > 1e-6 || h.Explanation.Sentence == "" {
			t.Errorf("%s, %s: score %v, explained as %+v", r.Formula, r.Mode, h.Score, h.Explanation)
		}
		for _, sim := range h.Similarities {
			d := n.docs[slices.IndexFunc(n.docs, func(d engine.Document) bool { return d.ID == h.ID })]
			want := similarity(&d, n.vectors[n.f.Terms.Index(parsed(t, sim.Formula).Root)])
			if math.Abs(sim.Value-want) > 1e-5 {
				t.Errorf("%s: similarity of %s to %s is %v, want %v", r.Formula, h.ID, sim.Formula, sim.Value, want)
			}
		}
		if len(h.Similarities) == 0 {
			t.Errorf("%s, %s: no similarities", r.Formula, r.Mode)
		}
	}
	for i, p := range r.Plain {
		if p.ID != n.docs[plain[i]].ID {
			t.Errorf("%s, %s: plain retrieval has %s at %d, want %s", r.Formula, r.Mode, p.ID, i+1, n.docs[plain[i]].ID)
		}
		if p.Now > 0 && r.Hits[p.Now-1].ID != p.ID {
			t.Errorf("%s: %s is said to be at %d now", r.Formula, p.ID, p.Now)
		}
	}
}

// TestUnion checks that a union pool holds the documents near any wanted term, and none for
// negated atoms.
func TestUnion(t *testing.T) {
	s, docs := corpus(t, 400)
	n := newNaive(t, "a AND b AND NOT c", docs)
	all := make([]int, len(docs))
	for i := range all {
		all[i] = i
	}
	want := map[string]bool{}
	for _, term := range []string{"a", "b", "a AND b", "a AND b AND NOT c"} {
		v := n.vectors[n.f.Terms.Index(parsed(t, term).Root)]
		for _, d := range n.near(v, 10, all) {
			want[docs[d].ID] = true
		}
	}
	r, err := s.Search(context.Background(), Ask(n.f), Options{Research: Research{Mode: Rerank, Pool: Union, Candidates: 10}})
	if err != nil || r.Ranked != len(want) {
		t.Errorf("%d candidates, %v, want %d", r.Ranked, err, len(want))
	}
}

func TestChoose(t *testing.T) {
	small, large := engine.Size{Documents: 10, Vectors: 30, Dimension: 384}, engine.Size{Documents: 1e7, Vectors: 3e7, Dimension: 384}
	for _, c := range []struct {
		formula string
		size    engine.Size
		scan    bool
		want    Mode
	}{
		{"a", small, true, Baseline},
		{"a AND b", small, true, Exact},
		{"a AND b", large, true, Hybrid},
		{"a AND b", small, false, Hybrid},
		{"NOT a", small, true, Exact},
	} {
		if got, why := choose(parsed(t, c.formula), c.size, c.scan, profile.Paper()); got != c.want || why == "" {
			t.Errorf("%s in %+v, scanning %t: %s because %q, want %s", c.formula, c.size, c.scan, got, why, c.want)
		}
	}
	s, _ := corpus(t, 30)
	r, err := s.Search(context.Background(), asked(t, "a AND b"), Options{})
	if err != nil || r.Mode != Exact || r.Reason == "" || len(r.Hits) != 10 || r.Documents != 30 {
		t.Errorf("got %+v and error %v, want mode exact with a reason and 10 hits of 30 documents", r, err)
	}
}

// noScan hides the store's ability to scan.
type noScan struct{ engine.Store }

func TestRefusals(t *testing.T) {
	s, _ := corpus(t, 30)
	unscannable := &Searcher{Store: noScan{s.Store}, Encoder: s.Encoder}
	for _, c := range []struct {
		s       *Searcher
		formula string
		o       Options
		want    string
	}{
		{s, "even:true", Options{}, "nothing to rank by"},
		{s, "a AND image:x.png", Options{}, "reads no pictures"},
		{s, "a AND like:nobody", Options{}, "no such document"},
		{s, "a", Options{K: -1}, "results"},
		{s, "a", Options{K: MaxK + 1}, "results"},
		{s, "a", Options{Research: Research{Candidates: -1}}, "pool"},
		{s, "a", Options{Research: Research{Mode: 99}}, "mode"},
		{s, "a", Options{Research: Research{Pool: 99}}, "pool"},
		{s, "a AND b", Options{Research: Research{Logic: &logic.Options{And: logic.C(-1)}}}, "coefficient"},
		{unscannable, "a AND b", Options{Research: Research{Mode: Exact}}, "compare all documents"},
	} {
		if _, err := c.s.Search(context.Background(), asked(t, c.formula), c.o); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s, %+v: %v, want %q", c.formula, c.o, err, c.want)
		}
	}
	r, err := unscannable.Search(context.Background(), asked(t, "a AND b"), Options{})
	if err != nil || r.Mode != Hybrid {
		t.Errorf("a store that cannot scan: %v, %v", r, err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := s.Search(ctx, asked(t, "a AND b"), Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func TestItems(t *testing.T) {
	s, _ := corpus(t, 60)
	s.Picture = func(_ context.Context, name string) ([]float32, error) { return vectorOf(name), nil }
	r, err := s.Search(context.Background(), asked(t, "like:doc-7"), Options{K: 1})
	if err != nil || r.Hits[0].ID != "doc-7" {
		t.Errorf("like: %+v, %v", r, err)
	}
	r, err = s.Search(context.Background(), asked(t, "image:b AND NOT a"), Options{K: 60})
	if err != nil || len(r.Hits) != 60 {
		t.Errorf("image: %v", err)
	}
}

// TestDeletedMeanwhile checks that a document deleted between two steps is missing from both
// lists, and that the next ranked document takes its place.
func TestDeletedMeanwhile(t *testing.T) {
	ctx := context.Background()
	s, _ := corpus(t, 40)
	p, err := s.Prepare(ctx, asked(t, "a AND b"), Options{K: 10, Explain: true, Compare: true, Research: Research{Mode: Exact}})
	if err != nil {
		t.Fatal(err)
	}
	c, err := s.Find(ctx, p)
	if err != nil {
		t.Fatal(err)
	}
	ranking, err := c.Rank(c.Options.K)
	if err != nil {
		t.Fatal(err)
	}
	before, err := s.Present(ctx, c, ranking)
	if err != nil {
		t.Fatal(err)
	}
	gone := map[string]bool{before.Hits[0].ID: true, before.Hits[3].ID: true, before.Plain[1].ID: true}
	if _, err := s.Store.(engine.Collection).Delete(ctx, slices.Collect(maps.Keys(gone))); err != nil {
		t.Fatal(err)
	}
	after, err := s.Present(ctx, c, ranking)
	if err != nil {
		t.Fatal(err)
	}
	if len(after.Hits) >= 10 || len(after.Hits) < 7 || len(after.Plain) != 10 {
		t.Errorf("%d hits and %d of plain retrieval are left", len(after.Hits), len(after.Plain))
	}
	for i, h := range after.Hits {
		if gone[h.ID] || h.Rank != i+1 || h.Explanation == nil || h.Explanation.Score-h.Score > 1e-6 {
			t.Errorf("hit %d is %+v", i, h)
		}
	}
	for i, p := range after.Plain {
		if gone[p.ID] || p.Rank != i+1 || p.Now > 0 && after.Hits[p.Now-1].ID != p.ID {
			t.Errorf("plain %d is %+v", i, p)
		}
	}
}

// TestSnippet checks that the snippet is the passage nearest to a wanted atom, never the
// title.
func TestSnippet(t *testing.T) {
	e := &Encoded{Formula: parsed(t, "a AND NOT b")}
	plan := fusion.New(e.Formula, fusion.Simple)
	var vectors [][]float32
	for _, s := range plan.Strings {
		vectors = append(vectors, vectorOf(s))
	}
	e.Vectors, _ = plan.Vectors(vectors, nil)
	s := newSnippets(&Prepared{Encoded: e, Options: Options{Research: Research{Logic: &logic.Options{}}}})
	passage := func(text string) engine.Passage { return engine.Passage{Text: text, Vector: vectorOf(text)} }
	for _, c := range []struct {
		d    engine.Document
		want string
	}{
		{engine.Document{ID: "1", Title: "a", Text: "x", Vector: vectorOf("x"), Passages: []engine.Passage{passage("a"), passage("b"), passage("a c")}}, "a c"},
		{engine.Document{ID: "2", Title: "t", Text: "only", Vector: vectorOf("only")}, "only"},
		{engine.Document{ID: "3", Text: "one", Vector: vectorOf("one"), Passages: []engine.Passage{{Text: "one"}}}, "one"},
	} {
		if got, _, _ := s.of(&c.d); got.Text != c.want || got.Atom != "a" {
			t.Errorf("snippet %+v, want %q", got, c.want)
		}
	}
}

func TestNames(t *testing.T) {
	for m := Auto; m <= GeoHybrid; m++ {
		if got, err := ParseMode(m.String()); err != nil || got != m {
			t.Errorf("ParseMode(%q) = %v, %v", m, got, err)
		}
	}
	for p := Monolithic; p <= Union; p++ {
		var got Pool
		if err := got.UnmarshalText([]byte(p.String())); err != nil || got != p {
			t.Errorf("%q is read as %v, %v", p, got, err)
		}
	}
	if _, err := ParseMode("best"); err == nil || !strings.Contains(err.Error(), "geo-opt") {
		t.Errorf("ParseMode(best): %v", err)
	}
}
