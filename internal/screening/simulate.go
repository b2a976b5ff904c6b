package screening

import (
	"math"
	"math/rand/v2"
)

// Simulate screens records whose labels are known, from some prior decisions, and returns the
// records in the order in which they are read. It stops when all included records are found.
// If it is quick, it fits the model only after every fiftieth part of the decisions.
func Simulate(m *Model, labels []bool, priors []int, quick bool) []int {
	left := 0
	for _, l := range labels {
		if l {
			left++
		}
	}
	var order []int
	decide := func(i int) {
		order = append(order, i)
		m.Decide(i, -1)
		if labels[i] {
			m.Decide(i, 1)
			left--
		}
	}
	for _, i := range priors {
		decide(i)
	}
	var scores []float32
	for fitted := 0; left > 0; {
		if scores == nil || !quick || 50*(len(order)-fitted) >= len(order) {
			m.Fit()
			scores, fitted = m.Scores(), len(order)
		}
		best := -1
		for i, l := range m.labels {
			if l == 0 && (best < 0 || scores[i] > scores[best]) {
				best = i
			}
		}
		decide(best)
	}
	return order
}

// Priors returns a random included and a random excluded record.
func Priors(labels []bool, seed uint64) []int {
	rng := rand.New(rand.NewPCG(seed, 0))
	var out []int
	for _, want := range []bool{true, false} {
		for _, i := range rng.Perm(len(labels)) {
			if labels[i] == want {
				out = append(out, i)
				break
			}
		}
	}
	return out
}

// Measures describe a simulated screening. Prior decisions do not count.
type Measures struct {
	Recall10, Recall25, Recall50 float64 // after reading that share of the records
	WSS95                        float64 // work saved over sampling at 95 % recall
	Discovery                    float64 // average share of records read before an inclusion
	// StopRead is the share of records read when the stopping rule stops, StopRecall the true
	// recall there.
	StopRead, StopRecall float64
}

// Measure measures a screening that read records in the given order, of which the first are
// prior decisions. Records that are not in the order come after it, and none is included.
func Measure(labels []bool, order []int, priors int) Measures {
	var m Measures
	total := -countIncluded(labels, order[:priors])
	for _, l := range labels {
		if l {
			total++
		}
	}
	n := float64(len(labels) - priors)
	need, found := math.Ceil(0.95*total), 0.0
	for k, i := range order[priors:] {
		if !labels[i] {
			continue
		}
		found++
		read := float64(k+1) / n
		m.Discovery += read / total
		for _, at := range []struct {
			share  float64
			recall *float64
		}{{0.1, &m.Recall10}, {0.25, &m.Recall25}, {0.5, &m.Recall50}} {
			if read <= at.share {
				*at.recall = found / total
			}
		}
		if found == need {
			m.WSS95 = 0.95 - read
		}
	}
	read := make([]bool, 0, len(labels))
	for _, i := range order {
		read = append(read, labels[i])
	}
	read = read[:len(labels)] // the rest is excluded
	end := stopAt(len(labels), read, priors)
	m.StopRead, m.StopRecall = float64(end)/float64(len(labels)), countIncluded(labels, order[:min(end, len(order))])/(total+countIncluded(labels, order[:priors]))
	return m
}

// stopAt returns after how many records the stopping rule first stops.
func stopAt(total int, read []bool, from int) int {
	since := []int{0}
	for i, included := range read {
		if included {
			since = append(since, i+1)
		}
		if i >= from && missedChance(total, i+1, since) < Significance {
			return i + 1
		}
	}
	return total
}

func countIncluded(labels []bool, records []int) (n float64) {
	for _, i := range records {
		if labels[i] {
			n++
		}
	}
	return n
}
