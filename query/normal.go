package query

import (
	"errors"
	"fmt"
)

// NNF converts a formula to negation normal form: by De Morgan's laws NOT is applied only
// to atoms and predicates, double negations are removed, k OF requires more than one and
// fewer than all of its parts, and nested conjunctions and nested disjunctions are
// flattened.
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
	case *AtLeast: // the negation of k of n is n−k+1 of the negated parts
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

// newAnd flattens conjunctions and drops repeated parts (A AND A is A). It returns a
// single part as it is, and nil for none.
func newAnd(parts []Node, span Span) Node {
	parts = distinct(parts, isAnd)
	return several(parts, &And{Parts: parts, Pos: span})
}

// newOr is newAnd for disjunctions.
func newOr(parts []Node, span Span) Node {
	parts = distinct(parts, isOr)
	return several(parts, &Or{Parts: parts, Pos: span})
}

// distinct keeps the first of equal nodes, and replaces nodes to flatten by their parts.
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

// Formula is a query in the form that the calculus requires.
type Formula struct {
	// Root is the fuzzy part in normal form, or nil if the query has only predicates:
	//
	//	root     = positive | NOT positive | NOT positive AND NOT positive …
	//	positive = atom | positive OR positive … | k OF (positive, …)
	//	         | positive AND … [ AND NOT positive … ]
	//
	// Every conjunction below the root has at least one positive part, and
	// every alternative of a disjunction is positive.
	Root Node
	// Filter is the formula of the hard predicates, with predicates as leaves, or nil if
	// there are none.
	Filter Node
	// Terms are the formulas that documents are compared with. Their order is that of
	// score columns and of vectors everywhere.
	Terms Terms
}

// ParseFormula parses and normalizes a query. It returns a *SyntaxError for an invalid
// query.
func ParseFormula(text string) (*Formula, error) {
	n, err := Parse(text)
	if err != nil {
		return nil, err
	}
	f, err := Normalize(n)
	return f, Placed(err, text)
}

// Placed converts an error of Normalize to a syntax error of the parsed text, which shows
// the position. It returns other errors unchanged.
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

// MixedError reports that a predicate is an alternative to a fuzzy part, which is not
// allowed: a predicate is crisp and can only narrow the whole result.
type MixedError struct{ Predicate *Predicate }

func (e *MixedError) Error() string {
	if e.Predicate.OnText() {
		return fmt.Sprintf("%s cannot be an alternative to words that are compared by meaning, since it narrows the whole result; join it with AND, or write the other words as a pattern too, as in text:(dog OR hound*)", e.Predicate)
	}
	return fmt.Sprintf("%s cannot be an alternative to text, since a predicate narrows the whole result; join it with AND, or put predicates alone between OR", e.Predicate)
}

// Normalize separates the predicates of a formula and converts the rest to normal form.
// It starts from the negation normal form, so a formula and its NNF have the same
// Formula. It may return a *MixedError or a *ManyError.
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

// kinds returns a predicate among the leaves of n, if any, and whether there are atoms.
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

// positiver makes formulas positive. many is a k OF that it could not convert.
type positiver struct{ many *AtLeast }

// positive converts every disjunction with a purely negative alternative to the
// equivalent negated conjunction: NOT A OR NOT B is NOT (A AND B), and NOT A OR B is NOT
// (A AND NOT B). The calculus can subtract the contribution of a conjunction, but has no
// score for "anything but A" that is comparable to a similarity.
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

// atLeast keeps k OF if none of its parts is negative, and complements it if all are. If
// some are, or if the parts are predicates, it expands the ways to hold.
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
		return n // which the caller rejects
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

// split separates the positive parts of a conjunction from the negated ones, and removes
// their NOT.
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
