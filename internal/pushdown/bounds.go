package pushdown

import "slices"

// interval is a lower and an upper bound.
type interval struct{ low, high float64 }

// Least returns a lower bound of all scores.
func (s *Score) Least() float64 {
	known := make([]interval, 0, len(s.Values))
	for _, v := range s.Values {
		known = append(known, bound(v.Expr, known))
	}
	return known[s.Root].low
}

func bound(x Expr, known []interval) interval {
	of := func(x Expr) interval { return bound(x, known) }
	switch x := x.(type) {
	case Number:
		return interval{float64(x), float64(x)}
	case Cosine:
		return interval{-1, 1}
	case Ref:
		return known[x]
	case Maximum:
		return interval{0, 1}
	case Binary:
		a, b := of(x.X), of(x.Y)
		switch x.Op {
		case '+':
			return interval{a.low + b.low, a.high + b.high}
		case '-':
			return interval{a.low - b.high, a.high - b.low}
		case '*':
			corners := []float64{a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high}
			return interval{slices.Min(corners), slices.Max(corners)}
		}
		if n, ok := x.Y.(Number); ok {
			return interval{a.low / float64(n), a.high / float64(n)}
		}
		return interval{0, 1} // a gate: nothing is above the maximum
	case Max:
		lows, highs := ends(x, known)
		return interval{slices.Max(lows), slices.Max(highs)}
	case Min:
		lows, highs := ends(x, known)
		return interval{slices.Min(lows), slices.Min(highs)}
	case If:
		a, b := of(x.Then), of(x.Else)
		return interval{min(a.low, b.low), max(a.high, b.high)}
	}
	panic("pushdown: an expression of another package")
}

func ends(of []Expr, known []interval) (lows, highs []float64) {
	for _, x := range of {
		b := bound(x, known)
		lows, highs = append(lows, b.low), append(highs, b.high)
	}
	return lows, highs
}
