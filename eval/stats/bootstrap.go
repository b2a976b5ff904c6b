package stats

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
)

// level is the confidence level of intervals.
const level = 0.95

// Bootstrap computes 95 % intervals by resampling queries, corrected for bias and skewness
// (BCa, Efron 1987). The same seed and values give the same interval everywhere.
//
// Strata name the group of each query; nil means one group. With strata the value is the
// mean of the groups' means (the mean over templates of a table), and queries are drawn
// within their group, so every resample has the same number of each.
type Bootstrap struct {
	Resamples int // default: 10,000
	Seed      uint64
}

// Interval is a value with its confidence interval.
type Interval struct {
	Value    float64  `json:"value"`
	Low      float64  `json:"low"`
	High     float64  `json:"high"`
	Warnings []string `json:"-"`
}

// Mean returns the interval of the mean of values.
func (b Bootstrap) Mean(values []float64, strata []string) (*Interval, error) {
	const doing = "resampling a mean"
	if err := finite(doing, values); err != nil {
		return nil, err
	}
	return b.interval(doing, values, values, strata, func(base, _ float64) float64 { return base })
}

// Difference returns the interval of the mean of method minus the mean of base.
func (b Bootstrap) Difference(base, method []float64, strata []string) (*Interval, error) {
	const doing = "resampling a difference"
	if _, err := differences(doing, base, method); err != nil {
		return nil, err
	}
	return b.interval(doing, base, method, strata, func(base, method float64) float64 { return method - base })
}

// RelativeGain returns the interval of the relative gain of the means.
func (b Bootstrap) RelativeGain(base, method []float64, strata []string) (*Interval, error) {
	const doing = "resampling a relative gain"
	if _, err := differences(doing, base, method); err != nil {
		return nil, err
	}
	return b.interval(doing, base, method, strata, RelativeGain)
}

// sample holds pairs of values by stratum.
type sample struct {
	base, method [][]float64
	of           func(base, method float64) float64 // the statistic as a function of the means over strata
}

func (b Bootstrap) interval(doing string, base, method []float64, strata []string, of func(base, method float64) float64) (*Interval, error) {
	if b.Resamples == 0 {
		b.Resamples = 10000
	}
	switch {
	case b.Resamples < 0:
		return nil, fmt.Errorf("%s: cannot draw %d resamples", doing, b.Resamples)
	case strata != nil && len(strata) != len(base):
		return nil, fmt.Errorf("%s: got %d values and %d strata; give the stratum of every value", doing, len(base), len(strata))
	}
	s := sample{of: of}
	in := &Interval{Warnings: s.fill(base, method, strata)}
	if b.Resamples < 1000 {
		in.Warnings = append(in.Warnings, fmt.Sprintf("%d resamples give a rough interval; 10,000 are usual", b.Resamples))
	}
	in.Value = s.value()
	draws := s.draw(b.Resamples, b.Seed)
	if math.IsNaN(in.Value) || slices.ContainsFunc(draws, math.IsNaN) {
		return nil, errors.New(doing + ": the base is 0 in the sample or in a resample; a gain over 0 has no value")
	}
	slices.Sort(draws)
	low, high, ok := s.correct(in.Value, draws)
	if !ok {
		low, high = (1-level)/2, (1+level)/2
		in.Warnings = append(in.Warnings, "the resamples are too skewed for BCa; these are percentiles")
	}
	in.Low, in.High = quantile(draws, low), quantile(draws, high)
	return in, nil
}

// fill groups the values by stratum, in the order in which strata first appear.
func (s *sample) fill(base, method []float64, strata []string) (warnings []string) {
	if strata == nil {
		s.base, s.method = [][]float64{base}, [][]float64{method}
		if len(base) == 1 {
			warnings = append(warnings, "one value has no spread; the interval is that value")
		}
		return warnings
	}
	place := map[string]int{}
	var names []string
	for i, name := range strata {
		h, seen := place[name]
		if !seen {
			h = len(names)
			place[name] = h
			names = append(names, name)
			s.base, s.method = append(s.base, nil), append(s.method, nil)
		}
		s.base[h] = append(s.base[h], base[i])
		s.method[h] = append(s.method[h], method[i])
	}
	for h, name := range names {
		if len(s.base[h]) == 1 {
			warnings = append(warnings, fmt.Sprintf("stratum %q has one value, which adds no spread", name))
		}
	}
	return warnings
}

// value returns the statistic of the sample itself.
func (s *sample) value() float64 {
	var base, method float64
	for h := range s.base {
		base += Mean(s.base[h])
		method += Mean(s.method[h])
	}
	n := float64(len(s.base))
	return s.of(base/n, method/n)
}

// draw computes the statistic of resamples.
func (s *sample) draw(resamples int, seed uint64) []float64 {
	// The generator's output is fixed by its specification. The methods of rand.Rand may
	// change with a Go release, so they are not used.
	random := rand.NewPCG(seed, 0)
	out := make([]float64, resamples)
	for i := range out {
		var base, method float64
		for h := range s.base {
			n := uint64(len(s.base[h]))
			var b, m float64
			for range n {
				k, _ := bits.Mul64(random.Uint64(), n)
				b += s.base[h][k]
				m += s.method[h][k]
			}
			base += b / float64(n)
			method += m / float64(n)
		}
		strata := float64(len(s.base))
		out[i] = s.of(base/strata, method/strata)
	}
	return out
}

// correct shifts the two tails by the bias of the sorted resamples and by the acceleration
// from the jackknife (Davison and Hinkley 1997, section 5.3, with strata as several samples).
func (s *sample) correct(value float64, draws []float64) (low, high float64, ok bool) {
	tail := (1 - level) / 2
	below, _ := slices.BinarySearch(draws, value)
	through, _ := slices.BinarySearch(draws, math.Nextafter(value, math.Inf(1)))
	share := float64(below+through) / 2 / float64(len(draws))
	if draws[0] == value && draws[len(draws)-1] == value {
		return tail, 1 - tail, true // a constant has no bias
	}
	if share == 0 || share == 1 {
		return 0, 0, false
	}
	bias, speed := normalQuantile(share), s.acceleration()
	move := func(p float64) float64 {
		z := bias + normalQuantile(p)
		ok = ok && speed*z < 1
		return 1 - normalTail(bias+z/(1-speed*z))
	}
	ok = true
	low, high = move(tail), move(1-tail)
	return low, high, ok
}

// acceleration returns the skewness of the influence of single pairs on the value.
func (s *sample) acceleration() float64 {
	var meanBase, meanMethod float64 // sums of the strata's means
	for h := range s.base {
		meanBase += Mean(s.base[h])
		meanMethod += Mean(s.method[h])
	}
	strata := float64(len(s.base))
	var squares, cubes float64
	for h := range s.base {
		n := float64(len(s.base[h]))
		if n < 2 {
			continue
		}
		b, m := Mean(s.base[h]), Mean(s.method[h])
		without := make([]float64, len(s.base[h]))
		for i := range without {
			wb := (b*n - s.base[h][i]) / (n - 1)
			wm := (m*n - s.method[h][i]) / (n - 1)
			without[i] = s.of((meanBase-b+wb)/strata, (meanMethod-m+wm)/strata)
		}
		centre := Mean(without)
		for _, v := range without {
			l := (n - 1) * (centre - v) / n
			squares += l * l
			cubes += l * l * l
		}
	}
	if squares == 0 || math.IsNaN(squares) {
		return 0
	}
	return cubes / (6 * math.Pow(squares, 1.5))
}

func normalQuantile(p float64) float64 { return math.Sqrt2 * math.Erfinv(2*p-1) }

// quantile interpolates linearly between sorted values, the default in R and numpy.
func quantile(sorted []float64, p float64) float64 {
	at := min(max(p, 0), 1) * float64(len(sorted)-1)
	i := int(at)
	if i+1 == len(sorted) {
		return sorted[i]
	}
	return sorted[i] + (at-float64(i))*(sorted[i+1]-sorted[i])
}
