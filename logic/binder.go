package logic

import "slices"

// binder computes upper bounds for registers.
type binder struct {
	p        *Program
	shortest func([][]float64) []float64
	bound    *Bound
}

// alternative is one of several expressions whose maximum bounds a register from above:
// the minimum of some pieces, which are combinations of terms, plus the positive parts of
// extra.
type alternative struct {
	pieces [][]float64
	extra  [][]float64
}

// op returns the operator that fills a register, or nil for a column.
func (b *binder) op(reg int) *op {
	i := slices.IndexFunc(b.p.ops, func(o op) bool { return o.dst == reg })
	if i < 0 {
		return nil
	}
	return &b.p.ops[i]
}

// limit returns the bound of a register.
func (b *binder) limit(reg int) (out limit, ok bool) {
	alternatives, ok := b.upper(reg)
	if !ok {
		return nil, false
	}
	for _, a := range alternatives {
		s := b.add(nil, b.mixture(a.pieces))
		for _, e := range a.extra {
			s = b.add(s, e)
		}
		out = append(out, s)
	}
	return out, true
}

// mixture returns the shortest mixture of pieces.
func (b *binder) mixture(pieces [][]float64) []float64 {
	if len(pieces) == 1 {
		return pieces[0]
	}
	out := make([]float64, len(pieces[0]))
	for i, w := range b.shortest(pieces) {
		addScaled(out, pieces[i], w)
	}
	return out
}

// add adds a combination to a sum, as one stream for each term with a positive factor:
// all negative terms go with the largest of them.
func (b *binder) add(s sum, combination []float64) sum {
	largest := 0
	for t, x := range combination {
		if x > combination[largest] {
			largest = t
		}
	}
	if combination[largest] <= 0 {
		return s // not above 0 for non-negative similarities
	}
	for t, x := range combination {
		if x <= 0 {
			continue
		}
		stream := make([]float64, len(combination))
		stream[t] = x
		if t == largest {
			for u, y := range combination {
				stream[u] += min(0, y)
			}
		}
		s = append(s, b.stream(stream))
	}
	return s
}

// stream returns the addend of a combination, reusing an existing stream.
func (b *binder) stream(combination []float64) addend {
	factor := 0.0
	for _, x := range combination {
		factor += x
	}
	at := slices.IndexFunc(b.bound.Streams, func(s []float64) bool { return slices.Equal(s, combination) })
	if at < 0 {
		at = len(b.bound.Streams)
		b.bound.Streams = append(b.bound.Streams, combination)
	}
	return addend{at, factor}
}

// term returns a multiple of one term.
func (b *binder) term(reg int, scale float64) []float64 {
	u := make([]float64, b.p.formula.Terms.Len())
	u[reg] = scale
	return u
}

func (b *binder) isTerm(reg int) bool { return reg < b.p.formula.Terms.Len() }

// upper returns the alternatives of a register.
func (b *binder) upper(reg int) ([]alternative, bool) {
	if b.isTerm(reg) {
		return []alternative{{pieces: [][]float64{b.term(reg, 1)}}}, true
	}
	switch o := b.op(reg); o.kind {
	case opAnd:
		return b.and(o)
	case opNot:
		return b.not(o)
	case opOr:
		return b.or(o)
	}
	return nil, false
}

// and uses the parts that are terms as pieces. A disjunction of terms is never negative
// for non-negative similarities and can be omitted; too little is known about other
// parts. Raw similarities may be negative, which can turn a reinforcement into a gain.
func (b *binder) and(o *op) ([]alternative, bool) {
	c := b.p.options.And.Value()
	raw := b.p.options.Similarity == Raw
	common := b.term(o.fused, 1+c)
	plain := alternative{pieces: [][]float64{b.term(o.fused, 1)}}
	var pieces [][]float64
	for k, part := range o.parts {
		if !b.isTerm(part) {
			if raw || o.weights != nil || !b.positive(part) {
				return nil, false
			}
			continue
		}
		pieces = append(pieces, b.term(part, -c))
		if o.weights != nil {
			common[part] += o.weights[k]
			plain.pieces[0][part] += o.weights[k]
		}
	}
	if len(pieces) == 0 {
		pieces = [][]float64{b.term(o.fused, 0)}
	}
	for _, p := range pieces {
		addScaled(p, common, 1)
	}
	out := []alternative{{pieces: pieces}}
	if raw && o.floored {
		out = append(out, plain)
	}
	return out, true
}

// positive reports whether a register is a disjunction of terms.
func (b *binder) positive(reg int) bool {
	o := b.op(reg)
	return o != nil && o.kind == opOr && !slices.ContainsFunc(o.parts, func(p int) bool { return !b.isTerm(p) })
}

// maxPaired is the number of negated parts up to which both ends of every gate are
// combined.
const maxPaired = 2

// not: a penalty is linear in its gate, so its extremum is at one of the ends. A
// departure subtracts more than a gate of 0.
func (b *binder) not(o *op) ([]alternative, bool) {
	out, ok := b.upper(o.parts[0])
	for j := range o.negated {
		neg := &o.negated[j]
		most, known := b.mostGate(neg)
		if ok = ok && known; !ok {
			return nil, false
		}
		delta := b.term(o.fused, most*neg.strength)
		delta[neg.with] -= most * neg.strength
		if j >= maxPaired && neg.gate != none {
			for i := range out {
				out[i].extra = append(out[i].extra[:len(out[i].extra):len(out[i].extra)], delta)
			}
			continue
		}
		var closed []alternative
		for _, a := range out {
			if neg.gate != none {
				closed = append(closed, a)
			}
			closed = append(closed, a.plus(delta))
		}
		out = closed
	}
	return out, ok
}

func (a alternative) plus(delta []float64) alternative {
	out := alternative{extra: a.extra}
	for _, p := range a.pieces {
		p = slices.Clone(p)
		addScaled(p, delta, 1)
		out.pieces = append(out.pieces, p)
	}
	return out
}

// mostGate returns the largest possible value of a gate.
func (b *binder) mostGate(neg *negation) (float64, bool) {
	most := 1.0
	if g := b.p.options.Gate; neg.gate != none && g.Kind == ByBound {
		most = NewGate(1, g.Bound)
		if !b.isTerm(neg.self) && b.p.options.GateCap == 0 {
			return 0, false // the score of a formula may exceed 1
		}
		if !b.isTerm(neg.self) {
			most = b.p.options.GateCap
		}
	}
	most, _ = b.p.options.capped(most)
	return most, true
}

func (b *binder) or(o *op) ([]alternative, bool) {
	var out []alternative
	for k, part := range o.parts {
		some, ok := b.upper(part)
		if !ok {
			return nil, false
		}
		for _, a := range some {
			out = append(out, a.times(o.discount(k)))
		}
	}
	if o.fused != none {
		out = append(out, alternative{pieces: [][]float64{b.term(o.fused, 1)}})
	}
	return out, true
}

func (a alternative) times(factor float64) alternative {
	scale := func(rows [][]float64) (out [][]float64) {
		for _, row := range rows {
			scaled := make([]float64, len(row))
			addScaled(scaled, row, factor)
			out = append(out, scaled)
		}
		return out
	}
	return alternative{scale(a.pieces), scale(a.extra)}
}

// away computes the bound of a purely negative query, if all negated parts are terms and
// similarities are clamped at 0.
func (b *binder) away(o *op) bool {
	if b.p.options.Similarity != Clamp {
		return false
	}
	var pieces [][]float64
	a := &against{}
	for _, neg := range o.negated {
		if !b.isTerm(neg.self) || neg.strength <= 0 {
			return false
		}
		pieces = append(pieces, b.term(neg.self, -1))
		a.strengths, a.gates = append(a.strengths, neg.strength), append(a.gates, neg.gate)
	}
	a.shares = []float64{1}
	if len(pieces) > 1 {
		a.shares = b.shortest(pieces)
	}
	combination := make([]float64, len(pieces[0]))
	for j, p := range pieces {
		addScaled(combination, p, a.shares[j])
	}
	a.stream = b.stream(combination).stream
	b.bound.against = a
	return true
}
