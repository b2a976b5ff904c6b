package logic

import "slices"

// Objective is a program as a function of one point: the function that the paper
// maximises over the unit sphere (section 7). It is the calculus on raw cosines, without
// noise floors, as in the paper's Algorithm 1. A gate is S_B divided by the corpus bound,
// or by 1 if there is none, since a point has no pool. For the same reason it ignores
// GateCap: the point is that of the paper's calculus, and documents found near it can be
// ranked by any.
//
// A disjunction on its own is maximised by any one of its alternatives, without regard to
// the others. Its fused string replaces it: at the root, and if it is the only positive
// part of a conjunction with negated parts.
//
// It satisfies sphere.Objective.
type Objective struct {
	p     *Program
	ops   []op
	scale float64 // value of a gate for a similarity of 1
	uses  []bool  // by register
	keep  int
	// Pieces of the function, if it has that form; see Pieces.
	pieces    form
	hasPieces bool
}

// Objective returns the function that a query vector for the formula maximises.
func (p *Program) Objective() *Objective {
	// Distributed, a conjunction would become a disjunction, maximised by one
	// alternative.
	options := p.options
	options.Words = 0 // a point has no words
	p = newProgram(p.formula, options, true)
	o := &Objective{p: p, scale: 1, uses: make([]bool, p.regs), keep: none}
	if p.options.Gate.Kind == ByBound {
		o.scale = NewGate(1, p.options.Gate.Bound)
	}
	disjunction := make([]bool, p.regs)
	for _, op := range p.ops {
		disjunction[op.dst] = op.kind == opOr || op.kind == opSome
		if op.kind == opNot && disjunction[op.parts[0]] {
			op.parts = []int{op.fused}
		}
		o.ops = append(o.ops, op)
	}
	if disjunction[p.root] {
		o.keep = p.formula.Terms.Index(p.formula.Monolithic())
		o.uses[o.keep] = true
	}
	o.mark()
	o.pieces, o.hasPieces = o.form(p.root)
	return o
}

// mark records which registers the value depends on. Operators come after those whose
// values they read.
func (o *Objective) mark() {
	o.uses[o.p.root] = true
	for _, op := range slices.Backward(o.ops) {
		if !o.uses[op.dst] {
			continue
		}
		reads := append(op.parts[:len(op.parts):len(op.parts)], op.fused)
		for _, neg := range op.negated {
			reads = append(reads, neg.self, neg.with)
		}
		for _, reg := range reads {
			if reg != none {
				o.uses[reg] = true
			}
		}
	}
}

// Terms returns the number of cosines that Value takes.
func (o *Objective) Terms() int { return o.p.formula.Terms.Len() }

// Uses reports whether the value depends on a term.
func (o *Objective) Uses(term int) bool { return o.uses[term] }

// Keep returns the term whose own vector answers a root disjunction, or −1.
func (o *Objective) Keep() int { return o.keep }

// Value returns f at a point with these cosines to the terms. If gradient is not nil, it
// stores a subgradient there.
func (o *Objective) Value(cosines, gradient []float64) float64 {
	var small [64]float64
	regs := small[:]
	if 2*o.p.regs > len(small) {
		regs = make([]float64, 2*o.p.regs)
	}
	values, slopes := regs[:o.p.regs], regs[o.p.regs:2*o.p.regs]
	copy(values, cosines)
	for i := range o.ops {
		if op := &o.ops[i]; o.uses[op.dst] {
			values[op.dst] = o.forward(op, values)
		}
	}
	if gradient != nil {
		slopes[o.p.root] = 1
		for i := len(o.ops) - 1; i >= 0; i-- {
			if op := &o.ops[i]; slopes[op.dst] != 0 {
				o.backward(op, values, slopes)
			}
		}
		copy(gradient, slopes[:len(gradient)])
	}
	return values[o.p.root]
}

func (o *Objective) forward(op *op, v []float64) float64 {
	switch op.kind {
	case opAnd:
		c := o.p.options.And.Value()
		value := (1+c)*v[op.fused] - c*v[op.top(v)]
		for k, w := range op.weights {
			value += w * v[op.parts[k]]
		}
		return value
	case opNot:
		value := v[op.parts[0]]
		for _, neg := range op.negated {
			value -= neg.strength * o.gateOf(neg, v) * (v[neg.with] - v[op.fused])
		}
		return value
	case opOr:
		reg, discount := op.winner(v)
		return discount * v[reg]
	case opSome:
		return op.some(v)
	}
	neg := op.worst(v)
	return 1 - neg.strength*o.scale*v[neg.self]
}

// backward propagates the slope of an operator to its operands.
func (o *Objective) backward(op *op, v, slopes []float64) {
	slope := slopes[op.dst]
	switch op.kind {
	case opAnd:
		c := o.p.options.And.Value()
		slopes[op.fused] += (1 + c) * slope
		slopes[op.top(v)] -= c * slope
		for k, w := range op.weights {
			slopes[op.parts[k]] += w * slope
		}
	case opNot:
		slopes[op.parts[0]] += slope
		for _, neg := range op.negated {
			g := neg.strength * o.gateOf(neg, v) * slope
			slopes[neg.with] -= g
			slopes[op.fused] += g
			if neg.gate != none {
				slopes[neg.self] -= neg.strength * o.scale * (v[neg.with] - v[op.fused]) * slope
			}
		}
	case opOr:
		reg, discount := op.winner(v)
		slopes[reg] += discount * slope
	case opSome:
		op.someSlope(v, slope, slopes)
	case opAgainst:
		neg := op.worst(v)
		slopes[neg.self] -= neg.strength * o.scale * slope
	}
}

func (o *Objective) gateOf(neg negation, v []float64) float64 {
	if neg.gate == none {
		return 1
	}
	return o.scale * v[neg.self]
}

// top returns the register of the largest part.
func (o *op) top(v []float64) int {
	reg := o.parts[0]
	for _, r := range o.parts[1:] {
		if v[r] > v[reg] {
			reg = r
		}
	}
	return reg
}

// winner returns the register of the winning alternative and its discount.
func (o *op) winner(v []float64) (reg int, discount float64) {
	reg, discount = o.parts[0], o.discount(0)
	for k, r := range o.parts {
		if d := o.discount(k); d*v[r] > discount*v[reg] {
			reg, discount = r, d
		}
	}
	if o.fused != none && v[o.fused] > discount*v[reg] {
		return o.fused, 1
	}
	return reg, discount
}

func (o *op) discount(k int) float64 {
	if o.weights == nil {
		return 1
	}
	return o.weights[k]
}

// worst returns the unwanted part that decides a purely negative query.
func (o *op) worst(v []float64) negation {
	worst := o.negated[0]
	for _, neg := range o.negated[1:] {
		if neg.strength*v[neg.self] > worst.strength*v[worst.self] {
			worst = neg
		}
	}
	return worst
}
