package logic

import "github.com/nsfl-go/nsfl/query"

// The lexical score. The paper's operators measure how a fusion changes a similarity, which
// has no lexical counterpart: a document contains a term or not. So the lexical score has a
// fuzzy logic of its own, over the share of each atom's terms that a document matches. The
// final score is the calculus on vectors plus Options.Words times the lexical score. None of
// this is in the paper.

// least limits the reward for a document that denies an excluded part. It is the lowest share
// of a single atom. An excluded formula can score lower because of its own exclusions, but
// earns no more.
const least = -0.25

// alternatives is the weight of the alternatives other than the best in a disjunction.
const alternatives = 0.25

// allocateShares allocates a register for the share of each atom.
func (p *Program) allocateShares() {
	for range p.formula.Terms.Atoms() {
		p.shares = append(p.shares, p.regs)
		p.regs++
	}
}

// LexicalScore computes the lexical score of a formula, or of a part of one.
type LexicalScore struct{ p *Program }

// NewLexicalScore compiles the lexical score of a part of f.
func NewLexicalScore(f *query.Formula, part query.Node) *LexicalScore {
	c := compiler{&Program{formula: f, regs: f.Terms.Len()}, false, map[string]int{}}
	c.p.allocateShares()
	c.p.root = c.lexical(part)
	return &LexicalScore{c.p}
}

// Of computes the lexical scores of documents. shares has one column per atom.
func (s *LexicalScore) Of(out []float32, shares [][]float32) {
	m := newMachine(s.p.regs)
	defer scratch.Put(m)
	for from := 0; from < len(out); from += block {
		size := min(block, len(out)-from)
		for k, reg := range s.p.shares {
			for i, v := range shares[k][from:][:size] {
				m.regs[reg][i] = float64(v)
			}
		}
		s.p.exec(m, s.p.ops, nil, size)
		for i, v := range m.regs[s.p.root][:size] {
			out[from+i] = float32(v)
		}
	}
}

// lexical compiles the lexical score of a formula.
func (c compiler) lexical(n query.Node) int {
	switch n := n.(type) {
	case *query.And:
		operands := query.ReadConjunction(n)
		o := op{kind: opBut, formula: n, fused: none, parts: []int{none}}
		if len(operands.Pos) > 0 {
			o.parts[0] = c.lexicalAll(operands.Pos)
		}
		for _, u := range operands.Neg {
			o.negated = append(o.negated, negation{formula: u, self: c.lexical(u), strength: weight(u)})
		}
		if len(o.negated) == 0 {
			return o.parts[0]
		}
		return c.emit(o)
	case *query.Or:
		parts := query.ReadDisjunction(n).Alts
		o := op{kind: opAny, formula: n, fused: none, weights: discounts(parts)}
		for _, p := range parts {
			o.parts = append(o.parts, c.lexical(p))
		}
		return c.emit(o)
	case *query.AtLeast:
		return c.lexicalAtLeast(n)
	case *query.Not:
		return c.emit(op{
			kind: opBut, formula: n, fused: none, parts: []int{none},
			negated: []negation{{formula: n.X, self: c.lexical(n.X), strength: weight(n.X)}},
		})
	}
	at := 0
	for i := range c.p.formula.Terms.Atoms() {
		if i == c.p.formula.Terms.Index(n) {
			break
		}
		at++
	}
	return c.p.shares[at]
}

// lexicalAll compiles the lexical score of the positive parts of a conjunction.
func (c compiler) lexicalAll(parts []query.Node) int {
	if len(parts) == 1 {
		return c.lexical(parts[0])
	}
	o := op{kind: opAll, formula: &query.And{Parts: parts}, fused: none, weights: tilts(parts)}
	for _, p := range parts {
		o.parts = append(o.parts, c.lexical(p))
	}
	return c.emit(o)
}

// execWords runs a lexical operator.
func (p *Program) execWords(m *machine, o *op, size int) {
	dst := m.regs[o.dst][:size]
	var parts [][]float64
	for _, part := range o.parts {
		if part != none {
			parts = append(parts, m.regs[part][:size])
		}
	}
	switch o.kind {
	case opAll:
		for i := range dst {
			dst[i] = ofAll(parts, o.weights, i)
		}
	case opAny:
		for i := range dst {
			dst[i] = ofAny(parts, o.weights, i)
		}
	case opFew:
		for i := range dst {
			dst[i] = o.ofSome(parts, i)
		}
	case opBut:
		for i := range dst {
			dst[i] = o.but(parts, i, func(reg int) float64 { return m.regs[reg][i] })
		}
	case opBoth:
		for i := range dst {
			dst[i] = parts[0][i] + float64(p.options.Words*parts[1][i])
		}
	}
}

// beyond is the share of an exclusion that is subtracted regardless of the wanted part. It
// ranks documents about an excluded atom behind others that match equally little.
const beyond = 0.1

// but reduces the positive part by the share of each negated part, and subtracts a small
// penalty on top. A formula without a positive part scores minus the sum of its negated parts.
func (o *op) but(parts [][]float64, i int, value func(reg int) float64) float64 {
	kept, taken := 1.0, 0.0
	for j := range o.negated {
		v := float64(o.negated[j].strength * max(least, value(o.negated[j].self)))
		if len(parts) > 0 {
			v = min(1, v)
		}
		kept, taken = kept*(1-v), taken+v
	}
	if len(parts) == 0 {
		return -taken
	}
	wanted := parts[0][i]
	return float64(max(0, wanted)*kept) + min(0, wanted) - float64(beyond*taken)
}

// ofAll returns half the minimum plus half the mean of the parts, so both missing and matching
// parts count. Unequal weights tilt the mean.
func ofAll(parts [][]float64, weights []float64, i int) float64 {
	least, sum, tilt := parts[0][i], 0.0, 0.0
	for k, part := range parts {
		v := part[i]
		least = min(least, v)
		sum += v
		if weights != nil {
			tilt += float64(weights[k] * v)
		}
	}
	return (least + sum/float64(len(parts)) + tilt) / 2
}

// ofAny returns the best alternative plus a fraction of the others.
func ofAny(parts [][]float64, weights []float64, i int) float64 {
	best, sum := 0.0, 0.0
	for k, part := range parts {
		v := part[i]
		if weights != nil && v > 0 {
			v *= weights[k]
		}
		if k == 0 || v > best {
			best = v
		}
		sum += max(0, v)
	}
	return best + float64(alternatives*(sum-max(0, best)))
}

// WordsOf explains the lexical part of a score.
type WordsOf struct {
	Vectors float64 `json:"vectors"` // score without the lexical part
	Weight  float64 `json:"weight"`
	Lexical float64 `json:"lexical"` // lexical score; Weight times Lexical was added
	Atoms   []Named `json:"atoms"`
}

// words explains opBoth, the sum of vector and lexical score.
func (e *explainer) words(o *op) *Explanation {
	x := e.register(o.parts[0])
	x.Words = &WordsOf{Vectors: x.Score, Weight: e.p.options.Words, Lexical: e.value(o.parts[1])}
	at := 0
	for i := range e.p.formula.Terms.Atoms() {
		x.Words.Atoms = append(x.Words.Atoms, Named{Formula: e.name(i), Value: e.value(e.p.shares[at])})
		at++
	}
	x.Score = e.value(o.dst)
	x.Sentence += wordsSentence(x.Words)
	return x
}
