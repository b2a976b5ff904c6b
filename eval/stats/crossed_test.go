package stats

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// R 4.2.2: p.adjust(p, method="BH").
func TestBenjaminiHochberg(t *testing.T) {
	for _, c := range []struct{ p, want []float64 }{
		{[]float64{0.01, 0.04, 0.03, 0.005, 0.9, 0.03}, []float64{0.03, 0.048, 0.045, 0.03, 0.9, 0.045}},
		{[]float64{0.5, 0.6, 0.0001}, []float64{0.6, 0.6, 0.0003}},
		{[]float64{0.04}, []float64{0.04}},
		{nil, nil},
	} {
		got, err := BenjaminiHochberg(c.p)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.EqualFunc(got, c.want, func(a, b float64) bool { return near(a, b, 1e-15) }) {
			t.Errorf("%v: got %v, want %v", c.p, got, c.want)
		}
	}
	if _, err := BenjaminiHochberg([]float64{0.5, math.NaN()}); err == nil || !strings.Contains(err.Error(), "value 1 is NaN") {
		t.Errorf("NaN: got error %v", err)
	}
}

// Values from tables of Student's distribution.
func TestStudentQuantile(t *testing.T) {
	for _, c := range []struct{ p, df, want float64 }{
		{0.975, 1, 12.706204736432095}, {0.975, 4, 2.7764451051977987}, {0.95, 10, 1.8124611228107335}, {0.975, 1e6, 1.959966},
	} {
		if got := studentQuantile(c.p, c.df); !near(got, c.want, 1e-6) {
			t.Errorf("quantile %g with df %g: got %.10g, want %.10g", c.p, c.df, got, c.want)
		}
	}
}

// tTest is the one-sample t-test of a mean of 0.
func tTest(x []float64) (m, sd, p float64) {
	n := float64(len(x))
	m = Mean(x)
	for _, v := range x {
		sd += (v - m) * (v - m) / (n - 1)
	}
	sd = math.Sqrt(sd)
	return m, sd, 2 * studentTail(math.Abs(m)/(sd/math.Sqrt(n)), n-1)
}

// scipy 1.10.1: scipy.stats.ttest_rel(method, base).
func TestTTest(t *testing.T) {
	for _, c := range []struct {
		base, method []float64
		p            float64
	}{{baseL, methodL, 0.0007295514134391657}, {baseC, methodC, 0.016176627434908095}} {
		d, err := differences("", c.base, c.method)
		if _, _, p := tTest(d); err != nil || !near(p, c.p, 1e-11) {
			t.Errorf("got p %.17g, want %.17g; error %v", p, c.p, err)
		}
	}
}

// If no document is in two queries, the result is the t-test's.
func TestCrossedIsStudents(t *testing.T) {
	c := NewCrossed(len(bootBase))
	var values []float64
	for i, v := range bootBase {
		c.Add(v - 0.3)
		c.Influence(i, v-0.3-(Mean(bootBase)-0.3))
		values = append(values, v-0.3)
	}
	got, err := c.Mean()
	if err != nil {
		t.Fatal(err)
	}
	m, sd, p := tTest(values)
	n := float64(len(bootBase))
	if !near(got.Value, m, 1e-12) || !near(got.SE, sd/math.Sqrt(n), 1e-9) {
		t.Errorf("got mean %g ± %g, want %g ± %g", got.Value, got.SE, m, sd/math.Sqrt(n))
	}
	if got.DF >= n-1 || got.P < p {
		t.Errorf("got df %g and p %g, the t-test has %g and %g; uneven influence costs degrees of freedom", got.DF, got.P, n-1, p)
	}
}

// When queries share documents, the interval has the nominal coverage, while an interval from
// queries alone does not.
func TestCrossedCoverage(t *testing.T) {
	const queries, documents, runs, seed = 12, 40, 1500, 7
	random := rand.New(rand.NewPCG(seed, 0))
	covered, alone := 0, 0
	for range runs {
		lift := make([]float64, documents)
		for i := range lift {
			lift[i] = random.NormFloat64()
		}
		c := NewCrossed(documents)
		var values []float64
		for range queries {
			var own []int
			sum := 0.0
			x := make([]float64, documents)
			for i := range documents {
				if random.IntN(2) == 0 {
					own = append(own, i)
					x[i] = lift[i] + 0.3*random.NormFloat64()
					sum += x[i]
				}
			}
			n := float64(len(own))
			c.Add(sum / n)
			for _, i := range own {
				c.Influence(i, (x[i]-sum/n)/n)
			}
			values = append(values, sum/n)
		}
		r, err := c.Mean()
		if err != nil {
			t.Fatal(err)
		}
		if r.Low <= 0 && 0 <= r.High {
			covered++
		}
		if _, _, p := tTest(values); p > 0.05 {
			alone++
		}
	}
	if share := float64(covered) / runs; share < 0.93 || share > 0.99 {
		t.Errorf("seed %d: got coverage %.3f, want about 0.95", seed, share)
	}
	if share := float64(alone) / runs; share > 0.8 {
		t.Errorf("seed %d: got coverage %.3f by queries alone; the example does not show why documents matter", seed, share)
	}
}

// Values that are all zero mean no effect.
func TestCrossedZeros(t *testing.T) {
	c := NewCrossed(1)
	c.Add(0)
	c.Add(0)
	if r, err := c.Mean(); err != nil || r.P != 1 || r.Low != 0 || r.High != 0 {
		t.Errorf("got %+v, %v", r, err)
	}
}

func TestCrossedRefuses(t *testing.T) {
	for _, c := range []struct {
		add  func(c *Crossed)
		want string
	}{
		{func(*Crossed) {}, "one query"},
		{func(c *Crossed) { c.Add(1) }, "one query"},
		{func(c *Crossed) { c.Add(1); c.Add(1) }, "all values are the same"},
		{func(c *Crossed) { c.Add(1); c.Add(math.Inf(1)) }, "not a finite number"},
	} {
		x := NewCrossed(3)
		c.add(x)
		if _, err := x.Mean(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want %q", err, c.want)
		}
	}
}
