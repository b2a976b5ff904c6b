package logic

import (
	"math"
	"slices"

	"github.com/nsfl-go/nsfl/query"
)

// A second implementation of the calculus, one document at a time, by plain recursion,
// sharing only the parsed tree. It is written for comparison with the paper line by line,
// not for speed. Products are converted to float64 before they are added, since a fused
// multiply-add would differ in the last bit.

// document maps the text of a term to its cosine.
type document map[string]float64

// sixTemplates are the paper's operators for one document, in its own notation. bMax and
// cMax are the largest S_B and S_C in the pool.
var sixTemplates = map[string]func(d document, bMax, cMax float64) float64{
	"A AND B": func(d document, _, _ float64) float64 {
		sA, sB, sAB := d["A"], d["B"], d["A AND B"]
		if sAB > sA+sB {
			return sAB
		}
		return 2*sAB - math.Max(sA, sB)
	},
	"A AND B AND C": func(d document, _, _ float64) float64 {
		sA, sB, sC, sABC := d["A"], d["B"], d["C"], d["A AND B AND C"]
		if sABC > sA+sB+sC {
			return sABC
		}
		return 2*sABC - math.Max(math.Max(sA, sB), sC)
	},
	"A AND NOT B": func(d document, bMax, _ float64) float64 {
		sA, sB, sAB := d["A"], d["B"], d["A AND B"]
		if sAB < sA && sAB < sB {
			return sAB
		}
		return sA - float64(sB/(bMax+1e-9)*(sAB-sA))
	},
	"A AND B AND NOT C": func(d document, _, cMax float64) float64 {
		sA, sB, sC, sAB, sABC := d["A"], d["B"], d["C"], d["A AND B"], d["A AND B AND C"]
		sAandB := 2*sAB - math.Max(sA, sB)
		if sAB > sA+sB {
			sAandB = sAB
		}
		return sAandB - float64(sC/(cMax+1e-9)*(sABC-sAB))
	},
	"A OR B": func(d document, _, _ float64) float64 {
		sA, sB, sAB, sM := d["A"], d["B"], d["A OR B"], d["A OR B"]
		if sAB < sA && sAB < sB {
			return math.Min(sAB, sM)
		}
		return math.Max(math.Max(sA, sB), math.Max(sAB, sM))
	},
	"A OR B OR C": func(d document, _, _ float64) float64 {
		sA, sB, sC, sABC, sM := d["A"], d["B"], d["C"], d["A OR B OR C"], d["A OR B OR C"]
		if sABC < sA && sABC < sB && sABC < sC {
			return math.Min(sABC, sM)
		}
		return math.Max(math.Max(math.Max(sA, sB), sC), math.Max(sABC, sM))
	},
}

// naive scores any formula by the rules of doc/design.md.
type naive struct {
	o    Options
	pool []document
}

func (n naive) score(f query.Node, d document) float64 {
	switch f := f.(type) {
	case *query.Atom:
		return n.similarity(f, d)
	case *query.Not:
		return 1 - float64(importance(f.X)*n.gate(f.X, d, true))
	case *query.And:
		return n.and(f, d)
	case *query.Or:
		return n.or(f, d)
	case *query.AtLeast:
		return n.atLeast(f, d)
	}
	panic("not a formula")
}

func (n naive) similarity(f query.Node, d document) float64 {
	cosine, ok := d[bare(f).String()]
	if !ok {
		panic("no cosine for " + f.String())
	}
	switch n.o.Similarity {
	case Affine:
		return (1 + cosine) / 2
	case Raw:
		return cosine
	}
	return math.Max(0, cosine)
}

func (n naive) gate(f query.Node, d document, always bool) float64 {
	if n.o.Gate.Kind == Ungated && !always {
		return n.capped(1)
	}
	top := n.o.Gate.Bound
	if n.o.Gate.Kind != ByBound {
		top = 0
		for _, other := range n.pool {
			top = math.Max(top, n.score(f, other))
		}
	}
	s := n.score(f, d)
	if s <= 0 || top <= 0 {
		return 0
	}
	return n.capped(s / (top + 1e-9))
}

func (n naive) capped(g float64) float64 {
	if n.o.GateCap != 0 {
		g = math.Min(g, n.o.GateCap)
	}
	return g
}

func (n naive) and(f *query.And, d document) float64 {
	if or := query.Distribute(f); or != nil {
		best := math.Inf(-1)
		for _, a := range or.Parts {
			best = math.Max(best, n.score(a, d))
		}
		return best
	}
	c := query.ReadConjunction(f)
	if len(c.Pos) == 0 {
		worst := math.Inf(1)
		for _, u := range c.Neg {
			worst = math.Min(worst, 1-float64(importance(u)*n.gate(u, d, true)))
		}
		return worst
	}
	fused := n.similarity(c.Fused, d)
	result := n.score(c.Pos[0], d)
	if len(c.Pos) > 1 {
		top, sum, weights := math.Inf(-1), 0.0, 0.0
		parts := make([]float64, len(c.Pos))
		for k, p := range c.Pos {
			parts[k] = n.score(p, d)
			top = math.Max(top, parts[k])
			sum += parts[k]
			weights += importance(p)
		}
		result = fused + float64(n.o.And.Value()*(fused-top))
		if fused > sum && n.o.NoFloor&AndFloor == 0 {
			result = fused
		}
		for k, p := range c.Pos {
			result += float64((importance(p)/weights - 1/float64(len(c.Pos))) * parts[k])
		}
	}
	for j, u := range c.Neg {
		with := n.similarity(c.With[j], d)
		if len(c.Pos) == 1 && n.o.NoFloor&NotFloor == 0 && with < fused && with < n.score(u, d) {
			result += with - fused
			continue
		}
		result -= float64(n.o.Not.Value() * importance(u) * n.gate(u, d, false) * (with - fused))
	}
	return result
}

func (n naive) atLeast(f *query.AtLeast, d document) float64 {
	if ways := f.Ways(); ways != nil {
		best := math.Inf(-1)
		for _, w := range ways {
			best = math.Max(best, n.score(w, d))
		}
		return best
	}
	heaviest := 0.0
	for _, p := range f.Parts {
		heaviest = math.Max(heaviest, importance(p))
	}
	var scores []float64
	for _, p := range f.Parts {
		s := n.score(p, d)
		if s > 0 {
			s *= importance(p) / heaviest
		}
		scores = append(scores, s)
	}
	slices.Sort(scores)
	best := scores[len(scores)-f.K:]
	sum := 0.0
	for _, s := range best {
		sum += s
	}
	return (best[0] + sum/float64(f.K)) / 2
}

func (n naive) or(f *query.Or, d document) float64 {
	heaviest, top, low := 0.0, math.Inf(-1), math.Inf(1)
	for _, a := range f.Parts {
		heaviest = math.Max(heaviest, importance(a))
	}
	allAtoms := true
	for _, a := range f.Parts {
		if _, ok := a.(*query.Atom); !ok {
			allAtoms = false
		}
		s := n.score(a, d)
		low = math.Min(low, s)
		if s > 0 {
			s *= importance(a) / heaviest
		}
		top = math.Max(top, s)
	}
	if !allAtoms {
		return top
	}
	fused := n.similarity(f, d)
	if fused < low && n.o.NoFloor&OrFloor == 0 {
		return fused
	}
	return math.Max(top, fused)
}

func importance(n query.Node) float64 {
	if a, ok := n.(*query.Atom); ok && a.Weight != 0 {
		return a.Weight
	}
	return 1
}

// bare strips weights.
func bare(n query.Node) query.Node {
	f := &query.Formula{Root: n}
	return f.Monolithic()
}
