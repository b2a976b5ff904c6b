package logic

import (
	"fmt"
	"slices"
	"strings"
)

// Explanation describes how a document got its score for a formula. Its parts explain the
// subformulas, each at its first occurrence.
type Explanation struct {
	Formula string `json:"formula"`
	// Rule is one of similarity, and, not, or, against, at least.
	Rule  string  `json:"rule"`
	Score float64 `json:"score"`
	// Similarities are those that the rule used: parts first, then fusions.
	Similarities []Named        `json:"similarities,omitempty"`
	Deltas       []DeltaOf      `json:"deltas,omitempty"`
	Gates        []GateOf       `json:"gates,omitempty"`
	Regime       *Regime        `json:"regime,omitempty"`
	Floor        Floor          `json:"floor,omitempty"`
	Tilt         float64        `json:"tilt,omitempty"` // contribution of unequal weights
	Words        *WordsOf       `json:"words,omitempty"`
	Sentence     string         `json:"sentence"`
	Parts        []*Explanation `json:"parts,omitempty"`
}

// Named is the similarity to a term, or the score of a part that is a formula and is
// explained in Parts.
type Named struct {
	Formula string  `json:"formula"`
	Value   float64 `json:"value"`
	Scored  bool    `json:"scored,omitempty"` // a score, not a similarity
}

// DeltaOf is Δ_Of = S(Fused) − S(Given): the contribution of Of.
type DeltaOf struct {
	Of    string  `json:"of"`
	Given string  `json:"given"`
	Fused string  `json:"fused"`
	Value float64 `json:"value"`
	Used  bool    `json:"used"` // part of the score; others are for information
}

// GateOf describes how strongly a negated part is present.
type GateOf struct {
	Of         string  `json:"of"`
	Similarity float64 `json:"similarity"`
	Maximum    float64 `json:"maximum"`
	Value      float64 `json:"value"`
	Capped     bool    `json:"capped,omitempty"` // the cap set the value
	// Penalty is what the part subtracted from the score; negative if it added.
	Penalty float64 `json:"penalty"`
	// Regime classifies the fusion of the positive parts with the negated one.
	Regime Regime `json:"regime"`
	Floor  Floor  `json:"floor,omitempty"`
}

// Explain runs the program on one document, given its cosine to every term and, if words
// count, its share of each atom's words. maxima are those that its score was computed
// with.
func (p *Program) Explain(cosines []float32, maxima []float64) (*Explanation, error) {
	columns := make([][]float32, len(cosines))
	for i := range cosines {
		columns[i] = cosines[i : i+1]
	}
	if _, err := p.check(columns); err != nil {
		return nil, err
	}
	if err := p.suits(maxima); err != nil {
		return nil, err
	}
	m := newMachine(p.regs)
	defer scratch.Put(m)
	p.loadAll(m, columns, 0, 1)
	p.exec(m, p.ops, maxima, 1)
	return (&explainer{p, m, maxima, map[int]bool{}}).register(p.root), nil
}

// explainer reads the registers that the evaluator filled.
type explainer struct {
	p      *Program
	m      *machine
	maxima []float64
	// explained are the registers already explained. A formula may occur in several
	// alternatives; explaining it in each would grow with their product.
	explained map[int]bool
}

func (e *explainer) value(reg int) float64 { return e.m.regs[reg][0] }

// register explains the value of a register.
func (e *explainer) register(reg int) *Explanation {
	if reg < e.p.formula.Terms.Len() {
		name := e.name(reg)
		v := e.value(reg)
		return &Explanation{Formula: name, Rule: "similarity", Score: v, Sentence: fmt.Sprintf("similarity to %s is %s", show(name), num(v))}
	}
	o := e.op(reg)
	if o.kind == opBoth {
		return e.words(o)
	}
	x := &Explanation{Formula: e.name(reg), Score: e.value(reg)}
	switch o.kind {
	case opAnd:
		e.and(x, o)
	case opNot:
		e.not(x, o)
	case opOr:
		e.or(x, o)
	case opAgainst:
		e.against(x, o)
	case opSome:
		e.some(x, o)
	}
	return x
}

func (e *explainer) op(reg int) *op {
	i := slices.IndexFunc(e.p.ops, func(o op) bool { return o.dst == reg })
	return &e.p.ops[i]
}

// name returns the formula that a register stands for.
func (e *explainer) name(reg int) string { return e.p.names()[reg] }

// nameAll returns the formulas that registers stand for.
func (p *Program) nameAll() []string {
	names := make([]string, p.regs)
	for i := range p.formula.Terms.Len() {
		names[i] = p.formula.Terms.Name(i)
	}
	for _, o := range p.ops {
		names[o.dst] = p.formula.Terms.NameOf(o.formula, o.dst)
	}
	return names
}

// operands lists the parts of an operator and explains those that are formulas.
func (e *explainer) operands(x *Explanation, regs []int) (values []float64) {
	for _, r := range regs {
		values = append(values, e.value(r))
		scored := r >= e.p.formula.Terms.Len()
		x.Similarities = append(x.Similarities, Named{e.name(r), e.value(r), scored})
		if scored && !e.explained[r] {
			e.explained[r] = true
			x.Parts = append(x.Parts, e.register(r))
		}
	}
	return values
}

func (e *explainer) and(x *Explanation, o *op) {
	x.Rule = "and"
	parts := e.operands(x, o.parts)
	fused := e.similarity(x, o.fused)
	x.Floor = And(fused, parts, e.options(o)).Floor
	regime := RegimeOf(fused, parts)
	x.Regime = &regime
	top := 0 // the dominant part: the last one on ties
	for k, v := range parts {
		if v >= parts[top] {
			top = k
		}
	}
	e.deltas(x, o, func(k int) bool { return k == top && x.Floor == NoFloor })
	for k, w := range o.weights {
		x.Tilt += float64(w * parts[k])
	}
	x.Sentence = andSentence(x, x.Deltas[top], parts[top], fused)
}

// options returns the program's options with the floors of the operator.
func (e *explainer) options(o *op) Options {
	options := e.p.options
	if !o.floored {
		options.NoFloor = AllFloors
	}
	return options
}

// similarity adds the similarity to a fusion.
func (e *explainer) similarity(x *Explanation, reg int) float64 {
	v := e.value(reg)
	x.Similarities = append(x.Similarities, Named{Formula: e.name(reg), Value: v})
	return v
}

// deltas adds, for every part of an AND or OR, the contribution of the others.
func (e *explainer) deltas(x *Explanation, o *op, used func(k int) bool) {
	for k, r := range o.parts {
		x.Deltas = append(x.Deltas, DeltaOf{
			Of: e.others(o.parts, k), Given: e.name(r), Fused: e.name(o.fused),
			Value: Delta(e.value(o.fused), e.value(r)), Used: used(k),
		})
	}
}

// others names all parts but one, or counts them if they are many.
func (e *explainer) others(regs []int, except int) string {
	const most = 8
	if len(regs) > most {
		return fmt.Sprintf("the %d other parts", len(regs)-1)
	}
	var names []string
	for k, r := range regs {
		if k != except {
			names = append(names, e.name(r))
		}
	}
	return strings.Join(names, ", ")
}

func (e *explainer) not(x *Explanation, o *op) {
	x.Rule = "not"
	e.operands(x, o.parts)
	base := e.value(o.fused)
	if o.fused != o.parts[0] {
		e.similarity(x, o.fused)
	}
	for _, neg := range o.negated {
		self := e.operands(x, []int{neg.self})[0]
		with := e.similarity(x, neg.with)
		x.Deltas = append(x.Deltas, DeltaOf{Of: e.name(neg.self), Given: e.name(o.fused), Fused: e.name(neg.with), Value: Delta(with, base), Used: true})
		g := e.gate(neg, self)
		g.Regime = RegimeOf(with, []float64{base, self})
		g.Penalty, g.Floor = not(base, self, with, g.Value, neg.strength, o.floored)
		g.Penalty += 0 // avoid −0 in a report
		if g.Floor != NoFloor {
			x.Floor = g.Floor
		}
		x.Gates = append(x.Gates, g)
	}
	x.Sentence = notSentence(x, e.name(o.parts[0]), e.value(o.parts[0]))
}

// gate describes how strongly a negated part is present.
func (e *explainer) gate(neg negation, self float64) GateOf {
	g := GateOf{Of: e.name(neg.self), Similarity: self, Value: 1}
	if neg.gate != none {
		g.Maximum = e.maxima[neg.gate]
		g.Value = NewGate(self, g.Maximum)
	}
	g.Value, g.Capped = e.p.options.capped(g.Value)
	return g
}

func (e *explainer) or(x *Explanation, o *op) {
	x.Rule = "or"
	parts := e.operands(x, o.parts)
	if o.fused != none {
		fused := e.similarity(x, o.fused)
		regime := RegimeOf(fused, parts)
		x.Regime = &regime
		e.deltas(x, o, func(int) bool { return false }) // they decide the floor, not the value
		x.Floor = Or(parts, fused, fused, e.options(o)).Floor
	}
	x.Sentence = orSentence(x)
}

func (e *explainer) against(x *Explanation, o *op) {
	x.Rule = "against"
	for _, neg := range o.negated {
		e.operands(x, []int{neg.self})
		g := e.gate(neg, e.value(neg.self))
		g.Penalty = float64(neg.strength * g.Value)
		x.Gates = append(x.Gates, g)
	}
	x.Sentence = againstSentence(x)
}
