package stats

import (
	"fmt"
	"math"
)

// differences checks its input and returns method − base.
func differences(doing string, base, method []float64) ([]float64, error) {
	if len(base) != len(method) {
		return nil, fmt.Errorf("%s: got %d values for the base and %d for the method; give both for the same queries in the same order", doing, len(base), len(method))
	}
	d := make([]float64, len(base))
	for i := range d {
		d[i] = method[i] - base[i]
	}
	return d, finite(doing, d)
}

func finite(doing string, x []float64) error {
	if len(x) == 0 {
		return fmt.Errorf("%s: there are no values", doing)
	}
	for i, v := range x {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("%s: value %d is not a finite number", doing, i)
		}
	}
	return nil
}

// Mean returns the arithmetic mean.
func Mean(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += v
	}
	return sum / float64(len(x))
}

// RelativeGain returns the gain of method over base as a share of base: 0.24 for the 24 % of
// a table. It is NaN unless base is positive.
func RelativeGain(base, method float64) float64 {
	if !(base > 0) {
		return math.NaN()
	}
	return (method - base) / base
}
