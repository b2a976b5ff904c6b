package logic

import (
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/nsfl-go/nsfl/query"
)

// Program scores documents by a formula. It is immutable and safe for concurrent use.
type Program struct {
	formula *query.Formula
	options Options
	ops     []op
	gates   []gate
	root    int             // register that holds the score
	regs    int             // number of registers; the first are the columns: terms, then words of atoms
	shares  []int           // registers of the words of atoms, in the order of the terms' atoms
	reads   []int           // terms that the operators read; others, such as L_M, serve retrieval only
	names   func() []string // formulas that registers stand for
}

// op is one operator of the calculus over registers. Operators are the second, private
// form of a formula: the tree is data, the operators are executed.
type op struct {
	kind    opKind
	formula query.Node // the formula it scores, for explanations
	dst     int

	// and, or: the parts or alternatives; not: the register to subtract from.
	parts []int
	// and: tilt of each part; or: discount of each alternative. Nil if all atoms have the
	// same weight.
	weights []float64
	// and: F. not: F_P. or: F and M, or none.
	fused int

	negated []negation // not, against
	floored bool       // the noise floor is on
	least   int        // some, few: number of parts
}

// negation is a negated part n of a conjunction with positive parts P.
type negation struct {
	formula  query.Node
	self     int     // register of the part's own score
	with     int     // register of F_{P∪n}
	gate     int     // index into the maxima, or none
	strength float64 // coefficient times the atom's weight
}

// gate is a register whose largest value is needed.
type gate struct {
	reg   int
	after int // number of operators that must have run before reg is set
}

const none = -1

type opKind uint8

const (
	opAnd     opKind = iota // conjunction of positive parts
	opNot                   // negated parts subtracted from the rest
	opOr                    // disjunction
	opAgainst               // a purely negative query
	opSome                  // at least k of the parts
	opAll                   // words: all parts
	opAny                   // words: one of the alternatives
	opFew                   // words: at least k of the parts
	opBut                   // words: negated parts subtracted
	opBoth                  // vectors plus words
)

// ErrNoAtoms is returned for a query that has only hard predicates: there is nothing to
// score.
var ErrNoAtoms = errors.New("the query has predicates but no atom to rank by")

// Compile compiles a formula.
//
// A conjunction with positive parts P and negated parts N scores AND(P) − Σ_j
// g_j·(F_{P∪n_j} − F_P), where parts are formulas scored by the same rules; with one or
// two atoms each this is exactly the paper's definition. A conjunction that contains
// disjunctions is scored alternative by alternative (query.Distribute). doc/design.md
// defines and justifies what goes beyond the paper.
func Compile(f *query.Formula, o Options) (*Program, error) {
	if f.Root == nil {
		return nil, ErrNoAtoms
	}
	if err := o.Check(); err != nil {
		return nil, fmt.Errorf("compiling the formula: %w", err)
	}
	return newProgram(f, o, false), nil
}

// newProgram compiles a formula. With structural set it does not distribute conjunctions
// over disjunctions, which is the form that a query vector is derived from: see
// Objective.
func newProgram(f *query.Formula, o Options, structural bool) *Program {
	c := compiler{&Program{formula: f, options: o, regs: f.Terms.Len()}, structural, map[string]int{}}
	c.p.names = sync.OnceValue(c.p.nameAll)
	if o.Words > 0 {
		c.p.allocateShares()
	}
	c.p.root = c.root(f.Root)
	if o.Words > 0 {
		c.p.root = c.emit(op{kind: opBoth, formula: f.Root, parts: []int{c.p.root, c.lexical(f.Root)}, fused: none})
	}
	return c.p
}

// Columns returns the number of columns that the program takes: one per term and, if
// words count, one per atom.
func (p *Program) Columns() int { return p.formula.Terms.Len() + len(p.shares) }

// Formula returns the formula that the program scores.
func (p *Program) Formula() *query.Formula { return p.formula }

// Options returns the options that the program was compiled with.
func (p *Program) Options() Options { return p.options }

// Reads reports whether the score depends on a term. Other terms serve retrieval only,
// and their columns may hold anything.
func (p *Program) Reads(term int) bool { return slices.Contains(p.reads, term) }

type compiler struct {
	p          *Program
	structural bool
	// done maps compiled formulas to registers: a formula may be negated in several
	// alternatives.
	done map[string]int
}

// emit appends an operator and returns the register it fills.
func (c compiler) emit(o op) int {
	o.dst = c.p.regs
	c.p.regs++
	c.p.ops = append(c.p.ops, o)
	return o.dst
}

// term returns the register of a term and marks it as read.
func (c compiler) term(n query.Node) int {
	reg := c.p.formula.Terms.Index(n)
	if !slices.Contains(c.p.reads, reg) {
		c.p.reads = append(c.p.reads, reg)
	}
	return reg
}

// root compiles the root, which alone may be purely negative.
func (c compiler) root(n query.Node) int {
	var unwanted []query.Node
	switch n := n.(type) {
	case *query.Not:
		unwanted = []query.Node{n.X}
	case *query.And:
		if operands := query.ReadConjunction(n); len(operands.Pos) == 0 {
			unwanted = operands.Neg
		}
	}
	if unwanted == nil {
		return c.positive(n)
	}
	o := op{kind: opAgainst, formula: n, fused: none}
	for _, u := range unwanted {
		self := c.positive(u)
		o.negated = append(o.negated, negation{formula: u, self: self, with: none, gate: c.gate(self), strength: weight(u)})
	}
	return c.emit(o)
}

// positive compiles a formula that has a positive part and returns the register of its
// score.
func (c compiler) positive(n query.Node) int {
	key := n.String()
	if reg, ok := c.done[key]; ok {
		return reg
	}
	var reg int
	switch n := n.(type) {
	case *query.And:
		reg = c.conjunction(n)
	case *query.Or:
		reg = c.disjunction(n)
	case *query.AtLeast:
		reg = c.atLeast(n)
	default:
		reg = c.term(n)
	}
	c.done[key] = reg
	return reg
}

func (c compiler) conjunction(n *query.And) int {
	if d := query.Distribute(n); d != nil && !c.structural {
		return c.emit(op{kind: opOr, formula: n, parts: c.all(d.Parts), fused: none})
	}
	operands := query.ReadConjunction(n)
	parts, fused := c.all(operands.Pos), c.term(operands.Fused)
	score := parts[0]
	if len(parts) > 1 {
		score = c.emit(op{
			kind: opAnd, formula: &query.And{Parts: operands.Pos, Pos: n.Pos}, parts: parts, weights: tilts(operands.Pos),
			fused: fused, floored: c.floored(AndFloor),
		})
	}
	if len(operands.Neg) == 0 {
		return score
	}
	o := op{
		kind: opNot, formula: n, parts: []int{score}, fused: fused,
		// The paper defines a floor for A ∧ ¬B but not for A ∧ B ∧ ¬C.
		floored: c.floored(NotFloor) && len(parts) == 1,
	}
	for j, u := range operands.Neg {
		self := c.positive(u)
		neg := negation{formula: u, self: self, with: c.term(operands.With[j]), gate: none, strength: float64(c.p.options.Not.Value() * weight(u))}
		if c.p.options.Gate.Kind != Ungated {
			neg.gate = c.gate(self)
		}
		o.negated = append(o.negated, neg)
	}
	return c.emit(o)
}

func (c compiler) disjunction(n *query.Or) int {
	operands := query.ReadDisjunction(n)
	o := op{kind: opOr, formula: n, parts: c.all(operands.Alts), weights: discounts(operands.Alts), fused: none}
	if operands.Fused != nil {
		o.fused = c.term(operands.Fused)
		o.floored = c.floored(OrFloor)
	}
	return c.emit(o)
}

func (c compiler) all(nodes []query.Node) []int {
	regs := make([]int, len(nodes))
	for i, n := range nodes {
		regs[i] = c.positive(n)
	}
	return regs
}

func (c compiler) floored(f Floors) bool { return c.p.options.NoFloor&f == 0 }

// gate returns the index of the gate for a negated formula.
func (c compiler) gate(reg int) int {
	if i := slices.IndexFunc(c.p.gates, func(g gate) bool { return g.reg == reg }); i >= 0 {
		return i
	}
	g := gate{reg: reg}
	if reg >= c.p.Columns() {
		g.after = len(c.p.ops)
	}
	c.p.gates = append(c.p.gates, g)
	return len(c.p.gates) - 1
}
