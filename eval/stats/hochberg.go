package stats

import (
	"cmp"
	"fmt"
	"slices"
)

// BenjaminiHochberg adjusts the p-values of a family of tests so that, of those at
// or below α after it, a share of at most α is expected to be false discoveries.
// It holds for independent tests and for those that tend to err to the same side;
// Holm is the stricter one, which holds whatever depends on what.
func BenjaminiHochberg(p []float64) ([]float64, error) {
	order := make([]int, len(p))
	for i, v := range p {
		if !(v >= 0 && v <= 1) {
			return nil, fmt.Errorf("adjusting p-values: value %d is %g, which is no probability", i, v)
		}
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(p[b], p[a]) })
	adjusted := make([]float64, len(p))
	most := 1.0
	for i, at := range order {
		rank := len(p) - i // from the smallest, which is 1
		most = min(most, float64(len(p))/float64(rank)*p[at])
		adjusted[at] = most
	}
	return adjusted, nil
}
