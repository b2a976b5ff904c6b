package logic

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/nsfl-go/nsfl/query"
)

// TestObjectiveIsTheCalculus: without floors, clamping or degenerate disjunctions, the
// objective is the calculus on raw cosines with a gate bound of 1 and undistributed
// disjunctions.
func TestObjectiveIsTheCalculus(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 31))
	o := Options{Similarity: Raw, NoFloor: AllFloors, Gate: Gate{Kind: ByBound, Bound: 1}, And: C(0.7), Not: C(1.3)}
	for _, text := range []string{"A", "A AND B", "A AND B AND C", "A AND NOT B", "A AND B AND NOT C", "A AND B AND NOT C AND NOT D", "(A OR B) AND C", "A^2 AND B AND NOT C^3", "NOT A", "NOT A AND NOT B", "A AND NOT (B AND C)", "((A AND NOT B) OR C) AND D"} {
		p := newProgram(parse(t, text), o, true)
		f := p.Objective()
		for range 200 {
			cosines, wide := make([]float32, f.Terms()), make([]float64, f.Terms())
			for i := range cosines {
				cosines[i] = r.Float32() // positive, since the calculus has no negative gates
				wide[i] = float64(cosines[i])
			}
			x, err := p.Explain(cosines, p.bounds())
			if err != nil {
				t.Fatal(err)
			}
			if positive := allGatesPositive(x); positive && math.Abs(f.Value(wide, nil)-x.Score) > 1e-7 {
				t.Fatalf("%s at %v: objective %v, calculus %v", text, wide, f.Value(wide, nil), x.Score)
			}
		}
	}
}

// TestObjectiveOfATinyBound: the smallest bound makes no gate infinite.
func TestObjectiveOfATinyBound(t *testing.T) {
	for _, c := range []float64{0, 1} {
		p := newProgram(parse(t, "A AND NOT B"), Options{Not: C(c), Gate: Gate{Kind: ByBound, Bound: math.SmallestNonzeroFloat64}}, true)
		f := p.Objective()
		slopes := make([]float64, f.Terms())
		if v := f.Value([]float64{0.5, 0, 0.25, 0.25}[:f.Terms()], slopes); v != 0.5 {
			t.Errorf("coefficient %v: %v", c, v)
		}
		for i, s := range slopes {
			if math.IsNaN(s) || math.IsInf(s, 0) {
				t.Errorf("coefficient %v: slope %d is %v", c, i, s)
			}
		}
	}
}

func (p *Program) bounds() (maxima []float64) {
	for range p.gates {
		maxima = append(maxima, p.options.Gate.Bound)
	}
	return maxima
}

func allGatesPositive(x *Explanation) bool {
	for _, g := range x.Gates {
		if g.Similarity < 0 {
			return false
		}
	}
	for _, part := range x.Parts {
		if !allGatesPositive(part) {
			return false
		}
	}
	return true
}

// TestObjectiveGradientAndPieces: the subgradient equals the gradient where that exists,
// and the pieces give the same value.
func TestObjectiveGradientAndPieces(t *testing.T) {
	r := rand.New(rand.NewPCG(32, 32))
	withPieces := 0
	for range 400 {
		f, err := query.Normalize(randomFormula(r, 3))
		if err != nil {
			t.Fatal(err)
		}
		p, err := Compile(f, randomOptions(r))
		if err != nil {
			t.Fatal(err)
		}
		o := p.Objective()
		s, gradient := make([]float64, o.Terms()), make([]float64, o.Terms())
		for i := range s {
			s[i] = 2*r.Float64() - 1
		}
		value := o.Value(s, gradient)
		for i := range s {
			const h = 1e-6
			up, down := append([]float64(nil), s...), append([]float64(nil), s...)
			up[i] += h
			down[i] -= h
			if slope := (o.Value(up, nil) - o.Value(down, nil)) / (2 * h); math.Abs(slope-gradient[i]) > 1e-4*(1+math.Abs(slope)) {
				t.Fatalf("%s: slope %v along %s, gradient says %v", f.Root, slope, f.Terms.At(i), gradient[i])
			}
			if !o.Uses(i) && gradient[i] != 0 {
				t.Fatalf("%s: depends on %s but does not say so", f.Root, f.Terms.At(i))
			}
		}
		linear, left, right, ok := o.Pieces()
		if !ok {
			continue
		}
		withPieces++
		sum := math.Inf(1)
		for _, l := range linear {
			sum = min(sum, dotted(l, s))
		}
		for j := range left {
			sum += dotted(left[j], s) * dotted(right[j], s)
		}
		if isNegativeRoot(f.Root) {
			sum++ // the constant of 1 − gate
		}
		if math.Abs(sum-value) > 1e-9 {
			t.Fatalf("%s: pieces give %v, the value is %v", f.Root, sum, value)
		}
	}
	if withPieces < 100 {
		t.Errorf("only %d formulas have pieces", withPieces)
	}
}

// TestObjectiveLeavesOut: the cap of a gate does not change the objective.
func TestObjectiveLeavesOut(t *testing.T) {
	r := rand.New(rand.NewPCG(33, 33))
	for range 100 {
		f, err := query.Normalize(randomFormula(r, 3))
		if err != nil {
			t.Fatal(err)
		}
		o := randomOptions(r)
		capped := o
		capped.GateCap = 0.3
		p, err := Compile(f, o)
		if err != nil {
			t.Fatal(err)
		}
		q, err := Compile(f, capped)
		if err != nil {
			t.Fatal(err)
		}
		s := make([]float64, f.Terms.Len())
		for i := range s {
			s[i] = 2*r.Float64() - 1
		}
		if a, b := p.Objective().Value(s, nil), q.Objective().Value(s, nil); a != b {
			t.Fatalf("%s: %v, with %+v %v", f.Root, a, capped, b)
		}
	}
}

func isNegativeRoot(n query.Node) bool {
	if and, ok := n.(*query.And); ok {
		return len(query.ReadConjunction(and).Pos) == 0
	}
	_, ok := n.(*query.Not)
	return ok
}

func dotted(a, b []float64) (sum float64) {
	for i := range a {
		sum += a[i] * b[i]
	}
	return sum
}
