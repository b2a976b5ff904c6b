package logic

import (
	"math"
	"slices"
)

// MembershipOf is what a part brought to a product, or to a disjunction of
// memberships.
type MembershipOf struct {
	Of      string  `json:"of"`
	Negated bool    `json:"negated,omitempty"`
	Value   float64 `json:"value"`  // of the part; where it is negated, of its absence
	Weight  float64 `json:"weight"` // the exponent
	Capped  bool    `json:"capped,omitempty"`
	// Spread is what a similarity was measured by; nil for a formula.
	Spread *Spread `json:"spread,omitempty"`
}

// membership explains a register of logarithms.
func (e *explainer) membership(reg int) *Explanation {
	if reg < e.p.formula.Terms.Len() {
		x := &Explanation{Formula: e.name(reg), Rule: "membership", Score: math.Exp(e.value(reg))}
		e.member(x, reg, 1)
		x.Sentence = membershipSentence(x)
		return x
	}
	o := e.op(reg)
	x := &Explanation{Formula: o.formula.String(), Score: math.Exp(e.value(reg) / o.degree), Degree: o.degree}
	for k, part := range o.parts {
		e.member(x, part, o.weights[k])
	}
	if o.kind == opAny {
		x.Rule = "either"
		x.Sentence = eitherSentence(x, math.Exp(e.value(reg)))
		return x
	}
	x.Rule = "product"
	for _, neg := range o.negated {
		m := e.member(x, neg.self, neg.strength)
		absence := e.p.absence(e.value(neg.self))
		m.Negated, m.Value, m.Capped = true, math.Exp(absence), absence > logNot(e.value(neg.self))
	}
	if o.fused != none {
		e.member(x, o.fused, 1)
	}
	x.Sentence = productSentence(x, math.Exp(e.value(reg)), e.p.options.Gate.Cap)
	return x
}

// member adds a part, and explains it where it is a formula.
func (e *explainer) member(x *Explanation, reg int, weight float64) *MembershipOf {
	m := MembershipOf{Of: e.name(reg), Value: math.Exp(e.value(reg)), Weight: weight}
	named := Named{Formula: m.Of}
	if reg < e.p.formula.Terms.Len() {
		s := e.s.Spreads[slices.Index(e.p.reads, reg)]
		m.Spread = &s
		named.Value = e.p.options.Similarity.Of(float64(e.cosines[reg]))
	} else {
		named.Value, named.Scored = math.Exp(e.value(reg)/e.op(reg).degree), true
		if !e.told[reg] {
			e.told[reg] = true
			x.Parts = append(x.Parts, e.membership(reg))
		}
	}
	x.Similarities = append(x.Similarities, named)
	x.Memberships = append(x.Memberships, m)
	return &x.Memberships[len(x.Memberships)-1]
}
