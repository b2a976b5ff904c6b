package logic

import "github.com/nsfl-go/nsfl/query"

// weight is the weight of an atom; a formula that is not an atom has 1.
func weight(n query.Node) float64 {
	if a, ok := n.(*query.Atom); ok {
		return a.Importance()
	}
	return 1
}

// tilts are the shares of the weights beyond equal shares: w_k/Σw − 1/n. They
// sum to zero, and equal weights of any size change nothing.
func tilts(parts []query.Node) []float64 {
	var sum float64
	equal := true
	for _, p := range parts {
		sum += weight(p)
		equal = equal && weight(p) == weight(parts[0])
	}
	if equal {
		return nil
	}
	out := make([]float64, len(parts))
	for i, p := range parts {
		out[i] = weight(p)/sum - 1/float64(len(parts))
	}
	return out
}

// discounts are the weights relative to the largest.
func discounts(alternatives []query.Node) []float64 {
	top := 0.0
	equal := true
	for _, a := range alternatives {
		top = max(top, weight(a))
		equal = equal && weight(a) == weight(alternatives[0])
	}
	if equal {
		return nil
	}
	out := make([]float64, len(alternatives))
	for i, a := range alternatives {
		out[i] = weight(a) / top
	}
	return out
}
