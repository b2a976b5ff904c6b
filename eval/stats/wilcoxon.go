package stats

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// Zeros says what becomes of pairs without a difference.
type Zeros uint8

const (
	Drop  Zeros = iota // left out before ranking, as Wilcoxon did and scipy does
	Pratt              // ranked with the others and left out after, as Pratt proposed
)

// DefaultExact is the largest number of differences whose exact distribution is
// computed by default, as in scipy.
const DefaultExact = 50

// MaxExact bounds WilcoxonOptions.Exact: the distribution of n differences costs
// n³ additions.
const MaxExact = 1000

// WilcoxonOptions say how the signed-rank test is done. The zero value is what
// scipy.stats.wilcoxon does, except that neither ties nor zeros end exactness.
type WilcoxonOptions struct {
	Alternative Alternative
	Zeros       Zeros
	// Exact is the largest number of differences for which the exact
	// distribution is used; 0: DefaultExact, negative: never, at most MaxExact.
	Exact int
	// Continuity moves the statistic of the normal approximation by a half
	// towards the mean, as R does by default.
	Continuity bool
}

// WilcoxonResult is the outcome of a signed-rank test.
type WilcoxonResult struct {
	N     int // differences that are not 0
	Zeros int // pairs without a difference
	Ties  int // differences whose size another one has too
	// Plus and Minus are the sums of the ranks of the positive and the negative
	// differences. R's V is Plus, scipy's two-sided statistic the smaller one.
	Plus, Minus float64
	P           float64
	Exact       bool   // whether P is from the exact distribution
	Method      string // how P was computed, in words
	// RankBiserial is the effect size, (Plus − Minus) / (Plus + Minus): 1 where
	// the method is better for every query, −1 where the base is.
	RankBiserial float64
	Warnings     []string
}

// Wilcoxon is the signed-rank test of paired values.
//
// The exact distribution is that of all 2ⁿ ways to give the ranks signs. With ties
// the ranks are the mean ranks of the sample, so that the test is conditional on
// them, and still exact. Differences are compared as they are: two that are equal
// but for rounding are no tie.
func Wilcoxon(base, method []float64, o WilcoxonOptions) (*WilcoxonResult, error) {
	const doing = "testing signed ranks"
	d, err := differences(doing, base, method)
	if err != nil {
		return nil, err
	}
	if o.Exact > MaxExact {
		return nil, fmt.Errorf("%s: the exact distribution is computed for at most %d differences, not %d", doing, MaxExact, o.Exact)
	}
	if o.Exact == 0 {
		o.Exact = DefaultExact
	}
	r := &WilcoxonResult{P: 1}
	ranks, groups := r.rank(d, o.Zeros)
	if r.N == 0 {
		r.Method = "none"
		r.warn("no pair differs; p is 1")
		return r, nil
	}
	r.RankBiserial = (r.Plus - r.Minus) / (r.Plus + r.Minus)
	if r.Exact = r.N <= o.Exact; r.Exact {
		r.P = signProbability(ranks, r.Plus, o.Alternative)
		r.Method = "exact distribution"
		if r.Ties > 0 {
			r.Method += " given the ties"
		}
	} else {
		r.P = r.normal(groups, o)
	}
	r.assess(o.Alternative)
	return r, nil
}

func (r *WilcoxonResult) warn(format string, args ...any) {
	r.Warnings = append(r.Warnings, fmt.Sprintf(format, args...))
}

// rank sums the ranks by sign. It returns twice the rank of every difference that
// is not 0 (mean ranks are halves), and the sizes of the groups of equal ones.
func (r *WilcoxonResult) rank(d []float64, zeros Zeros) (doubled, groups []int) {
	order := slices.Clone(d)
	slices.SortFunc(order, func(a, b float64) int { return cmp.Compare(math.Abs(a), math.Abs(b)) })
	for r.Zeros < len(order) && order[r.Zeros] == 0 {
		r.Zeros++
	}
	order = order[r.Zeros:]
	r.N = len(order)
	first := 1 // the rank of order[0]
	if zeros == Pratt {
		first += r.Zeros
	}
	for i := 0; i < len(order); {
		end := i + 1
		for end < len(order) && math.Abs(order[end]) == math.Abs(order[i]) {
			end++
		}
		if end-i > 1 {
			r.Ties += end - i
		}
		groups = append(groups, end-i)
		twice := 2*first + i + end - 1
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

// signProbability is the probability that random signs make a sum of positive
// ranks as extreme as plus. The ranks are doubled, so that all sums are integers.
func signProbability(doubled []int, plus float64, a Alternative) float64 {
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
	// Each tail is summed from its far end: small probabilities first.
	var below, above float64
	for s := 0; s <= at; s++ {
		below += chance[s]
	}
	for s := total; s >= at; s-- {
		above += chance[s]
	}
	switch a {
	case Greater:
		return min(1, above)
	case Less:
		return min(1, below)
	}
	return min(1, 2*min(below, above))
}

// normal is the normal approximation, corrected for ties.
func (r *WilcoxonResult) normal(groups []int, o WilcoxonOptions) float64 {
	n, z := float64(r.N), 0.0
	if o.Zeros == Pratt {
		z = float64(r.Zeros)
		n += z
	}
	mean := (n*(n+1) - z*(z+1)) / 4
	variance := (n*(n+1)*(2*n+1) - z*(z+1)*(2*z+1)) / 24
	for _, g := range groups {
		t := float64(g)
		variance -= (t*t*t - t) / 48
	}
	r.Method = "normal approximation"
	if r.Ties > 0 {
		r.Method += ", corrected for ties"
	}
	shift := r.Plus - mean
	if o.Continuity {
		r.Method += ", with continuity correction"
		switch {
		case o.Alternative == Greater, o.Alternative == TwoSided && shift > 0:
			shift -= 0.5
		case o.Alternative == Less, o.Alternative == TwoSided && shift < 0:
			shift += 0.5
		}
	} else {
		r.Method += ", without continuity correction"
	}
	score := shift / math.Sqrt(variance)
	switch o.Alternative {
	case Greater:
		return normalTail(score)
	case Less:
		return normalTail(-score)
	}
	return min(1, 2*normalTail(math.Abs(score)))
}

// normalTail is the probability that a standard normal variable is above x.
func normalTail(x float64) float64 { return math.Erfc(x/math.Sqrt2) / 2 }

// assess says where the test could not have shown much.
func (r *WilcoxonResult) assess(a Alternative) {
	least := math.Pow(0.5, float64(r.N))
	if a == TwoSided {
		least *= 2
	}
	if r.Exact && least > 0.05 {
		r.warn("with %d differences p cannot be below %.3g; more queries are needed", r.N, least)
	}
	if !r.Exact && r.N < 20 {
		r.warn("the normal approximation is poor with %d differences", r.N)
	}
	if all := r.N + r.Zeros; 2*r.Zeros > all {
		r.warn("%d of %d pairs do not differ; the test speaks of the other %d", r.Zeros, all, r.N)
	}
}
