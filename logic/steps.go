package logic

import "github.com/nsfl-go/nsfl/query"

// Step is one operator of a program over registers, for those who write the same score in
// another language. Registers are numbered: the columns first, in the order of the terms,
// then one for each step.
type Step struct {
	Operator Operator
	Formula  query.Node // what it scores
	Register int        // that it fills
	// Parts are the registers of what is wanted: the parts of AND, the one that NOT starts
	// from, the alternatives of OR.
	Parts []int
	// Weights are the tilts of the parts of AND, the discounts of the alternatives of OR;
	// nil where all atoms weigh the same.
	Weights []float64
	Fused   int // the register of F, of NOT that of F_P; −1: there is none
	Negated []Negation
	Floored bool // the noise floor is on
	Least   int  // of AtLeastStep: k
	// Replaces says that a departure of NOT sets the score to F, rather than taking away
	// what the fusion lost.
	Replaces bool
}

// Negation is a negated part of a step.
type Negation struct {
	Self     int     // the register of its own score
	With     int     // that of its fusion with what is wanted; −1 of a purely negative query
	Gate     int     // which of the maxima it is divided by; −1: it has no gate
	Strength float64 // what its penalty is multiplied with
}

// Operator is what a step does.
type Operator uint8

// The operators over vectors.
const (
	AndStep     Operator = iota // a conjunction of what is wanted
	NotStep                     // negated parts are taken from what is wanted
	OrStep                      // a disjunction
	AgainstStep                 // a query that is purely negative
	AtLeastStep                 // the k-th largest of some parts
)

var operators = map[opKind]Operator{opAnd: AndStep, opNot: NotStep, opOr: OrStep, opAgainst: AgainstStep, opSome: AtLeastStep}

// Steps are the operators over vectors in the order in which they run, the register of the
// score, and those whose largest values are the maxima. What words add is in none of them.
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
