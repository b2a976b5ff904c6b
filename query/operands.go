package query

import "slices"

// Conjunction is an And of a Formula, as operands of the paper's AND and NOT (sections
// 6.1, 6.2, 6.4 and 6.5): positive parts P, negated parts N, and the formulas of their
// fusions. Pos is empty only at the root of a purely negative query.
type Conjunction struct {
	Pos, Neg []Node
	// Fused is F_P, the fusion of the positive parts; a single positive part stands for
	// itself. Nil if Pos is empty.
	Fused Node
	// With[j] is F_{P∪n_j}, the fusion of the positive parts with Neg[j]: always the
	// positive fusion, never a string that contains NOT. Empty if Pos is.
	With []Node
}

// ReadConjunction returns the operands of an And in normal form.
func ReadConjunction(and *And) Conjunction {
	var c Conjunction
	c.Pos, c.Neg = split(and)
	if len(c.Pos) == 0 {
		return c
	}
	c.Fused = fuse(c.Pos, and.Pos)
	for _, n := range c.Neg {
		c.With = append(c.With, fuse(append(c.Pos[:len(c.Pos):len(c.Pos)], n), and.Pos))
	}
	return c
}

// fuse returns the fusion of parts: their conjunction without anything negated inside
// them, since a fused string attracts whatever it names.
func fuse(parts []Node, span Span) Node {
	return unweighted(newAnd(each(parts, withoutNegations), span))
}

func withoutNegations(n Node) Node {
	switch n := n.(type) {
	case *And:
		pos, _ := split(n)
		return newAnd(each(pos, withoutNegations), n.Pos)
	case *Or:
		return newOr(each(n.Parts, withoutNegations), n.Pos)
	case *AtLeast:
		return newAtLeast(n.K, each(n.Parts, withoutNegations), n.Pos)
	}
	return n
}

// maxAlternatives and maxDistributed limit the result of Distribute for one conjunction:
// the number of conjunctions, and of strings to encode including negated parts.
const maxAlternatives, maxDistributed = 16, 256

// Distribute expands a conjunction whose positive parts include disjunctions to the
// equivalent disjunction of conjunctions: (A OR B) AND C becomes A AND C OR B AND C, each
// with all negated parts; k OF (A, B, C) is the disjunction of its ways. The vector of a
// string such as A AND C indicates whether a document has both; that of (A OR B) AND C
// hardly does.
//
// It returns nil if there is nothing to distribute: with fewer than two positive parts or
// no disjunction among them, if alternatives have different weights or contain
// disjunctions, and if there would be more than 16 alternatives or more than 256 strings
// to encode.
func Distribute(and *And) *Or {
	pos, neg := split(and)
	if len(pos) < 2 {
		return nil
	}
	combinations := [][]Node{nil}
	for _, p := range pos {
		alternatives := []Node{p}
		if HasAlternatives(p) {
			if isWeighted(p) || slices.ContainsFunc(partsOf(p), hasOr) {
				return nil
			}
			alternatives = waysOf(p)
		}
		var next [][]Node
		for _, c := range combinations {
			for _, a := range alternatives {
				next = append(next, append(c[:len(c):len(c)], a))
			}
		}
		if combinations = next; len(combinations) > maxAlternatives || len(combinations)*(1+len(neg)) > maxDistributed {
			return nil
		}
	}
	if len(combinations) == 1 {
		return nil
	}
	var parts []Node
	for _, c := range combinations {
		for _, n := range neg {
			c = append(c, &Not{X: n, Pos: n.Span()})
		}
		parts = append(parts, newAnd(c, and.Pos))
	}
	or, _ := newOr(parts, and.Pos).(*Or)
	return or
}

// waysOf returns the alternatives of a disjunction or of k OF, or n itself if k OF has
// too many.
func waysOf(n Node) []Node {
	k, ok := n.(*AtLeast)
	if !ok {
		return partsOf(n)
	}
	if ways := k.Ways(); ways != nil {
		return ways
	}
	return []Node{n}
}

// hasOr reports whether n contains a disjunction or k OF.
func hasOr(n Node) bool {
	for n := range Walk(n) {
		if HasAlternatives(n) {
			return true
		}
	}
	return false
}

// isWeighted reports whether an atom of n has a weight other than 1.
func isWeighted(n Node) bool {
	for a := range Atoms(n) {
		if a.Importance() != 1 {
			return true
		}
	}
	return false
}

// Disjunction is an Or of a Formula, as operands of the paper's OR (section 6.3).
type Disjunction struct {
	Alts []Node
	// Fused is the disjunction as a string, both F and M of the paper. It is nil if an
	// alternative is itself a formula: a string cannot enforce the conditions of such an
	// alternative, and the maximum would let it override them.
	Fused Node
}

// ReadDisjunction returns the operands of an Or in normal form.
func ReadDisjunction(or *Or) Disjunction {
	d := Disjunction{Alts: or.Parts}
	if AreAtoms(or.Parts) {
		d.Fused = unweighted(or)
	}
	return d
}

// Monolithic returns the whole fuzzy part as one string, L_M in the paper.
func (f *Formula) Monolithic() Node { return unweighted(f.Root) }
