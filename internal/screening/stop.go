package screening

import (
	"fmt"
	"math"
	"sort"
)

// Recall and level of the stopping rule: the claim is that at least this share of the included
// records has been found, and the probability of the observations if it were wrong.
const (
	TargetRecall = 0.95
	Significance = 0.05
)

// Stop is what can be said about the records that have not been read.
type Stop struct {
	Read     int `json:"read"`
	Included int `json:"included"`
	Unread   int `json:"unread"`
	// P is the probability of having missed as many records as it takes to fall below the
	// target recall, and still having found what was found; 1 if nothing was found yet.
	P float64 `json:"p" doc:"p value of the hypothesis that the target recall has not been reached"`
	// Reached reports whether the target recall can be claimed.
	Reached bool `json:"reached" doc:"at least 95 % of the records to include have been found, p < 0.05"`
	// More is how many more records the claim takes if none of them is included; every
	// further inclusion raises it, to at most Unread.
	More int `json:"more" doc:"how many more records it takes if none of them is included, at most unread"`
}

// stopAfter applies the test of Callaghan and Müller-Hansen (Systematic Reviews 9:273, 2020)
// to a screening of total records, given the labels of those read in the order of reading.
//
// The records read since some point count as a random sample of those unread at that point.
// They were read by rank instead, which finds more than a random sample does, so the test
// errs on the safe side. Any point may be taken; the best ones are those right after an
// inclusion.
func stopAfter(total int, read []bool) Stop {
	s := Stop{Read: len(read), Unread: total - len(read), P: 1}
	since := []int{0} // number of records read before each window
	for i, included := range read {
		if included {
			s.Included++
			since = append(since, i+1)
		}
	}
	s.P = missedChance(total, len(read), since)
	if s.Reached = s.Unread == 0 || s.P < Significance; !s.Reached {
		s.More = s.Unread
		if s.Included > 0 {
			s.More = sort.Search(s.Unread, func(n int) bool { return missedChance(total, len(read)+n, since) < Significance })
		}
	}
	return s
}

// missedChance returns the smallest p value over windows that start at the given positions
// and end after read records.
func missedChance(total, read int, since []int) float64 {
	included := len(since) - 1
	if included == 0 {
		return 1
	}
	// With this many missed, recall is below the target.
	missed := int(math.Floor(float64(included)/TargetRecall+1e-9)) - included + 1
	least := 1.0
	for i, start := range since {
		inside := included - i // inclusions in the window
		least = min(least, hypergeometricTail(total-read, read-start, inside+missed, missed))
	}
	return least
}

// hypergeometricTail returns the probability that, of k marked records among unread and read
// ones, at least least are unread.
func hypergeometricTail(unread, read, k, least int) float64 {
	if k > unread+read {
		return 0
	}
	// Each term follows from its neighbour: the sum begins at the largest one, and ends on both
	// sides where the terms vanish.
	from, to := max(least, k-read), min(k, unread)
	if from > to {
		return 0
	}
	mode := min(max((k+1)*(unread+1)/(unread+read+2), from), to)
	largest := math.Exp(choose(unread, mode) + choose(read, k-mode) - choose(unread+read, k))
	sum, term := 0.0, largest
	for j := mode; j <= to && term > 1e-15*largest; j++ {
		sum += term
		term *= float64(unread-j) / float64(j+1) * float64(k-j) / float64(read-k+j+1)
	}
	term = largest
	for j := mode; j > from && term > 1e-15*largest; j-- {
		term *= float64(j) / float64(unread-j+1) * float64(read-k+j) / float64(k-j+1)
		sum += term
	}
	return min(1, sum)
}

// choose returns the logarithm of a binomial coefficient.
func choose(n, k int) float64 {
	a, _ := math.Lgamma(float64(n + 1))
	b, _ := math.Lgamma(float64(k + 1))
	c, _ := math.Lgamma(float64(n - k + 1))
	return a - b - c
}

// String describes the statement for people.
func (s Stop) String() string {
	switch {
	case s.Unread == 0:
		return "every record has been read"
	case s.Reached:
		return fmt.Sprintf("at least %.0f %% of the records to include have been found (p = %.3f); %d of %d records are unread", 100*TargetRecall, s.P, s.Unread, s.Unread+s.Read)
	case s.Included == 0:
		return fmt.Sprintf("no statement about recall is possible before an inclusion; at most %d more records", s.Unread)
	}
	return fmt.Sprintf("no statement about recall yet (p = %.2f); %d more records if none of them is included, at most %d", s.P, s.More, s.Unread)
}

// Elusion is the share of unread records that should have been included, estimated from a
// random sample of them.
type Elusion struct {
	Sample   int     `json:"sample"`
	Included int     `json:"included"`
	Rate     float64 `json:"rate"`
	Low      float64 `json:"low" doc:"lower end of the exact 95 % interval by Clopper and Pearson"`
	High     float64 `json:"high" doc:"upper end of the exact 95 % interval by Clopper and Pearson"`
}

// elude estimates the elusion from a sample.
func elude(sample, included int) Elusion {
	e := Elusion{Sample: sample, Included: included, High: 1}
	if sample == 0 {
		return e
	}
	const tail = (1 - 0.95) / 2
	e.Rate = float64(included) / float64(sample)
	if included > 0 {
		e.Low = bisect(func(p float64) bool { return 1-binomial(sample, included-1, p) >= tail })
	}
	if included < sample {
		e.High = bisect(func(p float64) bool { return binomial(sample, included, p) <= tail })
	}
	return e
}

// String describes the estimate for people.
func (e Elusion) String() string {
	return fmt.Sprintf("of %d random unread records %d were included: %.1f %% (95 %% interval %.1f to %.1f %%)", e.Sample, e.Included, 100*e.Rate, 100*e.Low, 100*e.High)
}

// bisect returns the smallest p in [0, 1] at which a monotonic condition holds.
func bisect(holds func(p float64) bool) float64 {
	low, high := 0.0, 1.0
	for range 60 {
		if middle := (low + high) / 2; holds(middle) {
			high = middle
		} else {
			low = middle
		}
	}
	return high
}

// binomial returns the probability of at most k successes in n trials.
func binomial(n, k int, p float64) float64 {
	sum := 0.0
	for j := range k + 1 {
		sum += math.Exp(choose(n, j) + float64(j)*math.Log(p) + float64(n-j)*math.Log1p(-p))
	}
	return min(1, sum)
}
