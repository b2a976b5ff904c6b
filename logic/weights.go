package logic

import (
	"slices"

	"github.com/nsfl-go/nsfl/query"
)

// weight returns the weight of an atom, or 1 for any other formula.
func weight(n query.Node) float64 {
	if a, ok := n.(*query.Atom); ok {
		return a.Importance()
	}
	return 1
}

// weights returns the weights of parts, or nil if all are equal, and their sum.
func weights(parts []query.Node) (out []float64, sum float64) {
	for _, p := range parts {
		out = append(out, weight(p))
		sum += weight(p)
	}
	if slices.Min(out) == slices.Max(out) {
		return nil, sum
	}
	return out, sum
}

// tilts returns the share of each weight beyond an equal share: w_k/Σw − 1/n. They sum to
// zero, and equal weights of any size have no effect.
func tilts(parts []query.Node) []float64 {
	out, sum := weights(parts)
	for i, w := range out {
		out[i] = w/sum - 1/float64(len(parts))
	}
	return out
}

// discounts returns the weights relative to the largest.
func discounts(alternatives []query.Node) []float64 {
	out, _ := weights(alternatives)
	if out == nil {
		return nil
	}
	top := slices.Max(out)
	for i, w := range out {
		out[i] = w / top
	}
	return out
}
