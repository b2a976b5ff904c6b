package logic

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl/query"
)

// TestPaperDeltas checks the paper's table of deltas (BLIP-Base on one picture), to its
// two digits.
func TestPaperDeltas(t *testing.T) {
	const dog, giraffe, man = 0.35, 0.20, 0.30
	const dogGiraffe, dogMan = 0.27, 0.44
	for _, c := range []struct {
		name        string
		fused, base float64
		want        float64
	}{
		{"dog beside giraffe", dogGiraffe, giraffe, +0.07},
		{"giraffe beside dog", dogGiraffe, dog, -0.08},
		{"dog beside man", dogMan, man, +0.14},
		{"man beside dog", dogMan, dog, +0.09},
	} {
		if got := Delta(c.fused, c.base); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("Δ of %s = %v, want %v", c.name, got, c.want)
		}
	}
	if got := And(dogGiraffe, []float64{dog, giraffe}, Options{}); math.Abs(got.Value-0.19) > 1e-12 || got.Floor != NoFloor {
		t.Errorf("dog AND giraffe = %+v, want 0.19", got)
	}
	if got := And(dogMan, []float64{dog, man}, Options{}); math.Abs(got.Value-0.53) > 1e-12 {
		t.Errorf("dog AND man = %+v, want 0.53", got)
	}
	if got := Not(dog, giraffe, dogGiraffe, 1, Options{}); math.Abs(got.Value-0.43) > 1e-12 {
		t.Errorf("dog AND NOT giraffe, unsmoothed = %+v, want 0.43", got)
	}
}

func TestRegimes(t *testing.T) {
	for _, c := range []struct {
		fused float64
		atoms []float64
		want  Regime
	}{
		{0.6, []float64{0.2, 0.3}, Superadditive},
		{0.5, []float64{0.25, 0.25}, Subadditive}, // equal to the sum is not above it
		{0.3, []float64{0.3, 0.4}, Subadditive},   // equal to the weakest is not below it
		{0.2, []float64{0.3, 0.4}, StrongDecrease},
		{0.2, nil, Subadditive},
	} {
		if got := RegimeOf(c.fused, c.atoms); got != c.want {
			t.Errorf("RegimeOf(%v, %v) = %v, want %v", c.fused, c.atoms, got, c.want)
		}
	}
}

// TestFloors: a floor fires exactly on its condition, not on equality, and not when off.
func TestFloors(t *testing.T) {
	off := Options{NoFloor: AllFloors}
	for _, c := range []struct {
		name  string
		score func(Options) Score
		want  float64
		floor Floor
		plain float64 // with the floors off
	}{
		{"AND above the sum", func(o Options) Score { return And(0.75, []float64{0.25, 0.25}, o) }, 0.75, Reinforcement, 1.25},
		{"AND at the sum", func(o Options) Score { return And(0.5, []float64{0.25, 0.25}, o) }, 0.75, NoFloor, 0.75},
		{"NOT below both", func(o Options) Score { return Not(0.5, 0.375, 0.25, 0.5, o) }, 0.25, Departure, 0.625},
		{"NOT at B", func(o Options) Score { return Not(0.5, 0.25, 0.25, 0.5, o) }, 0.625, NoFloor, 0.625},
		{"NOT at A", func(o Options) Score { return Not(0.25, 0.5, 0.25, 0.5, o) }, 0.25, NoFloor, 0.25},
		{"OR below all", func(o Options) Score { return Or([]float64{0.5, 0.375}, 0.25, 0.125, o) }, 0.125, Departure, 0.5},
		{"OR at one", func(o Options) Score { return Or([]float64{0.5, 0.25}, 0.25, 0.625, o) }, 0.625, NoFloor, 0.625},
	} {
		if got := c.score(Options{}); got.Value != c.want || got.Floor != c.floor {
			t.Errorf("%s: %+v, want %v (%v)", c.name, got, c.want, c.floor)
		}
		if got := c.score(off); got.Value != c.plain || got.Floor != NoFloor {
			t.Errorf("%s, floors off: %+v, want %v", c.name, got, c.plain)
		}
	}
}

func TestCoefficients(t *testing.T) {
	for _, c := range []float64{0, 0.5, 1, 2} {
		if got, want := And(0.5, []float64{0.25, 0.75}, Options{And: C(c)}).Value, 0.5-0.25*c; got != want {
			t.Errorf("AND with c = %v: %v, want %v", c, got, want)
		}
		if got, want := Not(0.5, 0.25, 0.75, 0.5, Options{Not: C(c)}).Value, 0.5-0.125*c; got != want {
			t.Errorf("NOT with c = %v: %v, want %v", c, got, want)
		}
	}
	if (Coefficient{}).Value() != 1 {
		t.Error("the zero coefficient is not 1")
	}
}

func TestOptionErrors(t *testing.T) {
	f := parse(t, "A AND NOT B")
	for _, c := range []struct {
		o    Options
		want string
	}{
		{Options{And: C(-1)}, "coefficient of AND"},
		{Options{Not: C(math.NaN())}, "coefficient of NOT"},
		{Options{Gate: Gate{Kind: ByBound}}, "corpus bound is 0"},
		{Options{Gate: Gate{Kind: ByBound, Bound: 1.5}}, "at most 1"},
	} {
		if _, err := Compile(f, c.o); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: error %v, want %q", c.o, err, c.want)
		}
	}
	if _, err := Compile(parse(t, "year:3"), Options{}); !errors.Is(err, ErrNoAtoms) {
		t.Errorf("only predicates: %v", err)
	}
	p := compile(t, "A AND NOT B", Options{})
	short := [][]float32{{0}, {0}, {0}, {}}
	if _, err := p.Maxima(short); err == nil || !strings.Contains(err.Error(), "column 3 has 0") {
		t.Errorf("uneven columns: %v", err)
	}
	if _, err := p.Maxima(short[:2]); err == nil || !strings.Contains(err.Error(), "4 terms and 0 columns of words, but there are 2") {
		t.Errorf("missing columns: %v", err)
	}
	one := [][]float32{{0}, {0}, {0}, {0}}
	if err := p.Score(nil, one, []float64{1}); err == nil || !strings.Contains(err.Error(), "room for 0") {
		t.Errorf("no room for the scores: %v", err)
	}
	if err := p.Score(make([]float32, 1), one, nil); err == nil || !strings.Contains(err.Error(), "has 1 gates, but there are 0 maxima") {
		t.Errorf("no maxima to score with: %v", err)
	}
	if _, err := p.Explain([]float32{0, 0, 0, 0}, nil); err == nil || !strings.Contains(err.Error(), "has 1 gates, but there are 0 maxima") {
		t.Errorf("no maxima to explain with: %v", err)
	}
}

// TestSixTemplates: the six templates agree with the paper's formulas bit for bit.
func TestSixTemplates(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	for template, want := range sixTemplates {
		p := compile(t, template, Options{})
		fired := 0
		for range 50 {
			columns, docs := randomPool(r, p.Formula(), 300)
			scores := rank(t, p, columns)
			top := map[string]float64{}
			for _, d := range docs {
				for term, s := range d {
					top[term] = max(top[term], s)
				}
			}
			for i, d := range docs {
				for term, s := range d {
					d[term] = max(0, s) // S is clamped at 0
				}
				w := float32(want(d, top["B"], top["C"]))
				if scores[i] != w {
					t.Fatalf("%s: %v scores %v, want %v", template, d, scores[i], w)
				}
				if slices.Contains(mapValues(d), float64(w)) {
					fired++
				}
			}
		}
		if fired == 0 && template != "A AND B AND NOT C" {
			t.Errorf("%s: no floor ever fired, the test proves too little", template)
		}
	}
}

// TestRandomFormulas: any formula, under any options, agrees with the naive
// implementation.
func TestRandomFormulas(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 8))
	for range *cases / 12 {
		o := randomOptions(r)
		f, err := query.Normalize(randomFormula(r, 3))
		if err != nil {
			t.Fatal(err)
		}
		p, err := Compile(f, o)
		if err != nil {
			t.Fatal(err)
		}
		columns, docs := randomPool(r, f, 1+r.IntN(12))
		scores := rank(t, p, columns)
		reference := naive{o, docs}
		for i, d := range docs {
			want := float32(reference.score(f.Root, d))
			if scores[i] != want {
				t.Fatalf("%s with %+v: document %d scores %v, want %v", f.Root, o, i, scores[i], want)
			}
		}
	}
}

// TestBlocks: a pool larger than a block, and parts of it scored separately, give the
// same scores.
func TestBlocks(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	p := compile(t, "(A OR B) AND C AND NOT D AND NOT (E AND NOT F)", Options{})
	columns, docs := randomPool(r, p.Formula(), 2*block+17)
	scores := rank(t, p, columns)
	maxima, err := p.Maxima(columns)
	if err != nil {
		t.Fatal(err)
	}
	for i := range docs {
		one := make([][]float32, len(columns))
		for c := range columns {
			one[c] = columns[c][i : i+1]
		}
		out := make([]float32, 1)
		if err := p.Score(out, one, maxima); err != nil {
			t.Fatal(err)
		}
		if out[0] != scores[i] {
			t.Fatalf("document %d scores %v in the pool and %v alone", i, scores[i], out[0])
		}
	}
}

// TestOrderOfAtoms: the order of atoms does not matter for symmetric operators.
func TestOrderOfAtoms(t *testing.T) {
	r := rand.New(rand.NewPCG(10, 10))
	for _, c := range [][2]string{
		{"A AND B", "B AND A"},
		{"A AND B AND C", "C AND A AND B"},
		{"A AND B AND NOT C", "NOT C AND B AND A"},
		{"A OR B OR C", "C OR B OR A"},
		{"A AND NOT B", "NOT B AND A"},
	} {
		p, q := compile(t, c[0], Options{}), compile(t, c[1], Options{})
		columns, _ := randomPool(r, p.Formula(), 500)
		// Fusions of the same atoms get the same column.
		byAtoms := map[string][]float32{}
		for i := range p.Formula().Terms.Len() {
			byAtoms[signature(p.Formula().Terms.At(i))] = columns[i]
		}
		var permuted [][]float32
		for i := range q.Formula().Terms.Len() {
			permuted = append(permuted, byAtoms[signature(q.Formula().Terms.At(i))])
		}
		if !slices.Equal(rank(t, p, columns), rank(t, q, permuted)) {
			t.Errorf("%s and %s score differently", c[0], c[1])
		}
	}
}

// signature returns a name of a term that does not depend on the order of its atoms.
func signature(n query.Node) string {
	var atoms []string
	for a := range query.Atoms(n) {
		atoms = append(atoms, a.String())
	}
	slices.Sort(atoms)
	kind := ""
	for _, op := range []string{"NOT", "OR"} {
		if strings.Contains(n.String(), op) {
			kind += op
		}
	}
	return kind + strings.Join(atoms, ",")
}

// TestNNFKeepsScores: a formula and its negation normal form have the same scores, bit
// for bit.
func TestNNFKeepsScores(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 11))
	for range 500 {
		n := randomFormula(r, 4)
		f, err := query.Normalize(n)
		if err != nil {
			t.Fatal(err)
		}
		g, err := query.Normalize(query.NNF(n))
		if err != nil {
			t.Fatal(err)
		}
		p, _ := Compile(f, Options{})
		q, _ := Compile(g, Options{})
		columns, _ := randomPool(r, f, 20)
		if !slices.Equal(rank(t, p, columns), rank(t, q, columns)) {
			t.Fatalf("%s and its NNF score differently", n)
		}
	}
}

// TestCompileDoesNotExplode: a formula that is negated in several alternatives is
// compiled and explained once.
func TestCompileDoesNotExplode(t *testing.T) {
	text := "z"
	for i := range 20 {
		text = fmt.Sprintf("(a%d OR b%d) AND c%d AND NOT (%s)", i, i, i, text)
	}
	p := compile(t, text, Options{})
	if n := len(p.ops); n > 200 {
		t.Errorf("%d operators", n)
	}
	x, err := p.Explain(make([]float32, p.Formula().Terms.Len()), make([]float64, len(p.gates)))
	if err != nil {
		t.Fatal(err)
	}
	if n := size(x); n > 200 {
		t.Errorf("an explanation of %d parts", n)
	}
	if f := p.Objective(); f.Terms() != p.Formula().Terms.Len() {
		t.Errorf("an objective of %d terms", f.Terms())
	}
}

func size(x *Explanation) int {
	n := 1
	for _, part := range x.Parts {
		n += size(part)
	}
	return n
}

// TestNoAllocationPerCandidate: scoring allocates nothing per candidate.
func TestNoAllocationPerCandidate(t *testing.T) {
	p := compile(t, "A AND B AND NOT C", Options{})
	r := rand.New(rand.NewPCG(12, 12))
	columns, _ := randomPool(r, p.Formula(), 5000)
	out := make([]float32, 5000)
	maxima, _ := p.Maxima(columns)
	if n := testing.AllocsPerRun(50, func() { _ = p.Score(out, columns, maxima) }); n > 1 {
		t.Errorf("scoring 5000 candidates makes %v allocations", n)
	}
}

func parse(t testing.TB, text string) *query.Formula {
	t.Helper()
	f, err := query.ParseFormula(text)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func compile(t testing.TB, text string, o Options) *Program {
	t.Helper()
	p, err := Compile(parse(t, text), o)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func rank(t testing.TB, p *Program, columns [][]float32) []float32 {
	t.Helper()
	out := make([]float32, len(columns[0]))
	if _, err := p.Rank(out, columns); err != nil {
		t.Fatal(err)
	}
	return out
}

// randomPool draws cosines, some negative, and some equal to each other to test boundary
// conditions.
func randomPool(r *rand.Rand, f *query.Formula, n int) (columns [][]float32, docs []document) {
	columns = make([][]float32, f.Terms.Len())
	docs = make([]document, n)
	for i := range docs {
		docs[i] = document{}
	}
	for c := range columns {
		columns[c] = make([]float32, n)
		for i := range docs {
			v := float32(r.Float64()*1.2 - 0.2)
			if r.IntN(4) == 0 {
				v = float32(r.IntN(9)-1) / 8
			}
			columns[c][i] = v
			docs[i][f.Terms.At(c).String()] = float64(v)
		}
	}
	return columns, docs
}

func randomFormula(r *rand.Rand, depth int) query.Node {
	if depth == 0 || r.IntN(4) == 0 {
		return &query.Atom{Text: string(rune('A' + r.IntN(6))), Weight: []float64{0, 0, 0, 0.5, 3}[r.IntN(5)]}
	}
	if r.IntN(4) == 0 {
		return &query.Not{X: randomFormula(r, depth-1)}
	}
	parts := make([]query.Node, 2+r.IntN(2))
	if r.IntN(20) == 0 { // more ways than are compiled separately
		parts, depth = make([]query.Node, 7), 1
	}
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

func randomOptions(r *rand.Rand) Options {
	o := Options{Similarity: Similarity(r.IntN(3)), NoFloor: Floors(r.IntN(int(AllFloors) + 1))}
	if r.IntN(2) == 0 {
		o.And, o.Not = C(2*r.Float64()), C(2*r.Float64())
	}
	switch r.IntN(3) {
	case 1:
		o.Gate = Gate{Kind: ByBound, Bound: 0.1 + 0.9*r.Float64()}
	case 2:
		o.Gate.Kind = Ungated
	}
	return o
}

func mapValues(d document) (out []float64) {
	for _, v := range d {
		out = append(out, v)
	}
	return out
}

// TestReads: which terms are read depends on the formula, not on the options.
func TestReads(t *testing.T) {
	for _, f := range []string{"A", "A AND B AND C", "A AND NOT B", "A AND B AND NOT C", "A OR B OR C", "(A OR B) AND C", "NOT A", "(A AND B) OR C", "A AND NOT (B AND C)", "A^2 AND B"} {
		plain := compile(t, f, Options{})
		for _, o := range []Options{
			{And: C(0), Not: C(0)}, {NoFloor: AllFloors}, {Gate: Gate{Kind: Ungated}}, {Gate: Gate{ByBound, 0.5}, GateCap: 0.1}, {Similarity: Raw},
		} {
			p := compile(t, f, o)
			for i := range plain.Formula().Terms.Len() {
				if p.Reads(i) != plain.Reads(i) {
					t.Errorf("%s with %+v reads term %d: %t, and without %t", f, o, i, p.Reads(i), plain.Reads(i))
				}
			}
		}
	}
}
