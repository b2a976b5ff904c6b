package query

import "slices"

// Conjunction is an And of a Formula, read as the operands of the paper's AND
// and NOT (sections 6.1, 6.2, 6.4 and 6.5): positive parts P, negated parts N,
// and the formulas whose strings are their fusions. Pos is empty only at the
// root of a query that is purely negative.
type Conjunction struct {
	Pos, Neg []Node
	// Fused is F_P, the positive parts together; where there is one positive
	// part it is that part. Nil when Pos is empty.
	Fused Node
	// With[j] is F_{P∪n_j}, the positive parts together with Neg[j]: always the
	// positive fusion, never a string with NOT in it. Empty when Pos is.
	With []Node
}

// ReadConjunction reads the operands of an And in normal form.
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

// fuse is the fusion of parts: their conjunction with everything negated
// inside them left out, since a fused string attracts what it names.
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

// maxAlternatives and maxDistributed bound what Distribute makes of one conjunction:
// conjunctions, and with what is negated in each of them what has to be encoded.
const maxAlternatives, maxDistributed = 16, 256

// Distribute turns a conjunction whose positive parts include disjunctions into
// the disjunction of conjunctions that it equals: (A OR B) AND C becomes
// A AND C OR B AND C, each with all that is negated; k OF (A, B, C) is the disjunction of
// its ways. A string such as A AND C
// tells whether a document has both; (A OR B) AND C hardly does.
//
// It returns nil where there is nothing to distribute: with fewer than two
// positive parts or no disjunction among them, where alternatives are weighted
// against each other or have disjunctions inside, and where there would be more
// than 16, or more than 256 strings to encode.
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

// waysOf are the alternatives of a disjunction or of k OF; where there are too many of the
// latter, itself.
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

// hasOr reports whether there is a disjunction or k OF in n.
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

// Disjunction is an Or of a Formula, read as the operands of the paper's OR
// (section 6.3).
type Disjunction struct {
	Alts []Node
	// Fused is the disjunction as a string, F and M of the paper at once. It is
	// nil when an alternative is itself a formula: a string cannot hold such an
	// alternative to its conditions, and the maximum would let it override them.
	Fused Node
}

// ReadDisjunction reads the operands of an Or in normal form.
func ReadDisjunction(or *Or) Disjunction {
	d := Disjunction{Alts: or.Parts}
	if AreAtoms(or.Parts) {
		d.Fused = unweighted(or)
	}
	return d
}

// Monolithic is the whole fuzzy part as one string, L_M of the paper.
func (f *Formula) Monolithic() Node { return unweighted(f.Root) }
