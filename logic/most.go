package logic

// most returns an upper bound of the lexical score, where the share of each atom's words
// is between the least possible value and the given one. All operators increase with
// wanted parts and decrease with negated ones, so the bounds of a register follow from
// those of its operands.
func (s *LexicalScore) most(shares []float32) float64 {
	low, high := make([]float64, s.p.regs), make([]float64, s.p.regs)
	for k, reg := range s.p.shares {
		low[reg], high[reg] = least, float64(shares[k])
	}
	for i := range s.p.ops {
		o := &s.p.ops[i]
		low[o.dst], high[o.dst] = o.lexical(low, high), o.lexical(high, low)
	}
	return high[s.p.root]
}

// lexical evaluates a lexical operator, given values of wanted and of negated operands.
func (o *op) lexical(wanted, negated []float64) float64 {
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
