package stats

import "math"

// studentTail returns the probability that a variable of Student's distribution with df
// degrees of freedom exceeds t.
func studentTail(t, df float64) float64 {
	half := incompleteBeta(df/(df+t*t), df/2, 0.5) / 2
	if t < 0 {
		return 1 - half
	}
	return half
}

// incompleteBeta returns the regularized incomplete beta function I_x(a, b), by its continued
// fraction (Abramowitz and Stegun 26.5.8) in Lentz's form.
func incompleteBeta(x, a, b float64) float64 {
	if x <= 0 {
		return 0
	}
	if x >= 1 {
		return 1
	}
	// The fraction converges fast below the mean; above it, use the complement.
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

// studentQuantile returns the quantile p of Student's distribution, for p above a half.
func studentQuantile(p, df float64) float64 {
	low, high := 0.0, 1.0
	for studentTail(high, df) > 1-p {
		high *= 2
	}
	for range 60 {
		if mid := (low + high) / 2; studentTail(mid, df) > 1-p {
			low = mid
		} else {
			high = mid
		}
	}
	return (low + high) / 2
}
