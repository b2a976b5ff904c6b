package query

import "fmt"

// AtLeast is true if K or more of its parts are. K is between 1 and the number of parts.
type AtLeast struct {
	K     int
	Parts []Node

	Pos Span
}

func (n *AtLeast) Span() Span { return n.Pos }

func (*AtLeast) sealed() {}

// newAtLeast returns a disjunction if one part is enough, and a conjunction if all are
// needed. Equal parts are kept: each counts.
func newAtLeast(k int, parts []Node, span Span) Node {
	switch k {
	case 1:
		return newOr(parts, span)
	case len(parts):
		return newAnd(parts, span)
	}
	return &AtLeast{K: k, Parts: parts, Pos: span}
}

// Ways returns the conjunctions of K of the parts, one of which must hold, or nil if
// there are more than 16, the most that are worth encoding.
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

// subsets returns all choices of k of the parts, in order.
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

// choose returns the binomial coefficient n over k, or some number above most.
func choose(n, k, most int) int {
	out := 1
	for i := 1; i <= min(k, n-k) && out <= most; i++ {
		out = out * (n - i + 1) / i
	}
	return out
}

// maxSpelled limits the number of ways that are expanded where the calculus requires it.
const maxSpelled = 256

// ManyError reports that k OF has too many ways to hold to be expanded, as required if
// its parts are predicates or if some of them are negated.
type ManyError struct{ AtLeast *AtLeast }

func (e *ManyError) Error() string {
	return fmt.Sprintf("%d OF %d parts can hold in more than %d ways, which is too many where parts are predicates or some are negated; give it fewer parts",
		e.AtLeast.K, len(e.AtLeast.Parts), maxSpelled)
}
