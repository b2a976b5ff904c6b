package stats

import (
	"errors"
	"math"
)

// Crossed is the mean of one value per query where queries share documents, so
// that their values are not independent: a document that lies high lifts every
// value it takes part in. Resampling queries alone would take such values for
// more evidence than they are.
//
// Its variance is clustered both ways (Cameron, Gelbach and Miller 2011): that
// between groups of queries, plus that between documents, less what both count.
// The distribution is Student's, with Welch and Satterthwaite's degrees of freedom
// for a variance of two parts: those of the groups are one less than their number,
// those of the documents one less than (Σψ²)²/Σψ⁴, the number that counts, ψ being
// the influence of each on the mean.
type Crossed struct {
	values []value
	groups int

	sums   []float64 // the influence of each document so far
	within []float64 // that within the group at hand
	inside []int     // documents that have some there
	cells  float64   // the sum of squares of influences by group and document
}

type value struct {
	group int
	of    float64
}

// NewCrossed is for so many documents.
func NewCrossed(documents int) *Crossed {
	return &Crossed{sums: make([]float64, documents), within: make([]float64, documents)}
}

// Add adds the value of a query. The queries of a group, which has any number,
// follow one another.
func (c *Crossed) Add(group int, v float64) {
	if n := len(c.values); n == 0 || c.values[n-1].group != group {
		c.flush()
		c.groups++
	}
	c.values = append(c.values, value{group, v})
}

// Influence says by how much a document moves the value that was added last, from
// where the value would be without it.
func (c *Crossed) Influence(document int, u float64) {
	if c.within[document] == 0 {
		c.inside = append(c.inside, document)
	}
	c.within[document] += u
}

// flush closes the group at hand.
func (c *Crossed) flush() {
	for _, i := range c.inside {
		u := c.within[i]
		c.cells += u * u
		c.sums[i] += u
		c.within[i] = 0
	}
	c.inside = c.inside[:0]
}

// CrossedResult is a mean with what both clusterings say of it.
type CrossedResult struct {
	N, Groups int // values and their groups
	Value     float64
	SE        float64
	DF        float64
	Low, High float64
	P         float64 // two-sided, of a mean of 0
}

// Mean is the mean with its interval of 95 %. It needs two groups or more. Where all
// values are 0 there is no effect, and p is 1.
func (c *Crossed) Mean() (*CrossedResult, error) {
	const doing = "estimating a mean over queries and documents"
	if c.groups < 2 {
		return nil, errors.New(doing + ": one group of queries has no spread; give two or more")
	}
	c.flush()
	r := &CrossedResult{N: len(c.values), Groups: c.groups}
	n := float64(r.N)
	for _, v := range c.values {
		r.Value += v.of / n
	}
	var squares, fourths float64
	for _, s := range c.sums {
		squares += s * s
		fourths += s * s * s * s
	}
	between, documents := c.between(r.Value), squares/(n*n)
	variance := max(between, documents, between+documents-c.cells/(n*n))
	switch {
	case math.IsNaN(variance) || math.IsInf(variance, 0):
		return nil, errors.New(doing + ": a value is not a finite number")
	case variance == 0 && r.Value == 0:
		r.P, r.DF = 1, float64(r.Groups)-1
		return r, nil
	case variance == 0:
		return nil, errors.New(doing + ": all values are the same, so that nothing is known of their spread")
	}
	r.SE = math.Sqrt(variance)
	unsure := between * between / (float64(r.Groups) - 1)
	if fourths > 0 {
		unsure += documents * documents / max(1, squares*squares/fourths-1)
	}
	r.DF = max(1, variance*variance/unsure)
	reach := r.SE * studentQuantile((1+level)/2, r.DF)
	r.Low, r.High = r.Value-reach, r.Value+reach
	r.P = min(1, 2*studentTail(math.Abs(r.Value)/r.SE, r.DF))
	return r, nil
}

// between is the variance of the mean by groups of queries.
func (c *Crossed) between(mean float64) float64 {
	var squares, sum float64
	for i, v := range c.values {
		sum += v.of - mean
		if i+1 == len(c.values) || c.values[i+1].group != v.group {
			squares += sum * sum
			sum = 0
		}
	}
	n, g := float64(len(c.values)), float64(c.groups)
	return squares / (n * n) * g / (g - 1)
}
