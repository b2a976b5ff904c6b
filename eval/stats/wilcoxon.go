package stats

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// maxExact is the largest number of differences for which the exact distribution is
// computed, as in scipy.
const maxExact = 50

// WilcoxonResult is the result of a signed-rank test.
type WilcoxonResult struct {
	N     int // differences that are not 0
	Zeros int // pairs without a difference
	Ties  int // differences whose size is not unique
	// Plus and Minus are the sums of the ranks of the positive and the negative differences.
	// R's V is Plus, scipy's statistic is the smaller one.
	Plus, Minus float64
	P           float64
	Method      string // description of how P was computed
	// RankBiserial is the effect size, (Plus − Minus) / (Plus + Minus): 1 if the method is
	// better for every query, −1 if the base is.
	RankBiserial float64
	Warnings     []string
}

// Wilcoxon is the two-sided signed-rank test of paired values. Pairs without a difference
// are dropped before ranking, as Wilcoxon did and scipy does.
//
// Up to maxExact differences, the distribution is over all 2ⁿ assignments of signs to the
// ranks. With ties, the ranks are the mean ranks of the sample, so the test is conditional
// on them but still exact, where scipy would approximate. Differences are compared exactly:
// two that differ only by rounding are not a tie.
func Wilcoxon(base, method []float64) (*WilcoxonResult, error) {
	d, err := differences("testing signed ranks", base, method)
	if err != nil {
		return nil, err
	}
	r := &WilcoxonResult{P: 1}
	ranks, groups := r.rank(d)
	if r.N == 0 {
		r.Method = "none"
		r.warn("no pair differs; p is 1")
		return r, nil
	}
	r.RankBiserial = (r.Plus - r.Minus) / (r.Plus + r.Minus)
	if r.N <= maxExact {
		r.P = signProbability(ranks, r.Plus)
		r.Method = "exact distribution"
		if r.Ties > 0 {
			r.Method += " given the ties"
		}
		if least := 2 * math.Pow(0.5, float64(r.N)); least > 0.05 {
			r.warn("with %d differences p cannot be below %.3g; more queries are needed", r.N, least)
		}
	} else {
		r.P = r.normal(groups)
	}
	if all := r.N + r.Zeros; 2*r.Zeros > all {
		r.warn("%d of %d pairs do not differ; the test is about the other %d", r.Zeros, all, r.N)
	}
	return r, nil
}

func (r *WilcoxonResult) warn(format string, args ...any) {
	r.Warnings = append(r.Warnings, fmt.Sprintf(format, args...))
}

// rank sums the ranks by sign. It returns twice the rank of every nonzero difference (mean
// ranks are halves), and the sizes of the groups of equal ones.
func (r *WilcoxonResult) rank(d []float64) (doubled, groups []int) {
	order := slices.DeleteFunc(slices.Clone(d), func(v float64) bool { return v == 0 })
	slices.SortFunc(order, func(a, b float64) int { return cmp.Compare(math.Abs(a), math.Abs(b)) })
	r.N, r.Zeros = len(order), len(d)-len(order)
	for i := 0; i < len(order); {
		end := i + 1
		for end < len(order) && math.Abs(order[end]) == math.Abs(order[i]) {
			end++
		}
		if end-i > 1 {
			r.Ties += end - i
		}
		groups = append(groups, end-i)
		twice := i + 1 + end
		for _, v := range order[i:end] {
			doubled = append(doubled, twice)
			if v > 0 {
				r.Plus += float64(twice) / 2
			} else {
				r.Minus += float64(twice) / 2
			}
		}
		i = end
	}
	return doubled, groups
}

// signProbability returns the probability that random signs give a sum of positive ranks as
// extreme as plus. The ranks are doubled, so all sums are integers.
func signProbability(doubled []int, plus float64) float64 {
	total := 0
	for _, r := range doubled {
		total += r
	}
	// chance[s] is the probability of the sum s over the ranks so far.
	chance := make([]float64, total+1)
	chance[0] = 1
	reached := 0
	for _, r := range doubled {
		reached += r
		for s := reached; s >= 0; s-- {
			c := chance[s] / 2
			if s >= r {
				c += chance[s-r] / 2
			}
			chance[s] = c
		}
	}
	at := int(math.Round(2 * plus))
	// Sum each tail from its far end: small probabilities first.
	var below, above float64
	for s := 0; s <= at; s++ {
		below += chance[s]
	}
	for s := total; s >= at; s-- {
		above += chance[s]
	}
	return min(1, 2*min(below, above))
}

// normal is the normal approximation, corrected for ties, without continuity correction.
func (r *WilcoxonResult) normal(groups []int) float64 {
	n := float64(r.N)
	variance := n * (n + 1) * (2*n + 1) / 24
	for _, g := range groups {
		t := float64(g)
		variance -= (t*t*t - t) / 48
	}
	r.Method = "normal approximation, without continuity correction"
	if r.Ties > 0 {
		r.Method = "normal approximation, corrected for ties, without continuity correction"
	}
	return min(1, 2*normalTail(math.Abs(r.Plus-n*(n+1)/4)/math.Sqrt(variance)))
}

// normalTail returns the probability that a standard normal variable exceeds x.
func normalTail(x float64) float64 { return math.Erfc(x/math.Sqrt2) / 2 }
