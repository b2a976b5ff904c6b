package stats

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

func near(a, b, relative float64) bool {
	return a == b || math.Abs(a-b) <= relative*max(math.Abs(a), math.Abs(b))
}

// Three small samples: with a zero and a tie, with two zeros and ties, without either (R's
// own example for wilcox.test); and a large one with all of these.
var (
	baseA   = []float64{125, 115, 130, 140, 140, 115, 140, 125, 140, 135}
	methodA = []float64{110, 122, 125, 120, 140, 124, 123, 137, 135, 145}
	baseB   = []float64{78, 24, 64, 45, 64, 52, 30, 50, 64, 50, 78, 22, 84, 40, 90, 72}
	methodB = []float64{78, 24, 62, 48, 68, 56, 25, 44, 56, 40, 68, 36, 68, 20, 58, 32}
	baseC   = []float64{1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30}
	methodC = []float64{0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29}
	baseL   = []float64{564, 806, 868, 674, 531, 365, 34, 790, 985, 913, 213, 363, 630, 874, 749, 322, 185, 654, 150, 460, 252, 467, 79, 658, 61, 624, 639, 273, 474, 110, 973, 910, 818, 490, 348, 67, 755, 432, 24, 908, 55, 598, 828, 765, 846, 726, 406, 104, 450, 473, 977, 719, 773, 259, 793, 734, 186, 835, 420, 918, 877, 854, 101, 304, 604, 377, 616, 96, 218, 3, 524, 797, 280, 52, 44, 985, 650, 560, 84, 797}
	methodL = []float64{533, 837, 842, 704, 506, 376, 5, 796, 1032, 966, 211, 387, 622, 856, 756, 339, 191, 693, 195, 498, 253, 515, 74, 699, 92, 624, 599, 271, 483, 157, 947, 908, 837, 483, 312, 35, 744, 453, 45, 900, 37, 599, 844, 808, 875, 736, 444, 118, 493, 520, 969, 684, 766, 224, 814, 791, 156, 859, 438, 922, 930, 909, 117, 312, 626, 364, 640, 72, 275, 9, 560, 777, 273, 93, 91, 1000, 631, 548, 83, 853}
)

// The p-values come from other programs (Debian bookworm):
//
//	scipy 1.10.1  scipy.stats.wilcoxon(method, base, mode="approx")
//	R 4.2.2       wilcox.test(method, base, paired=TRUE)
//	coin 1.4-2    pvalue(wilcoxsign_test(method ~ base, distribution="exact", zero.method="Wilcoxon")), exact with ties
func TestWilcoxonAgainstOthers(t *testing.T) {
	for _, c := range []struct {
		name         string
		base, method []float64
		p            float64
		by           string
	}{
		{"A", baseA, methodA, 0.6328125, "coin"},
		{"B", baseB, methodB, 0.0341796875, "coin"},
		{"C", baseC, methodC, 0.0390625, "R"},
		{"L", baseL, methodL, 0.0019433349913253342, "scipy"},
	} {
		r, err := Wilcoxon(c.base, c.method)
		if err != nil {
			t.Fatal(err)
		}
		if !near(r.P, c.p, 1e-12) {
			t.Errorf("%s: got p %.17g by %s, want %.17g by %s", c.name, r.P, r.Method, c.p, c.by)
		}
	}
}

// Signed ranks 1 … n, every k-th negative: wilcox.test(x)$p.value of R 4.2.2 with
// x <- 1:n * ifelse((1:n) %% k == 0, -1, 1).
func TestWilcoxonLarge(t *testing.T) {
	for _, c := range []struct {
		n, k int
		p    float64
	}{
		{48, 3, 0.065278193384657068},
		{49, 10, 1.7828597265179289e-08},
	} {
		method := make([]float64, c.n)
		for i := range method {
			method[i] = float64(i + 1)
			if (i+1)%c.k == 0 {
				method[i] = -method[i]
			}
		}
		r, err := Wilcoxon(make([]float64, c.n), method)
		if err != nil {
			t.Fatal(err)
		}
		if !near(r.P, c.p, 1e-11) {
			t.Errorf("n %d, k %d: got p %.17g by %s, want %.17g", c.n, c.k, r.P, r.Method, c.p)
		}
	}
}

// The recurrence must agree with counting all assignments of signs.
func TestWilcoxonBruteForce(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		n := 1 + random.IntN(11)
		base, method := make([]float64, n), make([]float64, n)
		for i := range method {
			method[i] = float64(random.IntN(9) - 4)
		}
		r, err := Wilcoxon(base, method)
		if err != nil {
			t.Fatal(err)
		}
		if want := bruteForce(method); !near(r.P, want, 1e-14) {
			t.Fatalf("%v: got p %g, want %g", method, r.P, want)
		}
	}
}

func bruteForce(d []float64) float64 {
	rank := func(d []float64, i int) float64 {
		below, same := 0, 0
		for _, v := range d {
			switch {
			case math.Abs(v) < math.Abs(d[i]):
				below++
			case math.Abs(v) == math.Abs(d[i]):
				same++
			}
		}
		return float64(below) + float64(same+1)/2
	}
	d = slices.DeleteFunc(slices.Clone(d), func(v float64) bool { return v == 0 })
	var ranks []float64
	plus := 0.0
	for i, v := range d {
		ranks = append(ranks, rank(d, i))
		if v > 0 {
			plus += rank(d, i)
		}
	}
	below, above := 0, 0
	for signs := range 1 << len(ranks) {
		sum := 0.0
		for i, r := range ranks {
			if signs>>i&1 == 1 {
				sum += r
			}
		}
		if sum >= plus {
			above++
		}
		if sum <= plus {
			below++
		}
	}
	return min(1, 2*float64(min(below, above))/float64(int(1)<<len(ranks)))
}

func TestWilcoxonReports(t *testing.T) {
	r, err := Wilcoxon(baseB, methodB)
	if err != nil {
		t.Fatal(err)
	}
	// Differences: 0 0 −2 3 4 4 −5 −6 −8 −10 −10 14 −16 −20 −32 −40.
	if r.N != 14 || r.Zeros != 2 || r.Ties != 4 || r.Plus != 19 || r.Minus != 86 {
		t.Errorf("got %+v", r)
	}
	if want := (19. - 86) / 105; r.RankBiserial != want {
		t.Errorf("got effect size %g, want %g", r.RankBiserial, want)
	}
	if want := "exact distribution given the ties"; r.Method != want {
		t.Errorf("got method %q, want %q", r.Method, want)
	}
	for _, c := range []struct {
		name    string
		method  []float64
		warning string
		p       float64
	}{
		{"all equal", []float64{0, 0, 0}, "no pair differs", 1},
		{"few", []float64{1, 2, 3, 4}, "with 4 differences p cannot be below 0.125", 0.125},
		{"mostly equal", []float64{1, 2, 3, 4, 5, 6, 0, 0, 0, 0, 0, 0, 0}, "7 of 13 pairs do not differ", 0.03125},
	} {
		r, err := Wilcoxon(make([]float64, len(c.method)), c.method)
		if err != nil {
			t.Fatal(err)
		}
		if r.P != c.p || !strings.Contains(strings.Join(r.Warnings, "; "), c.warning) {
			t.Errorf("%s: got p %g with warnings %q", c.name, r.P, r.Warnings)
		}
	}
}

func TestRefused(t *testing.T) {
	nan := []float64{1, math.NaN()}
	for want, err := range map[string]error{
		"got 1 values for the base and 2":       second(Wilcoxon([]float64{1}, []float64{1, 2})),
		"there are no values":                   second(Wilcoxon(nil, nil)),
		"value 1 is not a finite number":        second(Wilcoxon([]float64{1, 2}, nan)),
		"value 2 is 1.5, which is not a p":      second(Holm([]float64{0, 1, 1.5})),
		"value 0 is NaN, which is not a p":      second(Holm([]float64{math.NaN()})),
		"3 values and 1 strata":                 second(Bootstrap{}.Mean([]float64{1, 2, 3}, []string{"x"})),
		"cannot draw -1 resamples":              second(Bootstrap{Resamples: -1}.Mean([]float64{1, 2, 3}, nil)),
		"a gain over 0 has no value":            second(Bootstrap{}.RelativeGain([]float64{0, 0, 1}, []float64{1, 2, 3}, nil)),
		"resampling a mean: value 1 is not":     second(Bootstrap{}.Mean(nan, nil)),
		"resampling a difference: got 2 values": second(Bootstrap{}.Difference(nan, nil, nil)),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got error %v, want one containing %q", err, want)
		}
	}
}

func second[T any](_ T, err error) error { return err }
