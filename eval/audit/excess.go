package audit

import "math"

// excess is the effect of one query on one label.
type excess struct {
	value     float64
	influence []float64 // of each right answer on the value, corrected for leverage (HC2)
}

// measure regresses the position after on the position before and on having the label, by
// least squares. ok is false if the position before almost determines the label, so their
// effects cannot be separated.
func measure(before, after []float32, with []int) (e excess, ok bool) {
	n := float64(len(before))
	label := make([]float64, len(before))
	for _, i := range with {
		label[i] = 1
	}
	share := float64(len(with)) / n
	var meanBefore, meanAfter float64
	for i := range before {
		meanBefore += float64(before[i]) / n
		meanAfter += float64(after[i]) / n
	}
	var bb, bl, ba, la float64 // sums of products of b (position before), l (label) and a (position after)
	for i := range before {
		b, a, l := float64(before[i])-meanBefore, float64(after[i])-meanAfter, label[i]-share
		bb += b * b
		bl += b * l
		ba += b * a
		la += l * a
	}
	ll := n * share * (1 - share)
	if bb == 0 {
		bb = 1 // all share one position: bl and ba are 0 as well
	}
	own := ll - bl*bl/bb // variation of the label not explained by the position before
	if own < ll/20 {
		return e, false
	}
	e.value = unrounded((la - ba*bl/bb) / own)
	slope := (ba - e.value*bl) / bb
	e.influence = make([]float64, len(before))
	for i := range before {
		b := float64(before[i]) - meanBefore
		l := label[i] - share
		rest := l - bl/bb*b
		residual := unrounded(float64(after[i]) - meanAfter - e.value*l - slope*b)
		leverage := 1/n + b*b/bb + rest*rest/own
		e.influence[i] = rest * residual / (own * math.Sqrt(max(1-leverage, 0.01)))
	}
	return e, true
}

// unrounded replaces rounding errors by 0: documents that did not move must not seem to
// have moved.
func unrounded(points float64) float64 {
	if math.Abs(points) < 1e-6 {
		return 0
	}
	return points
}
