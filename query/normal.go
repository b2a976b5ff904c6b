package query

import (
	"errors"
	"fmt"
)

// NNF brings a formula to negation normal form: by the De Morgan laws NOT
// stands only before atoms and predicates, double negations are gone, k OF asks for
// more than one and fewer than all of its parts, and a conjunction in a conjunction or a disjunction in a disjunction is flattened.
func NNF(n Node) Node { return nnf(n, false) }

func nnf(n Node, negate bool) Node {
	part := func(p Node) Node { return nnf(p, negate) }
	switch n := n.(type) {
	case *Not:
		return nnf(n.X, !negate)
	case *And:
		if negate {
			return newOr(each(n.Parts, part), n.Pos)
		}
		return newAnd(each(n.Parts, part), n.Pos)
	case *Or:
		if negate {
			return newAnd(each(n.Parts, part), n.Pos)
		}
		return newOr(each(n.Parts, part), n.Pos)
	case *AtLeast: // not k of n: the negations of n−k+1
		k := n.K
		if negate {
			k = len(n.Parts) - k + 1
		}
		return newAtLeast(k, each(n.Parts, part), n.Pos)
	}
	if negate {
		return &Not{X: n, Pos: n.Span()}
	}
	return n
}

func each(parts []Node, f func(Node) Node) []Node {
	out := make([]Node, len(parts))
	for i, p := range parts {
		out[i] = f(p)
	}
	return out
}

// newAnd flattens, drops repeated parts (A AND A is A), and is its only part
// where one is left; nil of none.
func newAnd(parts []Node, span Span) Node {
	parts = distinct(parts, isAnd)
	return several(parts, &And{Parts: parts, Pos: span})
}

// newOr is newAnd for disjunctions.
func newOr(parts []Node, span Span) Node {
	parts = distinct(parts, isOr)
	return several(parts, &Or{Parts: parts, Pos: span})
}

// distinct keeps the first of equal nodes. Those that are to be flattened are
// replaced by their parts.
func distinct(nodes []Node, flatten func(Node) bool) (out []Node) {
	seen := make(map[string]bool, len(nodes))
	for _, n := range nodes {
		alone := []Node{n}
		if flatten(n) {
			alone = partsOf(n)
		}
		for _, n := range alone {
			if key := n.String(); !seen[key] {
				seen[key] = true
				out = append(out, n)
			}
		}
	}
	return out
}

// Formula is a query in the form that the calculus reads.
type Formula struct {
	// Root is the fuzzy part in normal form, nil when the query has only
	// predicates:
	//
	//	root     = positive | NOT positive | NOT positive AND NOT positive …
	//	positive = atom | positive OR positive … | k OF (positive, …)
	//	         | positive AND … [ AND NOT positive … ]
	//
	// Every conjunction below the root has at least one positive part, and
	// every alternative of a disjunction is positive.
	Root Node
	// Filter is what the hard predicates demand, nil when there are none: a
	// formula with predicates for leaves.
	Filter Node
	// Terms is what a document is compared with; its order is the order of
	// score columns and of vectors everywhere.
	Terms Terms
}

// ParseFormula reads a query and normalizes it. An error is a *SyntaxError.
func ParseFormula(text string) (*Formula, error) {
	n, err := Parse(text)
	if err != nil {
		return nil, err
	}
	f, err := Normalize(n)
	return f, Placed(err, text)
}

// Placed is an error of Normalize as one of the text that was parsed, which shows where.
// Other errors stay.
func Placed(err error, text string) error {
	var mixed *MixedError
	var many *ManyError
	switch {
	case errors.As(err, &mixed):
		return &SyntaxError{Query: text, Off: mixed.Predicate.Pos.Start, Msg: mixed.Error()}
	case errors.As(err, &many):
		return &SyntaxError{Query: text, Off: many.AtLeast.Pos.Start, Msg: many.Error()}
	}
	return err
}

// MixedError says that a predicate is an alternative to a fuzzy part, which
// has no meaning: a predicate is crisp and only ever narrows the whole result.
type MixedError struct{ Predicate *Predicate }

func (e *MixedError) Error() string {
	return fmt.Sprintf("%s cannot be an alternative to text, since a predicate narrows the whole result; join it with AND, or put predicates alone between OR", e.Predicate)
}

// Normalize sets the predicates of a formula apart and brings the rest to
// normal form. It starts from the negation normal form, so a formula and its
// NNF have the same Formula. An error is a *MixedError or a *ManyError.
func Normalize(n Node) (*Formula, error) {
	var p positiver
	root := p.positive(NNF(n))
	if p.many != nil {
		return nil, &ManyError{p.many}
	}
	parts := []Node{root}
	if and, ok := root.(*And); ok {
		parts = and.Parts
	}
	var fuzzy, crisp []Node
	for _, p := range parts {
		predicate, text := kinds(p)
		switch {
		case predicate != nil && text:
			return nil, &MixedError{predicate}
		case predicate != nil:
			crisp = append(crisp, p)
		default:
			fuzzy = append(fuzzy, p)
		}
	}
	f := &Formula{Root: newAnd(fuzzy, n.Span()), Filter: newAnd(crisp, n.Span())}
	f.Terms = termsOf(f.Root)
	return f, nil
}

// kinds tells what leaves n has: a predicate of it, if any, and whether there
// are atoms.
func kinds(n Node) (predicate *Predicate, text bool) {
	for leaf := range Leaves(n) {
		if p, ok := leaf.(*Predicate); ok {
			predicate = p
		} else {
			text = true
		}
	}
	return predicate, text
}

// positiver makes formulas positive. Many is a k OF that it could not.
type positiver struct{ many *AtLeast }

// positive turns every disjunction that has a purely negative alternative
// into the negated conjunction it equals: NOT A OR NOT B is NOT (A AND B), and
// NOT A OR B is NOT (A AND NOT B). The calculus can subtract what a
// conjunction brings; it has no score for "anything but A" that could be
// compared with a similarity.
func (p *positiver) positive(n Node) Node {
	switch n := n.(type) {
	case *And:
		return newAnd(each(n.Parts, p.positive), n.Pos)
	case *AtLeast:
		return p.atLeast(n)
	case *Or:
		parts := each(n.Parts, p.positive)
		for _, p := range parts {
			if isNegative(p) {
				return complement(newAnd(each(parts, complement), n.Pos))
			}
		}
		return newOr(parts, n.Pos)
	}
	return n
}

// atLeast: with none of its parts negative it stays, and with all of them it is the
// complement of what it negates. Where some are, and where they are predicates, its ways
// to hold are written out.
func (p *positiver) atLeast(n *AtLeast) Node {
	parts := each(n.Parts, p.positive)
	negative := 0
	for _, part := range parts {
		if isNegative(part) {
			negative++
		}
	}
	predicate, text := kinds(n)
	switch {
	case predicate != nil && text:
		return n // which is refused
	case negative == 0 && predicate == nil:
		return newAtLeast(n.K, parts, n.Pos)
	case negative == len(parts) && predicate == nil:
		return complement(newAtLeast(len(parts)-n.K+1, each(parts, complement), n.Pos))
	}
	ways := (&AtLeast{K: n.K, Parts: parts, Pos: n.Pos}).ways(maxSpelled)
	if ways == nil {
		p.many = n
		return n
	}
	return p.positive(newOr(ways, n.Pos))
}

// isNegative reports whether a node in normal form has no positive part.
func isNegative(n Node) bool {
	if and, ok := n.(*And); ok {
		pos, _ := split(and)
		return len(pos) == 0
	}
	_, ok := n.(*Not)
	return ok
}

// complement negates a node in normal form; the result is in normal form.
func complement(n Node) Node {
	switch n := n.(type) {
	case *Not:
		return n.X
	case *Or:
		return newAnd(each(n.Parts, complement), n.Pos)
	case *And:
		if isNegative(n) {
			return newOr(each(n.Parts, complement), n.Pos)
		}
	}
	return &Not{X: n, Pos: n.Span()}
}

// split separates the positive parts of a conjunction from the negated ones,
// the latter without their NOT.
func split(and *And) (pos, neg []Node) {
	for _, p := range and.Parts {
		if not, ok := p.(*Not); ok {
			neg = append(neg, not.X)
		} else {
			pos = append(pos, p)
		}
	}
	return pos, neg
}
