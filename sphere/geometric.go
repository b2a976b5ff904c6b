package sphere

import (
	"fmt"

	"github.com/nsfl-go/nsfl/query"
)

// The geometric baselines of the paper (section 8.1): vector arithmetic on the atoms instead
// of a calculus on their similarities.

// Sum returns the normalized sum of vectors, the baseline for AND (equation 21).
func Sum(vectors ...[]float32) ([]float32, error) {
	if len(vectors) == 0 {
		return nil, ErrNoDirection
	}
	sum := make([]float64, len(vectors[0]))
	for _, v := range vectors {
		if len(v) != len(sum) {
			return nil, fmt.Errorf("adding a vector of dimension %d to one of %d", len(v), len(sum))
		}
		for i, x := range v {
			sum[i] += float64(x)
		}
	}
	return normalized(sum)
}

// Remove removes the projection onto unwanted directions from a vector, the baseline for
// NOT (Gram–Schmidt, equation 20). The result is orthogonal to all of them, whatever their
// order.
func Remove(v []float32, unwanted ...[]float32) ([]float32, error) {
	rest := widened(v)
	var b basis
	for _, u := range unwanted {
		if len(u) != len(v) {
			return nil, fmt.Errorf("removing a vector of dimension %d from one of %d", len(u), len(v))
		}
		b.add(widened(u), nil)
	}
	for _, e := range b.vectors {
		addScaled(rest, e, -inner(rest, e))
	}
	// The rounding error that is left when a vector is removed from itself is not a
	// meaningful direction.
	if inner(rest, rest) < 1e-10 {
		return nil, ErrNoDirection
	}
	return normalized(rest)
}

// Geometric composes both for a whole formula: the positive parts of a conjunction are
// added, the negated ones removed. A disjunction keeps the vector of its string, as in the
// paper's tables, or is the sum of its alternatives if it has none; k OF works the same way.
// A purely negative query points away from its negated parts. vectors holds the vectors of
// the formula's terms.
func Geometric(f *query.Formula, vectors [][]float32) ([]float32, error) {
	if len(vectors) != f.Terms.Len() || f.Root == nil {
		return nil, fmt.Errorf("got %d terms in the formula, but %d vectors", f.Terms.Len(), len(vectors))
	}
	if query.HasAlternatives(f.Root) {
		return vectors[f.Terms.Index(f.Monolithic())], nil
	}
	return (&composer{f, vectors}).compose(f.Root)
}

type composer struct {
	f       *query.Formula
	vectors [][]float32
}

func (c *composer) compose(n query.Node) ([]float32, error) {
	switch n := n.(type) {
	case *query.And:
		operands := query.ReadConjunction(n)
		if len(operands.Pos) == 0 {
			return c.away(operands.Neg)
		}
		wanted, err := c.sum(operands.Pos)
		if err != nil || len(operands.Neg) == 0 {
			return wanted, err
		}
		unwanted, err := c.all(operands.Neg)
		if err != nil {
			return nil, err
		}
		return Remove(wanted, unwanted...)
	case *query.Or:
		if operands := query.ReadDisjunction(n); operands.Fused == nil {
			return c.sum(operands.Alts)
		}
	case *query.AtLeast:
		return c.sum(n.Parts)
	case *query.Not:
		return c.away([]query.Node{n.X})
	}
	return c.vectors[c.f.Terms.Index(n)], nil
}

func (c *composer) all(nodes []query.Node) ([][]float32, error) {
	out := make([][]float32, len(nodes))
	for i, n := range nodes {
		v, err := c.compose(n)
		if err != nil {
			return nil, err
		}
		out[i] = v
	}
	return out, nil
}

// sum returns the normalized sum. The sum of one part is the part itself, bit for bit.
func (c *composer) sum(nodes []query.Node) ([]float32, error) {
	vectors, err := c.all(nodes)
	if err != nil {
		return nil, err
	}
	if len(vectors) == 1 {
		return vectors[0], nil
	}
	return Sum(vectors...)
}

// away returns the opposite of a sum.
func (c *composer) away(nodes []query.Node) ([]float32, error) {
	sum, err := c.sum(nodes)
	if err != nil {
		return nil, err
	}
	out := make([]float32, len(sum))
	for i, v := range sum {
		out[i] = -v
	}
	return out, nil
}

// normalized scales x to length 1.
func normalized(x []float64) ([]float32, error) {
	length, err := lengthOf(x)
	if err != nil {
		return nil, err
	}
	out := make([]float32, len(x))
	for i, v := range x {
		out[i] = float32(v / length)
	}
	return out, nil
}

func widened(v []float32) []float64 {
	out := make([]float64, len(v))
	for i, x := range v {
		out[i] = float64(x)
	}
	return out
}
