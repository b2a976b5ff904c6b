package logic

import (
	"slices"

	"github.com/nsfl-go/nsfl/query"
)

// weight is the weight of an atom; a formula that is not an atom has 1.
func weight(n query.Node) float64 {
	if a, ok := n.(*query.Atom); ok {
		return a.Importance()
	}
	return 1
}

// weights are those of parts, and their sum; nil where all of them are equal.
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

// tilts are the shares of the weights beyond equal shares: w_k/Σw − 1/n. They
// sum to zero, and equal weights of any size change nothing.
func tilts(parts []query.Node) []float64 {
	out, sum := weights(parts)
	for i, w := range out {
		out[i] = w/sum - 1/float64(len(parts))
	}
	return out
}

// discounts are the weights relative to the largest.
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
