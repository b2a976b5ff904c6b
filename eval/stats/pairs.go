package stats

import (
	"fmt"
	"math"
)

// differences are method − base, checked.
func differences(doing string, base, method []float64) ([]float64, error) {
	if len(base) != len(method) {
		return nil, fmt.Errorf("%s: the base has %d values and the method %d; give both for the same queries in the same order", doing, len(base), len(method))
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

// Mean is that of some values.
func Mean(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += v
	}
	return sum / float64(len(x))
}

// RelativeGain is how much larger method is than base, as a share of base: 0.24
// for the 24 % of a table. It is NaN where base is not above 0.
func RelativeGain(base, method float64) float64 {
	if !(base > 0) {
		return math.NaN()
	}
	return (method - base) / base
}
