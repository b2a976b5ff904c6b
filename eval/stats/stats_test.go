package stats

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
)

// R 4.2.2: p.adjust(p, method="holm").
func TestHolm(t *testing.T) {
	for _, c := range []struct{ p, want []float64 }{
		{[]float64{0.01, 0.04, 0.03, 0.005, 0.9, 0.03}, []float64{0.05, 0.12, 0.12, 0.03, 0.9, 0.12}},
		{[]float64{0.5, 0.6, 0.0001}, []float64{1, 1, 0.0003}},
		{[]float64{0.04}, []float64{0.04}},
		{nil, nil},
	} {
		got, err := Holm(c.p)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.EqualFunc(got, c.want, func(a, b float64) bool { return near(a, b, 1e-15) }) {
			t.Errorf("%v: got %v, want %v", c.p, got, c.want)
		}
	}
}

func TestRelativeGain(t *testing.T) {
	if got := RelativeGain(0.5, 0.75); got != 0.5 {
		t.Errorf("gain from 0.5 to 0.75: got %g, want 0.5", got)
	}
	for _, base := range []float64{0, -1, math.NaN()} {
		if got := RelativeGain(base, 1); !math.IsNaN(got) {
			t.Errorf("gain over %g: got %g, want NaN", base, got)
		}
	}
}

var (
	bootBase   = []float64{0.11, 0.02, 0.35, 0.40, 0.07, 0.00, 0.52, 0.18, 0.23, 0.09, 0.61, 0.72, 0.55, 0.90, 0.33, 0.47, 0.81, 0.68}
	bootMethod = []float64{0.15, 0.02, 0.31, 0.66, 0.12, 0.05, 0.58, 0.45, 0.20, 0.10, 0.70, 0.71, 0.80, 0.88, 0.35, 0.69, 0.79, 0.91}
	bootStrata = slices.Concat(slices.Repeat([]string{"x"}, 10), slices.Repeat([]string{"y"}, 8))
)

// R 4.2.2 with boot 1.3-28.1 and 400,000 resamples: o <- boot(d, statistic, R=400000,
// strata=…); boot.ci(o, type="bca", L=empinf(o, type="jack")). The generators differ, so the
// ends agree to within the spread of a quantile of our 40,000 resamples.
func TestBootstrapAgainstR(t *testing.T) {
	for _, c := range []struct {
		name      string
		strata    []string
		value     float64
		low, high float64
	}{
		{"mean", nil, 0.3911111111, 0.2677777778, 0.5216666667},
		{"difference", nil, 0.07944444444, 0.035, 0.1355555556},
		{"gain", nil, 0.203125, 0.0780141844, 0.37},
		{"mean", bootStrata, 0.415375, 0.339, 0.496625},
		{"difference", bootStrata, 0.081, 0.0355, 0.1375},
		{"gain", bootStrata, 0.195004514, 0.07759049238, 0.3448670961},
	} {
		b := Bootstrap{Resamples: 40000, Seed: 1}
		var in *Interval
		var err error
		switch c.name {
		case "mean":
			in, err = b.Mean(bootBase, c.strata)
		case "difference":
			in, err = b.Difference(bootBase, bootMethod, c.strata)
		default:
			in, err = b.RelativeGain(bootBase, bootMethod, c.strata)
		}
		if err != nil {
			t.Fatal(err)
		}
		slack := 0.015 * (c.high - c.low)
		if math.Abs(in.Value-c.value) > 1e-9 || math.Abs(in.Low-c.low) > slack || math.Abs(in.High-c.high) > slack {
			t.Errorf("%s, strata %t: got %.5f in [%.5f, %.5f], want %.5f in [%.5f, %.5f]",
				c.name, c.strata != nil, in.Value, in.Low, in.High, c.value, c.low, c.high)
		}
		if len(in.Warnings) > 0 {
			t.Errorf("%s: got warnings %q, want none", c.name, in.Warnings)
		}
	}
}

// These digits must not change with a Go release or an architecture: published intervals
// are reproduced by their seed.
func TestBootstrapIsFixed(t *testing.T) {
	in, err := Bootstrap{Seed: 42}.Difference(bootBase, bootMethod, bootStrata)
	if err != nil {
		t.Fatal(err)
	}
	got := fmt.Sprintf("%.6f [%.6f, %.6f]", in.Value, in.Low, in.High)
	if want := "0.081000 [0.034750, 0.137241]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	other, _ := Bootstrap{Seed: 43}.Difference(bootBase, bootMethod, bootStrata)
	if other.Low == in.Low && other.High == in.High {
		t.Error("another seed gives the same interval")
	}
}

func TestBootstrapEdges(t *testing.T) {
	for _, c := range []struct {
		name    string
		b       Bootstrap
		values  []float64
		strata  []string
		low     float64
		high    float64
		warning string
	}{
		{"one value", Bootstrap{}, []float64{3}, nil, 3, 3, "one value has no spread"},
		{"constant", Bootstrap{}, []float64{0.1, 0.1, 0.1}, nil, 0.1, 0.1, ""},
		{"lone stratum", Bootstrap{}, []float64{1, 1, 5}, []string{"x", "x", "y"}, 3, 3, `stratum "y" has one value`},
		{"one resample", Bootstrap{Resamples: 1}, []float64{2, 2}, nil, 2, 2, "1 resamples give a rough interval"},
	} {
		in, err := c.b.Mean(c.values, c.strata)
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(in.Low-c.low) > 1e-15 || math.Abs(in.High-c.high) > 1e-15 || !strings.Contains(strings.Join(in.Warnings, "; "), c.warning) {
			t.Errorf("%s: got [%g, %g] with warnings %q", c.name, in.Low, in.High, in.Warnings)
		}
	}
	// A single resample is always on one side of the value.
	in, err := Bootstrap{Resamples: 1, Seed: 3}.Mean([]float64{0, 1, 5}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(strings.Join(in.Warnings, "; "), "too skewed for BCa") {
		t.Errorf("got %+v", in)
	}
}
