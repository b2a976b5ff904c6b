package stats

import (
	"errors"
	"math"
)

// TTestResult is the outcome of a paired t-test.
type TTestResult struct {
	N    int
	Mean float64 // of the differences
	SD   float64 // of the differences
	T    float64
	P    float64 // from Student's distribution with N−1 degrees of freedom
}

// PairedT is the t-test of paired values. It assumes that the mean difference is
// normally distributed, which average precisions of few queries are not; Wilcoxon
// does without that.
func PairedT(base, method []float64, a Alternative) (*TTestResult, error) {
	const doing = "testing paired differences"
	d, err := differences(doing, base, method)
	if err != nil {
		return nil, err
	}
	if len(d) < 2 {
		return nil, errors.New(doing + ": one pair has no spread; give two or more")
	}
	n := float64(len(d))
	r := &TTestResult{N: len(d), Mean: mean(d)}
	for _, v := range d {
		r.SD += (v - r.Mean) * (v - r.Mean)
	}
	r.SD = math.Sqrt(r.SD / (n - 1))
	if r.SD == 0 {
		return nil, errors.New(doing + ": all differences are the same, so that t has no value; use the signed-rank test")
	}
	r.T = r.Mean / (r.SD / math.Sqrt(n))
	switch a {
	case Greater:
		r.P = studentTail(r.T, n-1)
	case Less:
		r.P = studentTail(-r.T, n-1)
	default:
		r.P = min(1, 2*studentTail(math.Abs(r.T), n-1))
	}
	return r, nil
}

// studentTail is the probability that a variable of Student's distribution with
// df degrees of freedom is above t.
func studentTail(t, df float64) float64 {
	half := incompleteBeta(df/(df+t*t), df/2, 0.5) / 2
	if t < 0 {
		return 1 - half
	}
	return half
}

// incompleteBeta is the regularized incomplete beta function I_x(a, b), by its
// continued fraction (Abramowitz and Stegun 26.5.8) in Lentz's form.
func incompleteBeta(x, a, b float64) float64 {
	if x <= 0 {
		return 0
	}
	if x >= 1 {
		return 1
	}
	// The fraction converges fast below the mean; above it the complement does.
	if x > (a+1)/(a+b+2) {
		return 1 - incompleteBeta(1-x, b, a)
	}
	la, _ := math.Lgamma(a)
	lb, _ := math.Lgamma(b)
	lab, _ := math.Lgamma(a + b)
	front := math.Exp(lab-la-lb+a*math.Log(x)+b*math.Log1p(-x)) / a
	const tiny, steps = 1e-300, 10000
	c, d := 1.0, 1-(a+b)*x/(a+1)
	if math.Abs(d) < tiny {
		d = tiny
	}
	d = 1 / d
	f := d
	for m := 1.0; m < steps; m++ {
		even := m * (b - m) * x / ((a + 2*m - 1) * (a + 2*m))
		odd := -(a + m) * (a + b + m) * x / ((a + 2*m) * (a + 2*m + 1))
		change := 1.0
		for _, k := range [2]float64{even, odd} {
			if d = 1 + k*d; math.Abs(d) < tiny {
				d = tiny
			}
			if c = 1 + k/c; math.Abs(c) < tiny {
				c = tiny
			}
			d = 1 / d
			change = c * d
			f *= change
		}
		if math.Abs(change-1) < 1e-15 {
			break
		}
	}
	return front * f
}
