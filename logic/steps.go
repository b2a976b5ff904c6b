package logic

import "github.com/nsfl-go/nsfl/query"

// Step is one operator of a program over registers, for translating the score to another
// language. Registers are numbered: first the columns, in the order of the terms, then
// one for each step.
type Step struct {
	Operator Operator
	Formula  query.Node // the formula it scores
	Register int        // the register it fills
	// Parts are the registers of the positive operands: the parts of AND, the one that
	// NOT subtracts from, the alternatives of OR.
	Parts []int
	// Weights are the tilts of the parts of AND or the discounts of the alternatives of
	// OR; nil if all atoms have the same weight.
	Weights []float64
	Fused   int // register of F, or of F_P for NOT; −1 if there is none
	Negated []Negation
	Floored bool // the noise floor is on
	Least   int  // k of AtLeastStep
	// Replaces reports that a departure of NOT sets the score to F, instead of
	// subtracting what the fusion lost.
	Replaces bool
}

// Negation is a negated part of a step.
type Negation struct {
	Self     int     // register of its own score
	With     int     // register of its fusion with the positive parts; −1 in a purely negative query
	Gate     int     // index of its maximum; −1 if it has no gate
	Strength float64 // factor of its penalty
}

// Operator is the operation of a step.
type Operator uint8

// Operators over vectors.
const (
	AndStep     Operator = iota // conjunction of positive parts
	NotStep                     // negated parts subtracted from the rest
	OrStep                      // disjunction
	AgainstStep                 // a purely negative query
	AtLeastStep                 // the k-th largest of some parts
)

var operators = map[opKind]Operator{opAnd: AndStep, opNot: NotStep, opOr: OrStep, opAgainst: AgainstStep, opSome: AtLeastStep}

// Steps returns the operators over vectors in execution order, the register of the score,
// and the registers whose largest values are the maxima. It does not include the lexical
// score.
func (p *Program) Steps() (steps []Step, score int, gated []int) {
	score = p.root
	for i := range p.ops {
		o := &p.ops[i]
		if o.kind == opBoth {
			score = o.parts[0]
		}
		operator, ok := operators[o.kind]
		if !ok {
			continue
		}
		s := Step{
			Operator: operator, Formula: o.formula, Register: o.dst, Parts: o.parts, Weights: o.weights,
			Fused: o.fused, Floored: o.floored, Least: o.least, Replaces: operator == NotStep && o.replaces(),
		}
		for _, neg := range o.negated {
			s.Negated = append(s.Negated, Negation{neg.self, neg.with, neg.gate, neg.strength})
		}
		steps = append(steps, s)
	}
	for _, g := range p.gates {
		gated = append(gated, g.reg)
	}
	return steps, score, gated
}
