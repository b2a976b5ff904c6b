package pushdown_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/nsfl-go/nsfl/internal/pushdown"
	"github.com/nsfl-go/nsfl/logic"
	"github.com/nsfl-go/nsfl/query"
)

// templates are the paper's six and more.
var templates = []string{
	"A", "A AND B", "A AND B AND C", "A AND NOT B", "A AND B AND NOT C", "A OR B", "A OR B OR C",
	"A AND NOT B AND NOT C", "A AND NOT (B AND C)", "A AND NOT (B AND NOT C)", "(A OR B) AND C", "(A AND NOT B) OR C",
	"NOT A", "NOT A AND NOT B", "A^2 AND B", "A^3 OR B", "A AND NOT B^0.5", "(A OR B) AND NOT C", "NOT A OR B", "A AND (B OR C^2) AND NOT D",
}

func compiled(t testing.TB, text string, o logic.Options) *logic.Program {
	t.Helper()
	f, err := query.ParseFormula(text)
	if err != nil {
		t.Fatal(err)
	}
	p, err := logic.Compile(f, o)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func scored(t testing.TB, p *logic.Program) *pushdown.Score {
	t.Helper()
	s, err := pushdown.New(p)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// columns draws cosines, some of them equal to test the boundaries of conditions, and
// the same by document.
func columns(r *rand.Rand, terms, documents int) (byTerm [][]float32, byDocument [][]float64) {
	byTerm, byDocument = make([][]float32, terms), make([][]float64, documents)
	for i := range byTerm {
		byTerm[i] = make([]float32, documents)
		for d := range documents {
			v := float32(1.4*r.Float64() - 0.4)
			if r.IntN(3) == 0 {
				v = float32(r.IntN(9)-1) / 8
			}
			byTerm[i][d] = v
			byDocument[d] = append(byDocument[d], float64(v))
		}
	}
	return byTerm, byDocument
}

func randomOptions(r *rand.Rand) logic.Options {
	o := logic.Options{Similarity: logic.Similarity(r.IntN(3)), NoFloor: logic.Floors(r.IntN(int(logic.AllFloors) + 1))}
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
	return o
}

func randomFormula(r *rand.Rand, depth int) query.Node {
	if depth == 0 || r.IntN(4) == 0 {
		return &query.Atom{Text: string(rune('A' + r.IntN(6))), Weight: []float64{0, 0, 0, 0.5, 3}[r.IntN(5)]}
	}
	if r.IntN(3) == 0 {
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

// randomProgram is one of a formula of up to some depth.
func randomProgram(t testing.TB, r *rand.Rand, depth int) *logic.Program {
	t.Helper()
	for {
		f, err := query.Normalize(randomFormula(r, depth))
		if err != nil {
			t.Fatal(err)
		}
		if f.Root == nil {
			continue
		}
		p, err := logic.Compile(f, randomOptions(r))
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
}

// agree compares the expressions with the program on documents.
func agree(t *testing.T, r *rand.Rand, p *logic.Program) {
	t.Helper()
	s := scored(t, p)
	byTerm, byDocument := columns(r, p.Formula().Terms.Len(), 1+r.IntN(20))
	maxima, err := p.Maxima(byTerm)
	if err != nil {
		t.Fatal(err)
	}
	here := s.Maxima(byDocument)
	if len(here) != 0 && len(here) != len(maxima) {
		t.Fatalf("%s has %d maxima, the program %d", p.Formula().Root, len(here), len(maxima))
	}
	for i := range here {
		if math.Abs(here[i]-maxima[i]) > 1e-12 {
			t.Fatalf("%s with %+v: maximum %d: got %v, want %v as by the program", p.Formula().Root, p.Options(), i, here[i], maxima[i])
		}
	}
	for d, cosines := range byDocument {
		line := make([]float32, len(byTerm))
		for i := range byTerm {
			line[i] = byTerm[i][d]
		}
		want, err := p.Explain(line, maxima)
		if err != nil {
			t.Fatal(err)
		}
		if got := s.Eval(cosines, here); math.Abs(got-want.Score) > 1e-12 {
			t.Fatalf("%s with %+v scores %v at %v, the program %v", p.Formula().Root, p.Options(), got, cosines, want.Score)
		}
	}
}

func TestScoreTemplates(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, text := range templates {
		agree(t, r, compiled(t, text, logic.Options{}))
		for range 200 {
			agree(t, r, compiled(t, text, randomOptions(r)))
		}
	}
}

func TestScoreRandom(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	for range 10_000 {
		agree(t, r, randomProgram(t, r, 3))
	}
}

// TestWithoutWords: scores that other systems cannot compute are refused.
func TestWithoutWords(t *testing.T) {
	if _, err := pushdown.New(compiled(t, "A AND B", logic.Options{Words: 0.8})); err == nil {
		t.Error("a score with words was taken")
	}
}

// TestNeeds: a value needs no maximum beyond those it says, and gates come in an order in
// which they can be computed.
func TestNeeds(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	for range 2000 {
		p := randomProgram(t, r, 3)
		s := scored(t, p)
		for i, g := range s.Gates {
			if s.Values[g.Value].Needs > i {
				t.Fatalf("%s: gate %d needs %d maxima", p.Formula().Root, i, s.Values[g.Value].Needs)
			}
		}
		_, documents := columns(r, p.Formula().Terms.Len(), 5)
		maxima := s.Maxima(documents)
		needs := s.Values[s.Root].Needs
		for i := needs; i < len(maxima); i++ {
			maxima[i] = math.NaN()
		}
		for _, cosines := range documents {
			if math.IsNaN(s.Eval(cosines, maxima)) {
				t.Fatalf("%s: the score needs more than %d maxima", p.Formula().Root, needs)
			}
		}
	}
}
