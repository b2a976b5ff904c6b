package stats

import (
	"cmp"
	"fmt"
	"slices"
)

// Holm adjusts the p-values of a family of tests by Holm's step-down form of
// Bonferroni's correction: those at or below α after it are significant together
// at level α, whatever depends on what.
func Holm(p []float64) ([]float64, error) {
	order, err := ascending(p)
	adjusted := make([]float64, len(p))
	least := 0.0
	for rank, i := range order {
		least = max(least, min(1, float64(len(p)-rank)*p[i]))
		adjusted[i] = least
	}
	return adjusted, err
}

// BenjaminiHochberg adjusts the p-values of a family of tests so that, of those at
// or below α after it, a share of at most α is expected to be false discoveries.
// It holds for independent tests and for those that tend to err to the same side;
// Holm is the stricter one, which holds whatever depends on what.
func BenjaminiHochberg(p []float64) ([]float64, error) {
	order, err := ascending(p)
	adjusted := make([]float64, len(p))
	most := 1.0
	for rank, i := range slices.Backward(order) {
		most = min(most, float64(len(p))/float64(rank+1)*p[i])
		adjusted[i] = most
	}
	return adjusted, err
}

// ascending are the places of p-values, the smallest first.
func ascending(p []float64) ([]int, error) {
	order := make([]int, len(p))
	for i, v := range p {
		if !(v >= 0 && v <= 1) {
			return nil, fmt.Errorf("adjusting p-values: value %d is %g, which is no probability", i, v)
		}
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(p[a], p[b]) })
	return order, nil
}
