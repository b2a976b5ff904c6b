package logic

// Pieces decomposes an objective of the form
//
//	f(s) = const + min_i ⟨linear_i, s⟩ + Σ_j ⟨left_j, s⟩·⟨right_j, s⟩
//
// where s are the cosines to the terms. Every conjunction of atoms has this form,
// whatever is negated in it, and so do most nested formulas. It returns ok = false for
// all others. The slices are shared and must not be modified.
func (o *Objective) Pieces() (linear, left, right [][]float64, ok bool) {
	if !o.hasPieces || o.pieces.convex {
		return nil, nil, nil, false
	}
	return o.pieces.linear, o.pieces.left, o.pieces.right, true
}

// form is a register as a function of the terms: the minimum of linear pieces (or their
// maximum, if convex), plus products.
type form struct {
	linear      [][]float64
	convex      bool
	left, right [][]float64
}

// single reports whether the form is one linear function.
func (f form) single() bool { return len(f.linear) == 1 && len(f.left) == 0 }

func (o *Objective) form(reg int) (form, bool) {
	if reg < o.Terms() {
		return form{linear: [][]float64{o.unit(reg, 1)}}, true
	}
	for i := range o.ops {
		if op := &o.ops[i]; op.dst == reg {
			switch op.kind {
			case opAnd:
				return o.andForm(op)
			case opNot:
				return o.notForm(op)
			case opOr:
				return o.orForm(op)
			case opAgainst:
				return o.againstForm(op)
			}
		}
	}
	return form{}, false
}

// unit returns a multiple of one term.
func (o *Objective) unit(term int, scale float64) []float64 {
	u := make([]float64, o.Terms())
	u[term] = scale
	return u
}

// andForm: F + c·(F − max parts) is the minimum over everything that the maximum ranges
// over; a disjunction among the parts contributes its alternatives.
func (o *Objective) andForm(op *op) (form, bool) {
	c := o.p.options.And.Value()
	common := o.unit(op.fused, 1+c)
	var out form
	for k, part := range op.parts {
		f, ok := o.form(part)
		if !ok || len(f.left) > 0 || !f.convex && !f.single() {
			return form{}, false
		}
		if op.weights != nil {
			if !f.single() {
				return form{}, false
			}
			addScaled(common, f.linear[0], op.weights[k])
		}
		for _, l := range f.linear {
			piece := make([]float64, len(l))
			addScaled(piece, l, -c)
			out.linear = append(out.linear, piece)
		}
	}
	for _, piece := range out.linear {
		addScaled(piece, common, 1)
	}
	return out, true
}

func (o *Objective) notForm(op *op) (form, bool) {
	out, ok := o.form(op.parts[0])
	if !ok || out.convex {
		return form{}, false
	}
	for _, neg := range op.negated {
		delta := o.unit(neg.with, -neg.strength)
		delta[op.fused] += neg.strength
		if neg.gate == none {
			for _, l := range out.linear {
				addScaled(l, delta, 1)
			}
			continue
		}
		self, ok := o.form(neg.self)
		if !ok || !self.single() {
			return form{}, false
		}
		scaled := make([]float64, o.Terms())
		addScaled(scaled, self.linear[0], o.scale)
		out.left = append(out.left, scaled)
		out.right = append(out.right, delta)
	}
	return out, true
}

func (o *Objective) orForm(op *op) (form, bool) {
	out := form{convex: true}
	for k, part := range op.parts {
		f, ok := o.form(part)
		if !ok || !f.single() {
			return form{}, false
		}
		scaled := make([]float64, o.Terms())
		addScaled(scaled, f.linear[0], op.discount(k))
		out.linear = append(out.linear, scaled)
	}
	if op.fused != none {
		out.linear = append(out.linear, o.unit(op.fused, 1))
	}
	return out, true
}

func (o *Objective) againstForm(op *op) (form, bool) {
	var out form
	for _, neg := range op.negated {
		f, ok := o.form(neg.self)
		if !ok || !f.single() {
			return form{}, false
		}
		piece := make([]float64, o.Terms())
		addScaled(piece, f.linear[0], -neg.strength*o.scale)
		out.linear = append(out.linear, piece)
	}
	return out, true
}

func addScaled(dst, src []float64, s float64) {
	for i, v := range src {
		dst[i] += s * v
	}
}
