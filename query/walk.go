package query

import (
	"iter"
	"slices"
)

// Walk iterates over n and all nodes below it, parents before children and left to right,
// with the number of NOTs above each: odd if the node is negated. A nil node yields
// nothing.
func Walk(n Node) iter.Seq2[Node, int] {
	return func(yield func(Node, int) bool) { walk(n, 0, yield) }
}

func walk(n Node, nots int, yield func(Node, int) bool) bool {
	if n == nil {
		return true
	}
	if !yield(n, nots) {
		return false
	}
	if _, ok := n.(*Not); ok {
		nots++
	}
	return !slices.ContainsFunc(partsOf(n), func(p Node) bool { return !walk(p, nots, yield) })
}

func partsOf(n Node) []Node {
	switch n := n.(type) {
	case *Not:
		return []Node{n.X}
	case *And:
		return n.Parts
	case *Or:
		return n.Parts
	case *AtLeast:
		return n.Parts
	}
	return nil
}

// Leaves iterates over the atoms and predicates of n, like Walk.
func Leaves(n Node) iter.Seq2[Node, int] {
	return func(yield func(Node, int) bool) {
		for n, nots := range Walk(n) {
			switch n.(type) {
			case *Atom, *Predicate:
				if !yield(n, nots) {
					return
				}
			}
		}
	}
}

// Atoms iterates over the atoms of n, like Walk.
func Atoms(n Node) iter.Seq2[*Atom, int] {
	return func(yield func(*Atom, int) bool) {
		for n, nots := range Walk(n) {
			if a, ok := n.(*Atom); ok && !yield(a, nots) {
				return
			}
		}
	}
}

// Negated returns the printed forms of the atoms that are negated in n.
func Negated(n Node) map[string]bool {
	out := map[string]bool{}
	for a, nots := range Atoms(n) {
		if nots%2 == 1 {
			out[a.String()] = true
		}
	}
	return out
}

// Holds returns the truth value of n in plain logic, given the truth values of its
// leaves.
func Holds(n Node, leaf func(Node) bool) bool {
	holds := func(p Node) bool { return Holds(p, leaf) }
	switch n := n.(type) {
	case *Not:
		return !holds(n.X)
	case *And:
		return !slices.ContainsFunc(n.Parts, func(p Node) bool { return !holds(p) })
	case *Or:
		return slices.ContainsFunc(n.Parts, holds)
	case *AtLeast:
		held := 0
		for _, p := range n.Parts {
			if holds(p) {
				held++
			}
		}
		return held >= n.K
	}
	return leaf(n)
}

// IsAtom reports whether n is one atom.
func IsAtom(n Node) bool { _, ok := n.(*Atom); return ok }

// HasAlternatives reports whether n is a disjunction or k OF, which different kinds of
// documents can satisfy.
func HasAlternatives(n Node) bool { return isOr(n) || isAtLeast(n) }

// AreAtoms reports whether all of parts are atoms.
func AreAtoms(parts []Node) bool {
	return !slices.ContainsFunc(parts, func(p Node) bool { return !IsAtom(p) })
}

// AllOf returns the conjunction of parts: nil for none, and a single part as it is.
func AllOf(parts ...Node) Node { return several(parts, &And{Parts: parts}) }

// AnyOf is AllOf for disjunctions.
func AnyOf(parts ...Node) Node { return several(parts, &Or{Parts: parts}) }

// several returns list if there are several parts, nil for none, and a single part as it
// is.
func several(parts []Node, list Node) Node {
	switch len(parts) {
	case 0:
		return nil
	case 1:
		return parts[0]
	}
	return list
}
