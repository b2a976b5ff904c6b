package tune

import (
	"fmt"
	"math"
	"slices"

	"github.com/nsfl-go/nsfl/eval/stats"
)

// shares returns the weights of the strata of some questions, which sum to 1. Sets have equal
// weights, and so have templates within a set. Strata without questions have weight 0.
func (b *bench) shares(rows []int) []float64 {
	present := map[int]map[int]bool{} // strata of each set
	for _, i := range rows {
		q := &b.questions[i]
		if present[q.set] == nil {
			present[q.set] = map[int]bool{}
		}
		present[q.set][q.stratum] = true
	}
	out := make([]float64, len(b.strata))
	for _, strata := range present {
		for h := range strata {
			out[h] = 1 / float64(len(present)*len(strata))
		}
	}
	return out
}

// weights returns the weights of single questions, which sum to 1.
func (b *bench) weights(rows []int) []float64 {
	shares, count := b.shares(rows), map[int]float64{}
	for _, i := range rows {
		count[b.questions[i].stratum]++
	}
	return b.by(func(i int) float64 { return shares[b.questions[i].stratum] / max(1, count[b.questions[i].stratum]) })
}

// mean returns the mean over strata of the values of some questions, and its standard error
// when questions are drawn within their stratum.
func (b *bench) mean(values []float64, rows []int) (mean, deviation float64) {
	n, sum, squares := make([]float64, len(b.strata)), make([]float64, len(b.strata)), make([]float64, len(b.strata))
	for _, i := range rows {
		h := b.questions[i].stratum
		n[h]++
		sum[h] += values[i]
	}
	for _, i := range rows {
		h := b.questions[i].stratum
		d := values[i] - sum[h]/n[h]
		squares[h] += float64(d * d)
	}
	variance := 0.0
	for h, share := range b.shares(rows) {
		if n[h] == 0 {
			continue
		}
		mean += share * sum[h] / n[h]
		if n[h] > 1 {
			variance += share * share * squares[h] / (n[h] * (n[h] - 1))
		}
	}
	return mean, math.Sqrt(variance)
}

// gain returns how much better method is than base on some questions, and its standard error.
// Both choices must have been measured.
func (b *bench) gain(base, method choice, rows []int) (gain, deviation float64) {
	values, before := b.values(method), b.values(base)
	for i := range values {
		values[i] -= before[i]
	}
	return b.mean(values, rows)
}

// interval returns the gain of method over base, resampled within strata.
func (b *bench) interval(base, method []float64, rows []int, seed uint64) (stats.Interval, error) {
	shares := b.shares(rows)
	present := float64(len(slices.DeleteFunc(slices.Clone(shares), func(s float64) bool { return s == 0 })))
	// Resampling weights all strata equally; scale the values to give each stratum its own
	// weight.
	var x, y []float64
	var strata []string
	for _, i := range rows {
		h := b.questions[i].stratum
		x, y = append(x, base[i]*shares[h]*present), append(y, method[i]*shares[h]*present)
		strata = append(strata, fmt.Sprintf("%d: %s", b.strata[h].set+1, b.strata[h].template))
	}
	in, err := stats.Bootstrap{Seed: seed}.Difference(x, y, strata)
	if err != nil {
		return stats.Interval{}, err
	}
	return *in, nil
}
