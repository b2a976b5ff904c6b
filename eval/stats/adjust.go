package stats

import (
	"cmp"
	"fmt"
	"slices"
)

// Holm adjusts the p-values of a family of tests by Holm's step-down form of Bonferroni's
// correction: adjusted values at or below α are jointly significant at level α, under any
// dependence.
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

// BenjaminiHochberg adjusts the p-values of a family of tests: among adjusted values at or
// below α, the expected share of false discoveries is at most α. It holds for independent
// and for positively dependent tests; Holm is stricter and holds under any dependence.
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

// ascending returns the indexes of p-values, smallest first.
func ascending(p []float64) ([]int, error) {
	order := make([]int, len(p))
	for i, v := range p {
		if !(v >= 0 && v <= 1) {
			return nil, fmt.Errorf("adjusting p-values: value %d is %g, which is not a probability", i, v)
		}
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(p[a], p[b]) })
	return order, nil
}
