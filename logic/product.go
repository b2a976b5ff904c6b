package logic

import (
	"math"

	"github.com/nsfl-go/nsfl/query"
)

// The calculus of memberships (Operator Product), which is ours. A similarity
// says little by itself: one encoder puts all of a corpus between 0.7 and 0.8,
// and one atom above another. Its place among the similarities of the documents
// that are scored says more:
//
//	p = σ(k·(z − b))   z = (S − mean) / deviation
//
// On memberships the operators are those of probability, a weight w being an
// exponent:
//
//	AND   Π p_k^w_k · p_F   F the fusion of the positive parts, one more part
//	NOT   (1 − p)^w         a factor of the conjunction; no fusion is read
//	OR    1 − Π (1 − p_k)^w_k
//
// Registers hold logarithms, since the product of many small memberships is no
// float32. A score is the product's root of the formula's degree, which is the
// number of memberships that are multiplied in it: the geometric mean of them.
// That orders documents as the product does, and stays in the range of one
// membership, whatever the formula.

const (
	// steepness and threshold are k and b: a document belongs when it is three
	// deviations above the mean. They were tried on development sets, with
	// all documents scored; a pool of near ones would have b lower.
	steepness = 1.5
	threshold = 3
	// leastDeviation keeps noise from becoming a spread: where nothing
	// resembles an atom, a cosine of 0.001 is no match.
	leastDeviation = 1e-3
	// extreme bounds k·(z − b), so that every membership, its complement and
	// every score is a normal float32.
	extreme = 87
)

// logit is k·(z − b).
func (s Spread) logit(similarity float64) float64 {
	z := (similarity - s.Mean) / max(s.Deviation, leastDeviation)
	return min(max(float64(steepness*(z-threshold)), -extreme), extreme)
}

// memberships turns similarities into the logarithms of memberships.
func (s Spread) memberships(values []float64) {
	for i, v := range values {
		values[i] = logSigmoid(s.logit(v))
	}
}

func logSigmoid(x float64) float64 {
	if x < 0 {
		return x - math.Log1p(math.Exp(x))
	}
	return -math.Log1p(math.Exp(-x))
}

// least is the smallest complement of a membership.
var least = math.Exp(-extreme)

// logNot is log(1 − p) for log p.
func logNot(l float64) float64 {
	l = min(l, -least)
	if l > -math.Ln2 {
		return math.Log(-math.Expm1(l))
	}
	return math.Log1p(-math.Exp(l))
}

// score compiles a whole formula.
func (c compiler) score(n query.Node) int {
	reg := c.membership(n)
	return c.emit(op{kind: opScore, formula: n, parts: []int{reg}, fused: none, degree: c.degree(reg)})
}

// membership compiles a formula and returns the register of its membership.
func (c compiler) membership(n query.Node) int {
	key := n.String()
	if reg, ok := c.done[key]; ok {
		return reg
	}
	var reg int
	switch n := n.(type) {
	case *query.Not:
		reg = c.factors(n, query.Conjunction{Neg: []query.Node{n.X}})
	case *query.And:
		if d := query.Distribute(n); d != nil {
			reg = c.alternatives(n, d.Parts)
		} else {
			reg = c.factors(n, query.ReadConjunction(n))
		}
	case *query.Or:
		reg = c.alternatives(n, n.Parts)
	default:
		reg = c.term(n)
	}
	c.done[key] = reg
	return reg
}

func (c compiler) factors(n query.Node, operands query.Conjunction) int {
	o := op{kind: opAll, formula: n, fused: none}
	for _, p := range operands.Pos {
		reg := c.membership(p)
		o.parts, o.weights = append(o.parts, reg), append(o.weights, weight(p))
		o.degree += float64(weight(p) * c.degree(reg))
	}
	if len(operands.Pos) > 1 {
		o.fused = c.term(operands.Fused)
		o.degree++
	}
	for _, u := range operands.Neg {
		self := c.membership(u)
		o.negated = append(o.negated, negation{formula: u, self: self, with: none, gate: none, strength: weight(u)})
		o.degree += weight(u)
	}
	return c.emit(o)
}

func (c compiler) alternatives(n query.Node, parts []query.Node) int {
	o := op{kind: opAny, formula: n, fused: none}
	for _, a := range parts {
		reg := c.membership(a)
		o.parts, o.weights = append(o.parts, reg), append(o.weights, weight(a))
		o.degree = max(o.degree, c.degree(reg))
	}
	return c.emit(o)
}

// degree is how many memberships are multiplied in a register.
func (c compiler) degree(reg int) float64 {
	for i := range c.p.ops {
		if c.p.ops[i].dst == reg {
			return c.p.ops[i].degree
		}
	}
	return 1
}

func (p *Program) execAll(m *machine, o *op, size int) {
	dst := m.regs[o.dst][:size]
	clear(dst)
	for k, part := range o.parts {
		for i, l := range m.regs[part][:size] {
			dst[i] += float64(o.weights[k] * l)
		}
	}
	if o.fused != none {
		for i, l := range m.regs[o.fused][:size] {
			dst[i] += l
		}
	}
	for _, neg := range o.negated {
		for i, l := range m.regs[neg.self][:size] {
			dst[i] += float64(neg.strength * p.absence(l))
		}
	}
}

// absence is the logarithm of what a negated part leaves: 1 − p, and with a cap
// never less than 1 − cap.
func (p *Program) absence(l float64) float64 {
	v := logNot(l)
	if p.options.Gate.Cap != 0 {
		v = max(v, math.Log1p(-p.options.Gate.Cap))
	}
	return v
}

// faint is the logarithm below which 1 − Π (1 − p_k) is Σ p_k to all digits.
const faint = -40

func execAny(m *machine, o *op, size int) {
	dst, top, sum := m.regs[o.dst][:size], m.top[:size], m.sum[:size]
	for k, part := range o.parts {
		for i, l := range m.regs[part][:size] {
			if k == 0 || l > top[i] {
				top[i] = l
			}
		}
	}
	clear(sum)
	for k, part := range o.parts {
		for i, l := range m.regs[part][:size] {
			if top[i] < faint {
				sum[i] += float64(o.weights[k] * math.Exp(l-top[i]))
			} else {
				sum[i] += float64(o.weights[k] * logNot(l))
			}
		}
	}
	for i, s := range sum {
		if top[i] < faint {
			dst[i] = top[i] + math.Log(s)
		} else {
			dst[i] = logNot(s)
		}
	}
}

func execScore(m *machine, o *op, size int) {
	dst := m.regs[o.dst][:size]
	for i, l := range m.regs[o.parts[0]][:size] {
		dst[i] = math.Exp(l / o.degree)
	}
}
