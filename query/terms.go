package query

import (
	"fmt"
	"iter"
	"unicode/utf8"
)

// Terms is an ordered set of formulas without weights, each of which is encoded as one
// vector: first the atoms, then the fusions, then the whole query unless it is already
// included.
type Terms struct {
	nodes []Node
	names []string
	index map[string]int
}

// Len returns the number of terms.
func (t *Terms) Len() int { return len(t.nodes) }

// At returns term i.
func (t *Terms) At(i int) Node { return t.nodes[i] }

// Name returns the name of term i in results: its text, or if that is long its start and
// its index. Names are unique.
func (t *Terms) Name(i int) string { return t.names[i] }

// NameOf returns the name of any formula. number distinguishes it from other long ones.
func (t *Terms) NameOf(n Node, number int) string {
	text := n.String()
	if i, ok := t.index[text]; ok {
		return t.names[i]
	}
	return nameOf(text, number)
}

const (
	maxName   = 240 // bytes
	nameStart = 120 // kept of a longer name
)

func nameOf(text string, number int) string {
	if len(text) <= maxName {
		return text
	}
	end := nameStart
	for !utf8.RuneStart(text[end]) {
		end--
	}
	return fmt.Sprintf("%s… [%d]", text[:end], number)
}

// Atoms iterates over the terms that are atoms, with their indices.
func (t *Terms) Atoms() iter.Seq2[int, *Atom] {
	return func(yield func(int, *Atom) bool) {
		for i, n := range t.nodes {
			if a, ok := n.(*Atom); ok && !yield(i, a) {
				return
			}
		}
	}
}

// Index returns the index of a term, ignoring weights. It panics if n is not a term:
// callers ask only for the nodes of Conjunction, Disjunction and Monolithic, which are
// terms by construction.
func (t *Terms) Index(n Node) int {
	i, ok := t.index[unweighted(n).String()]
	if !ok {
		panic("query: not a term of the formula: " + n.String())
	}
	return i
}

func (t *Terms) add(n Node) {
	if n == nil {
		return
	}
	n = unweighted(n)
	key := n.String()
	if _, ok := t.index[key]; !ok {
		t.index[key] = len(t.nodes)
		t.names = append(t.names, nameOf(key, len(t.nodes)))
		t.nodes = append(t.nodes, n)
	}
}

func termsOf(root Node) Terms {
	t := Terms{index: map[string]int{}}
	if root == nil {
		return t
	}
	for a := range Atoms(root) {
		t.add(a)
	}
	t.addFusions(root, map[string]bool{})
	t.add(root)
	return t
}

// addFusions adds the fusions that the operators in n compare documents with. A formula
// that occurs in several alternatives is visited once.
func (t *Terms) addFusions(n Node, seen map[string]bool) {
	key := n.String()
	if seen[key] {
		return
	}
	seen[key] = true
	switch n := n.(type) {
	case *Not:
		t.addFusions(n.X, seen)
	case *And:
		c := ReadConjunction(n)
		for _, p := range n.Parts {
			t.addFusions(p, seen)
		}
		t.add(c.Fused)
		for _, with := range c.With {
			t.add(with)
		}
		if d := Distribute(n); d != nil {
			t.addFusions(d, seen)
		}
	case *Or:
		for _, p := range n.Parts {
			t.addFusions(p, seen)
		}
		t.add(ReadDisjunction(n).Fused)
	case *AtLeast:
		for _, p := range append(n.Parts[:len(n.Parts):len(n.Parts)], n.Ways()...) {
			t.addFusions(p, seen)
		}
	}
}

// unweighted returns n without the weights of its atoms.
func unweighted(n Node) Node {
	switch n := n.(type) {
	case *Atom:
		if n.Weight == 0 {
			return n
		}
		return &Atom{Kind: n.Kind, Text: n.Text, Pos: n.Pos}
	case *Not:
		return &Not{X: unweighted(n.X), Pos: n.Pos}
	case *And:
		return newAnd(each(n.Parts, unweighted), n.Pos)
	case *Or:
		return newOr(each(n.Parts, unweighted), n.Pos)
	case *AtLeast:
		return newAtLeast(n.K, each(n.Parts, unweighted), n.Pos)
	}
	return n
}
