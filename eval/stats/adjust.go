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
	order := make([]int, len(p))
	for i, v := range p {
		if !(v >= 0 && v <= 1) {
			return nil, fmt.Errorf("adjusting p-values: value %d is %g, which is not a probability", i, v)
		}
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(p[a], p[b]) })
	adjusted := make([]float64, len(p))
	least := 0.0
	for rank, i := range order {
		least = max(least, min(1, float64(len(p)-rank)*p[i]))
		adjusted[i] = least
	}
	return adjusted, nil
}
