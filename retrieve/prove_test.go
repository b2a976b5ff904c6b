package retrieve

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/internal/storekit"
	"github.com/nsfl-go/nsfl/internal/vec"
	"github.com/nsfl-go/nsfl/internal/words"
	"github.com/nsfl-go/nsfl/logic"
	"github.com/nsfl-go/nsfl/profile"
	"github.com/nsfl-go/nsfl/query"
)

// cases is the number of random formulas of TestProven.
var cases = flag.Int("cases", 10_000, "random formulas; make sphere-check tries 100,000")

// TestProven checks that proofs hold: the proven scores are the best of all documents, for
// random formulas, options, documents and lexical shares.
func TestProven(t *testing.T) {
	cases := *cases
	if testing.Short() {
		cases = min(cases, 4000)
	}
	r := rand.New(rand.NewPCG(18, 1))
	bounded, whole, shown, proven, read, documents := 0, 0, 0, 0, 0, 0
	drawn := 0
	for bounded < cases {
		drawn++
		f, err := query.Normalize(randomFormula(r, 1+r.IntN(3)))
		if err != nil || f.Root == nil || f.Terms.Len() > 40 {
			continue
		}
		store := newMemory(r, f)
		p := preparedFor(t, r, f, store)
		st := p.streams()
		if st == nil {
			continue
		}
		bounded++
		s := &Searcher{Store: store}
		if r.IntN(2) == 0 {
			s.Store = scanned{store}
		}
		c := &Candidates{Prepared: p}
		if err := s.prove(context.Background(), c, st, 1+r.IntN(12), p.Options.Candidates); err != nil {
			t.Fatal(err)
		}
		got, err := c.Rank(p.Options.K)
		if err != nil {
			t.Fatal(err)
		}
		want := store.scores(t, p)
		exact := c.proof.exact(got.Scores)
		for i := range exact {
			if math.Abs(float64(got.Scores[i])-want[i]) > 1e-5 {
				t.Fatalf("%s with %+v: place %d of %d that are proven has %v, of all documents %v", f.Root, *p.Options.Logic, i, exact, got.Scores[i], want[i])
			}
		}
		shown, proven, read, documents = shown+len(got.Scores), proven+exact, read+len(c.Refs), documents+len(store.rows)
		if exact == len(got.Scores) {
			whole++
		}
	}
	t.Logf("%d of %d formulas have a bound, %d of them are proven whole; %d of %d results; %d of %d documents read", bounded, drawn, whole, proven, shown, read, documents)
	if whole < bounded/2 || read > documents*3/4 {
		t.Error("proofs are too rare, or read too much")
	}
}

// memoryStore holds documents with one or more vectors and lexical shares. Its results are
// exact; its bounds on the other documents may be loose.
type memoryStore struct {
	engine.Store // methods that are not implemented are not called
	rows         [][][]float32
	shares       [][]float32
	lexical      int // number of documents scored lexically
	loose        float32
}

func newMemory(r *rand.Rand, f *query.Formula) *memoryStore {
	m := &memoryStore{loose: []float32{0, 0, 0.02}[r.IntN(3)]}
	dim, n := 3+r.IntN(6), 1+r.IntN(40)
	lean := r.Float64()
	for range n {
		rows := [][]float32{randomVector(r, dim, lean)}
		if r.IntN(2) == 0 {
			rows = append(rows, randomVector(r, dim, lean), randomVector(r, dim, lean))
		}
		m.rows = append(m.rows, rows)
	}
	for range f.Terms.Atoms() {
		column := make([]float32, n)
		for i := range column {
			if r.IntN(3) == 0 {
				column[i] = float32(max(words.Least, 1.25*r.Float64()-0.25))
			}
		}
		m.shares = append(m.shares, column)
	}
	m.lexical = r.IntN(n + 1)
	return m
}

func randomVector(r *rand.Rand, dim int, lean float64) []float32 {
	v := make([]float32, dim)
	for i := range v {
		v[i] = float32(r.NormFloat64() + lean)
	}
	if vec.Normalize(v) != nil {
		v[0] = 1
	}
	return v
}

func (m *memoryStore) similarity(i int, v []float32) float32 {
	d := engine.Document{Vector: m.rows[i][0]}
	for _, row := range m.rows[i][1:] {
		d.Passages = append(d.Passages, engine.Passage{Vector: row})
	}
	return float32(similarity(&d, v))
}

func (m *memoryStore) Compare(_ context.Context, refs []engine.Ref, vectors [][]float32) (*engine.Columns, error) {
	out := &engine.Columns{Refs: refs}
	for _, v := range vectors {
		column := make([]float32, len(refs))
		for i, r := range refs {
			column[i] = m.similarity(int(r.Number), v)
		}
		out.Similarities = append(out.Similarities, column)
	}
	return out, nil
}

func (m *memoryStore) Pool(ctx context.Context, near [][]float32, k int, _ query.Node, vectors [][]float32) (*engine.Columns, error) {
	there := map[int]bool{}
	var beyond []float32
	for _, v := range near {
		order, column := make([]int, len(m.rows)), make([]float32, len(m.rows))
		for i := range order {
			order[i], column[i] = i, m.similarity(i, v)
		}
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(column[b], column[a]) })
		for _, i := range order[:min(k, len(order))] {
			there[i] = true
		}
		x := float32(-2)
		if k < len(order) {
			x = column[order[k]] + m.loose
		}
		beyond = append(beyond, x)
	}
	var refs []engine.Ref
	for i := range m.rows {
		if there[i] {
			refs = append(refs, engine.Ref{Number: uint64(i)})
		}
	}
	out, err := m.Compare(ctx, refs, vectors)
	out.UnseenBounds = beyond
	return out, err
}

// scanned is a memoryStore that can scan all documents.
type scanned struct{ *memoryStore }

func (scanned) Scan(context.Context, [][]float32, query.Node) (*engine.Columns, error) {
	panic("there is no need to")
}

func (m *memoryStore) Statistics(context.Context) (*words.Statistics, error) {
	return words.NewStatistics(), nil
}

func (m *memoryStore) MatchTerms(_ context.Context, q *words.Query, _ query.Node, wanted []engine.TopK) (*engine.TermMatches, error) {
	all := &engine.TermMatches{UnseenBounds: make([]float32, len(m.shares))}
	lexical := m.lexical
	if wanted[0].Thorough {
		lexical, all.UnseenBounds = len(m.rows), []float32{}
	}
	for i := range lexical {
		all.Refs = append(all.Refs, engine.Ref{Number: uint64(i)})
	}
	for a, column := range m.shares {
		all.Atoms = append(all.Atoms, column[:lexical])
		if wanted[0].Thorough {
			continue
		}
		all.UnseenBounds[a] = words.Least
		for _, x := range column[lexical:] {
			all.UnseenBounds[a] = max(all.UnseenBounds[a], x)
		}
	}
	return storekit.BestMatches(all, wanted), nil
}

func (m *memoryStore) TermScores(_ context.Context, _ *words.Query, refs []engine.Ref) ([][]float32, error) {
	out := make([][]float32, len(m.shares))
	for a, column := range m.shares {
		for _, r := range refs {
			out[a] = append(out[a], column[r.Number])
		}
	}
	return out, nil
}

// scores returns the scores of all documents in descending order.
func (m *memoryStore) scores(t *testing.T, p *Prepared) (out []float64) {
	var refs []engine.Ref
	for i := range m.rows {
		refs = append(refs, engine.Ref{Number: uint64(i)})
	}
	columns, _ := m.Compare(context.Background(), refs, p.Vectors)
	if p.Options.Logic.Words > 0 {
		columns.Similarities = append(columns.Similarities, m.shares...)
	}
	scores := make([]float32, len(refs))
	if _, err := p.program.Rank(scores, columns.Similarities); err != nil {
		t.Fatal(err)
	}
	for _, x := range scores {
		out = append(out, float64(x))
	}
	slices.SortFunc(out, func(a, b float64) int { return cmp.Compare(b, a) })
	return out
}

// preparedFor returns a prepared formula with random vectors and options.
func preparedFor(t *testing.T, r *rand.Rand, f *query.Formula, m *memoryStore) *Prepared {
	calculus := randomLogic(r)
	p := &Prepared{Encoded: &Encoded{Formula: f}, Size: engine.Size{Documents: len(m.rows)}}
	p.Options = Options{K: 1 + r.IntN(10), Profile: profile.Paper(), Research: Research{Mode: Hybrid, Candidates: 1 + r.IntN(30), Logic: &calculus}}
	p.Options.Candidates = max(p.Options.Candidates, p.Options.K)
	lean := r.Float64()
	for range f.Terms.Len() {
		p.Vectors = append(p.Vectors, randomVector(r, len(m.rows[0][0]), lean))
	}
	var err error
	if p.program, err = logic.Compile(f, calculus); err != nil {
		t.Fatal(err)
	}
	if calculus.Words > 0 {
		h := &lexicalMatches{store: m, query: words.NewQuery(make([]string, len(m.shares)), words.NewStatistics()), whole: logic.NewLexicalScore(f, f.Root)}
		for i := range f.Terms.Len() {
			h.terms = append(h.terms, logic.NewLexicalScore(f, f.Terms.At(i)))
		}
		if h.shares, err = m.MatchTerms(context.Background(), h.query, nil, []engine.TopK{{K: p.Options.Candidates, By: h.whole.Of}}); err != nil {
			t.Fatal(err)
		}
		h.having = having(h.shares)
		p.lexical = h
	}
	return p
}

func randomLogic(r *rand.Rand) logic.Options {
	o := logic.Options{Similarity: logic.Similarity(max(0, r.IntN(5)-2)), NoFloor: logic.Floors(r.IntN(int(logic.AllFloors) + 1))}
	if r.IntN(2) == 0 {
		o.And, o.Not = logic.C(2*r.Float64()), logic.C(2*r.Float64())
	}
	switch r.IntN(4) {
	case 1:
		o.Gate = logic.Gate{Kind: logic.ByBound, Bound: 0.1 + 0.9*r.Float64()}
	case 2:
		o.Gate.Kind = logic.Ungated
	}
	if r.IntN(3) == 0 {
		o.GateCap = 0.1 + 0.9*r.Float64()
	}
	if r.IntN(2) == 0 {
		o.Words = r.Float64()
	}
	return o
}

func randomFormula(r *rand.Rand, depth int) query.Node {
	if depth == 0 || r.IntN(4) == 0 {
		return &query.Atom{Text: fmt.Sprint("t", r.IntN(6)), Weight: []float64{0, 0, 0, 0.5, 3}[r.IntN(5)]}
	}
	if r.IntN(4) == 0 {
		return &query.Not{X: randomFormula(r, depth-1)}
	}
	parts := make([]query.Node, 2+r.IntN(2))
	for i := range parts {
		parts[i] = randomFormula(r, depth-1)
	}
	switch r.IntN(5) {
	case 0, 1:
		return &query.And{Parts: parts}
	case 2, 3:
		return &query.Or{Parts: parts}
	}
	return &query.AtLeast{K: 1 + r.IntN(len(parts)), Parts: parts}
}

// failing is a store that answers only the first calls of Pool.
type failing struct {
	*memoryStore
	answers int
}

func (f *failing) Pool(ctx context.Context, near [][]float32, k int, filter query.Node, vectors [][]float32) (*engine.Columns, error) {
	if f.answers--; f.answers < 0 {
		return nil, fmt.Errorf("no answer in time: %w", context.DeadlineExceeded)
	}
	return f.memoryStore.Pool(ctx, near, k, filter, vectors)
}

// TestProofInterrupted checks that a store failure while reading further keeps the documents
// read so far and marks the result as degraded. A failure of the first call, or a cancelled
// context, is an error.
func TestProofInterrupted(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	f := parsed(t, "a AND b AND NOT c")
	store := newMemory(r, f)
	for len(store.rows) < 20 {
		store = newMemory(r, f)
	}
	p := preparedFor(t, r, f, store)
	p.Options.K, p.Options.Logic.Words, p.lexical = 10, 0, nil
	var err error
	if p.program, err = logic.Compile(f, logic.Options{}); err != nil {
		t.Fatal(err)
	}
	for answers := range 2 {
		s := &Searcher{Store: &failing{store, answers}}
		c := &Candidates{Prepared: p}
		err := s.prove(context.Background(), c, p.streams(), 2, 1000)
		if answers == 0 {
			if !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("a store that does not answer: %v", err)
			}
			continue
		}
		if err != nil || len(c.Refs) == 0 || len(c.Degraded) != 1 || c.Proven(&Ranking{Scores: []float32{9}}) != 0 {
			t.Errorf("%d documents, %q, %v", len(c.Refs), c.Degraded, err)
		}
		if ranking, err := c.Rank(3); err != nil || len(ranking.Lines) == 0 {
			t.Errorf("got %v and error %v, want a ranking", ranking, err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	c := &Candidates{Prepared: p, Refs: []engine.Ref{{}}}
	if err := (&Searcher{Store: &failing{store, 0}}).prove(ctx, c, p.streams(), 2, 1000); err == nil {
		t.Error("nobody waits, and it goes on")
	}
}
