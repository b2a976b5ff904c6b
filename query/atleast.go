package query

import "fmt"

// AtLeast holds where K or more of its parts hold. K is between 1 and the number of
// parts.
type AtLeast struct {
	K     int
	Parts []Node

	Pos Span
}

func (n *AtLeast) Span() Span { return n.Pos }

func (*AtLeast) sealed() {}

// newAtLeast is a disjunction where one part is enough, a conjunction where all are
// needed. Equal parts stay: each counts.
func newAtLeast(k int, parts []Node, span Span) Node {
	switch k {
	case 1:
		return newOr(parts, span)
	case len(parts):
		return newAnd(parts, span)
	}
	return &AtLeast{K: k, Parts: parts, Pos: span}
}

// Ways are the conjunctions of K of the parts, one of which must hold: nil where there are
// more than 16, which is as many as are worth their strings.
func (n *AtLeast) Ways() []Node { return n.ways(maxAlternatives) }

func (n *AtLeast) ways(most int) (out []Node) {
	if choose(len(n.Parts), n.K, most) > most {
		return nil
	}
	for _, chosen := range subsets(n.Parts, n.K) {
		out = append(out, newAnd(chosen, n.Pos))
	}
	return out
}

// subsets are the choices of k of the parts, in their order.
func subsets(parts []Node, k int) (out [][]Node) {
	if k == 0 {
		return [][]Node{nil}
	}
	for i := 0; i+k <= len(parts); i++ {
		for _, rest := range subsets(parts[i+1:], k-1) {
			out = append(out, append([]Node{parts[i]}, rest...))
		}
	}
	return out
}

// choose is the number of choices of k of n, or a number above most.
func choose(n, k, most int) int {
	out := 1
	for i := 1; i <= min(k, n-k) && out <= most; i++ {
		out = out * (n - i + 1) / i
	}
	return out
}

// maxSpelled bounds the ways that are written out where the calculus needs it.
const maxSpelled = 256

// ManyError says that k OF has too many ways to hold to be written out, as it must be
// where its parts are predicates or where some of them are negated.
type ManyError struct{ AtLeast *AtLeast }

func (e *ManyError) Error() string {
	return fmt.Sprintf("%d OF %d parts can hold in more than %d ways, which is too many where parts are predicates or some are negated; give it fewer parts",
		e.AtLeast.K, len(e.AtLeast.Parts), maxSpelled)
}
