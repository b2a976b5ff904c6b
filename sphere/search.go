package sphere

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
)

// search maximises f over the unit sphere of the span when no closed form is known. It runs
// subgradient ascent from many starts and polishes the best few with Nelder–Mead, which
// needs no gradient and so crosses ridges where f is not differentiable. It is
// deterministic.
func search(f Objective, s *span) (best []float64, steps int) {
	e := &evaluator{f: f, s: s, cosines: make([]float64, f.Terms()), slopes: make([]float64, f.Terms())}
	var found []candidate
	for _, start := range starts(s) {
		found = append(found, e.ascend(start))
	}
	slices.SortStableFunc(found, descending)
	top := found[0]
	if s.dimension() > maxPolished {
		return top.x, e.evaluations
	}
	const polished = 6
	for _, c := range found[:min(polished, len(found))] {
		if p := e.polish(c); p.value > top.value {
			top = p
		}
	}
	return top.x, e.evaluations
}

// The search is thorough for formulas of ordinary size. Beyond these limits it skips the
// steps whose cost grows with the square of the number of terms or faster, so no formula
// takes too long.
const (
	maxPaired   = 12 // terms, for starts from pairs of terms
	maxPolished = 16 // dimensions
)

type candidate struct {
	x     []float64
	value float64
}

func descending(a, b candidate) int { return cmp.Compare(b.value, a.value) }

// starts returns every term, every pair of terms unless there are too many, and
// pseudo-random points.
func starts(s *span) [][]float64 {
	var out [][]float64
	add := func(x []float64) {
		if norm := math.Sqrt(inner(x, x)); norm > 1e-9 {
			for i := range x {
				x[i] /= norm
			}
			out = append(out, x)
		}
	}
	column := func(j int) []float64 {
		x := make([]float64, s.dimension())
		for i, row := range s.factor {
			x[i] = row[j]
		}
		return x
	}
	for a, i := range s.used {
		add(column(i))
		if len(s.used) > maxPaired {
			continue
		}
		for _, j := range s.used[a+1:] {
			sum, difference := column(i), column(i)
			addScaled(sum, column(j), 1)
			addScaled(difference, column(j), -1)
			add(sum)
			add(difference)
		}
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 32 {
		x := make([]float64, s.dimension())
		for i := range x {
			x[i] = random.NormFloat64()
		}
		add(x)
	}
	return out
}

// evaluator computes f at normalized points of the span.
type evaluator struct {
	f               Objective
	s               *span
	cosines, slopes []float64
	evaluations     int
}

// value normalizes x in place and returns f there.
func (e *evaluator) value(x, slopes []float64) float64 {
	e.evaluations++
	norm := math.Sqrt(inner(x, x))
	if norm < 1e-12 {
		return math.Inf(-1)
	}
	for i := range x {
		x[i] /= norm
	}
	e.s.cosines(x, e.cosines)
	return e.f.Value(e.cosines, slopes)
}

// ascend takes subgradient steps of shrinking length.
func (e *evaluator) ascend(start []float64) candidate {
	x := slices.Clone(start)
	best := candidate{slices.Clone(x), e.value(x, e.slopes)}
	gradient := make([]float64, len(x))
	for step := range 150 {
		for i, row := range e.s.factor {
			gradient[i] = 0
			for _, j := range e.s.used {
				gradient[i] += row[j] * e.slopes[j]
			}
		}
		addScaled(gradient, x, -inner(gradient, x))
		size := math.Sqrt(inner(gradient, gradient))
		if size < 1e-12 {
			break
		}
		addScaled(x, gradient, 0.5/size/(1+0.2*float64(step)))
		if v := e.value(x, e.slopes); v > best.value {
			best.value = v
			copy(best.x, x)
		}
	}
	return best
}

// polish runs Nelder–Mead from a point, and again from the result with a smaller simplex,
// until there is no improvement.
func (e *evaluator) polish(c candidate) candidate {
	for size := 0.1; size > 1e-7; size /= 4 {
		if next := e.simplex(c, size); next.value > c.value {
			c = next
		}
	}
	return c
}

// simplex is one run of Nelder–Mead with the usual coefficients.
func (e *evaluator) simplex(start candidate, size float64) candidate {
	n := len(start.x)
	at := func(x []float64) candidate { return candidate{x, e.value(x, nil)} }
	corners := []candidate{{slices.Clone(start.x), start.value}}
	for i := range n {
		x := slices.Clone(start.x)
		x[i] += size
		corners = append(corners, at(x))
	}
	between := func(a, b []float64, t float64) candidate {
		x := make([]float64, n)
		addScaled(x, a, 1-t)
		addScaled(x, b, t)
		return at(x)
	}
	for range 60 * n {
		slices.SortStableFunc(corners, descending)
		worst := &corners[n]
		if corners[0].value-worst.value < 1e-14 {
			break
		}
		centre := make([]float64, n)
		for _, c := range corners[:n] {
			addScaled(centre, c.x, 1/float64(n))
		}
		switch reflected := between(worst.x, centre, 2); {
		case reflected.value > corners[0].value:
			*worst = reflected
			if expanded := between(worst.x, centre, -1); expanded.value > reflected.value {
				*worst = expanded
			}
		case reflected.value > corners[n-1].value:
			*worst = reflected
		default:
			if contracted := between(worst.x, centre, 0.5); contracted.value > worst.value {
				*worst = contracted
				continue
			}
			for i := 1; i <= n; i++ {
				corners[i] = between(corners[0].x, corners[i].x, 0.5)
			}
		}
	}
	slices.SortStableFunc(corners, descending)
	return corners[0]
}
