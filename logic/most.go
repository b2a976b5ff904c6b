package logic

// most is what words can say at most where the share of each atom's words lies between the
// least there can be and what is given. All operators rise with what is wanted and fall
// with what is not, so that the ends of every register come from the ends of its operands.
func (s *Saying) most(shares []float32) float64 {
	low, high := make([]float64, s.p.regs), make([]float64, s.p.regs)
	for k, reg := range s.p.spoken {
		low[reg], high[reg] = least, float64(shares[k])
	}
	for i := range s.p.ops {
		o := &s.p.ops[i]
		low[o.dst], high[o.dst] = o.said(low, high), o.said(high, low)
	}
	return high[s.p.root]
}

// said is the value of an operator over words, of which what is wanted has some values and
// what is negated others.
func (o *op) said(wanted, negated []float64) float64 {
	var parts [][]float64
	for _, p := range o.parts {
		if p != none {
			parts = append(parts, wanted[p:p+1])
		}
	}
	switch o.kind {
	case opAll:
		return ofAll(parts, o.weights, 0)
	case opAny:
		return ofAny(parts, o.weights, 0)
	case opFew:
		return o.ofSome(parts, 0)
	}
	return o.but(parts, 0, func(reg int) float64 { return negated[reg] })
}
