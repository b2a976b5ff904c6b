package stats

import (
	"errors"
	"math"
)

// Crossed estimates the mean of one value per query when queries share documents, so their
// values are not independent: a document with a high score raises every value it contributes
// to. Resampling only queries would overstate the evidence.
//
// Its variance is clustered in two ways (Cameron, Gelbach and Miller 2011): the variance
// between queries, plus that between documents, minus the part counted twice. The
// distribution is Student's, with Welch and Satterthwaite's degrees of freedom for a variance
// of two parts: for queries, their number minus one; for documents, the effective number
// (Σψ²)²/Σψ⁴ minus one, where ψ is the influence of each on the mean.
type Crossed struct {
	values []float64
	sums   []float64 // influence of each document
	both   float64   // sum of squares of influences by query and document
}

// NewCrossed returns a Crossed for the given number of documents.
func NewCrossed(documents int) *Crossed { return &Crossed{sums: make([]float64, documents)} }

// Add adds the value of a query.
func (c *Crossed) Add(v float64) { c.values = append(c.values, v) }

// Influence records how much a document moves the last added value, compared with the value
// without it. Call it at most once per document.
func (c *Crossed) Influence(document int, u float64) {
	c.sums[document] += u
	c.both += u * u
}

// CrossedResult is a mean with its two-way clustered uncertainty.
type CrossedResult struct {
	Value     float64
	SE        float64
	DF        float64
	Low, High float64
	P         float64 // two-sided, for the hypothesis of mean 0
}

// Mean returns the mean with its 95 % interval. It needs at least two queries. If all values
// are 0 there is no effect, and p is 1.
func (c *Crossed) Mean() (*CrossedResult, error) {
	const doing = "estimating a mean over queries and documents"
	if len(c.values) < 2 {
		return nil, errors.New(doing + ": one query has no spread; give two or more")
	}
	r := &CrossedResult{Value: Mean(c.values)}
	n := float64(len(c.values))
	var between, documents, fourths float64
	for _, v := range c.values {
		between += (v - r.Value) * (v - r.Value) / (n * (n - 1))
	}
	for _, s := range c.sums {
		documents += s * s / (n * n)
		fourths += s * s * s * s / (n * n * n * n)
	}
	variance := max(between, documents, between+documents-c.both/(n*n))
	switch {
	case math.IsNaN(variance) || math.IsInf(variance, 0):
		return nil, errors.New(doing + ": a value is not a finite number")
	case variance == 0 && r.Value == 0:
		r.P, r.DF = 1, n-1
		return r, nil
	case variance == 0:
		return nil, errors.New(doing + ": all values are the same, so their spread is unknown")
	}
	r.SE = math.Sqrt(variance)
	unsure := between * between / (n - 1)
	if fourths > 0 {
		unsure += documents * documents / max(1, documents*documents/fourths-1)
	}
	r.DF = max(1, variance*variance/unsure)
	reach := r.SE * studentQuantile((1+level)/2, r.DF)
	r.Low, r.High = r.Value-reach, r.Value+reach
	r.P = min(1, 2*studentTail(math.Abs(r.Value)/r.SE, r.DF))
	return r, nil
}
