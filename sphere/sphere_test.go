package sphere_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl/logic"
	"github.com/nsfl-go/nsfl/query"
	"github.com/nsfl-go/nsfl/sphere"
)

// value returns f at a vector of any length, in double precision.
func value(in instance, v []float32) float64 {
	var norm float64
	for _, x := range v {
		norm += float64(x) * float64(x)
	}
	cosines := make([]float64, len(in.vectors))
	for j, u := range in.vectors {
		for i, x := range u {
			cosines[j] += float64(x) * float64(v[i])
		}
		cosines[j] /= math.Sqrt(norm)
	}
	return in.objective.Value(cosines, nil)
}

// In three dimensions, a fine grid over the whole sphere finds nothing better.
func TestExactAgainstGrid(t *testing.T) {
	rings := 400
	if testing.Short() {
		rings = 100
	}
	var grid [][]float32
	for i := range rings {
		theta := math.Pi * (float64(i) + 0.5) / float64(rings)
		around := max(1, int(2*float64(rings)*math.Sin(theta)))
		for j := range around {
			phi := 2 * math.Pi * float64(j) / float64(around)
			grid = append(grid, []float32{float32(math.Sin(theta) * math.Cos(phi)), float32(math.Sin(theta) * math.Sin(phi)), float32(math.Cos(theta))})
		}
	}
	r := rand.New(rand.NewPCG(5, 5))
	for _, formula := range append(templates, nested...) {
		for i := range 6 {
			in := independent(t, formula, 3, r)
			if i%2 == 0 {
				in = correlated(t, formula, 3, r)
			}
			got, err := sphere.Exact(in.objective, in.vectors)
			if err != nil {
				t.Fatalf("%s: got error %v", formula, err)
			}
			best := math.Inf(-1)
			for _, x := range grid {
				best = max(best, value(in, x))
			}
			// A grid point lies within 1.6/rings of the maximum; f changes by
			// no more than about ten times that.
			if got.Value < best-1e-6 || got.Value > best+16/float64(rings) {
				t.Errorf("%s: exact (%s) got %.6f, the grid %.6f", formula, got.Method, got.Value, best)
			}
		}
	}
}

// The reported value is the value at the vector, the vector has unit length, and repeated
// calls return the same bits.
func TestExactResult(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 6))
	for _, formula := range append(templates, nested...) {
		for range 20 {
			in := correlated(t, formula, 384, r)
			got, err := sphere.Exact(in.objective, in.vectors)
			if err != nil {
				t.Fatalf("%s: got error %v", formula, err)
			}
			var norm float64
			for _, x := range got.Vector {
				norm += float64(x) * float64(x)
			}
			if math.Abs(norm-1) > 1e-5 {
				t.Errorf("%s: got squared length %v, want 1", formula, norm)
			}
			if v := value(in, got.Vector); math.Abs(v-got.Value) > 1e-5 {
				t.Errorf("%s: got reported value %v, but the actual value is %v", formula, got.Value, v)
			}
			again, _ := sphere.Exact(in.objective, in.vectors)
			if !slices.Equal(got.Vector, again.Vector) {
				t.Errorf("%s: two calls differ", formula)
			}
		}
	}
}

// Without a gate, A AND NOT B has the closed form norm(2A − AB).
func TestUngatedNot(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	in := correlated(t, "A AND NOT B", 64, r)
	f, objective := compile(t, "A AND NOT B", logic.Options{Gate: logic.Gate{Kind: logic.Ungated}})
	a, ab := in.vectors[0], in.vectors[f.Terms.Index(&query.And{Parts: []query.Node{&query.Atom{Text: "A"}, &query.Atom{Text: "B"}}})]
	want := make([]float64, len(a))
	for i := range want {
		want[i] = 2*float64(a[i]) - float64(ab[i])
	}
	got, err := sphere.Exact(objective, in.vectors)
	if err != nil {
		t.Fatal(err)
	}
	for i, w := range unit(want) {
		if math.Abs(float64(got.Vector[i]-w)) > 1e-6 {
			t.Fatalf("component %d: got %v, want %v", i, got.Vector[i], w)
		}
	}
}

// Degenerate geometry: equal and opposite vectors, parallel products, more pieces than are
// enumerated. Exact is never worse than RSGD.
func TestDegenerate(t *testing.T) {
	e := func(i int) []float32 { v := make([]float32, 8); v[i] = 1; return v }
	minus := func(v []float32) []float32 {
		out := make([]float32, len(v))
		for i := range v {
			out[i] = -v[i]
		}
		return out
	}
	near := unit([]float64{1, 1e-4, 0, 0, 0, 0, 0, 0})
	for name, c := range map[string]struct {
		formula string
		vectors [][]float32
	}{
		"all equal":           {"A AND B", [][]float32{e(0), e(0), e(0)}},
		"opposite atoms":      {"A AND B", [][]float32{e(0), minus(e(0)), e(1)}},
		"fusion equals atom":  {"A AND NOT B", [][]float32{e(0), e(1), e(0), e(2)}},
		"fusion equals other": {"A AND NOT B", [][]float32{e(0), e(1), e(1), e(2)}},
		"everything equal":    {"A AND NOT B", [][]float32{e(0), e(0), e(0), e(0)}},
		"nearly equal":        {"A AND NOT B", [][]float32{e(0), near, e(0), e(0)}},
		"B opposes A":         {"A AND NOT B", [][]float32{e(0), minus(e(0)), e(1), e(2)}},
		"orthogonal":          {"A AND B AND NOT C", [][]float32{e(0), e(1), e(2), e(3), e(4), e(5)}},
		"C equals its delta":  {"A AND B AND NOT C", [][]float32{e(0), e(1), e(2), e(3), e(2), e(5)}},
		"origin in the hull":  {"NOT A AND NOT B", [][]float32{e(0), minus(e(0)), e(1)}},
		"origin inside":       {"NOT A AND NOT B AND NOT C", [][]float32{e(0), unit([]float64{-1, 2, 0, 0, 0, 0, 0, 0}), unit([]float64{-1, -2, 0, 0, 0, 0, 0, 0}), e(3)}},
	} {
		_, objective := compile(t, c.formula, logic.Options{})
		in := instance{objective, c.vectors}
		got, err := sphere.Exact(objective, c.vectors)
		if err != nil {
			t.Errorf("%s: got error %v", name, err)
			continue
		}
		for seed := range uint64(20) {
			r, err := sphere.RSGD(objective, c.vectors, seed)
			if err != nil {
				t.Fatal(err)
			}
			if v := value(in, r.Vector); v > value(in, got.Vector)+1e-6 {
				t.Errorf("%s: got %.7f by exact, %.7f by rsgd", name, value(in, got.Vector), v)
			}
		}
	}
}

// Exact handles vectors that are not unit vectors.
func TestVectorsOfAnyLength(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 8))
	for _, formula := range []string{"A AND B", "A AND B AND NOT C", "A OR B"} {
		in := correlated(t, formula, 64, r)
		for j := range in.vectors {
			for i := range in.vectors[j] {
				in.vectors[j][i] *= float32(1 + 0.3*float64(j))
			}
		}
		got, err := sphere.Exact(in.objective, in.vectors)
		if err != nil {
			t.Fatal(err)
		}
		best := math.Inf(-1)
		for seed := range uint64(20) {
			run, _ := sphere.RSGD(in.objective, in.vectors, seed)
			best = max(best, value(in, run.Vector))
		}
		if v := value(in, got.Vector); formula != "A OR B" && v < best-1e-6 {
			t.Errorf("%s: got %v by exact, %v by rsgd", formula, v, best)
		}
	}
}

// Exact handles the largest formulas that the language allows.
func TestLargeFormulas(t *testing.T) {
	deep, long := "z", "z"
	for i := range 20 {
		deep = fmt.Sprintf("(a%d OR b%d) AND c%d AND NOT (%s)", i, i, i, deep)
	}
	for i := range 62 {
		long += fmt.Sprintf(" AND a%d", i)
	}
	r := rand.New(rand.NewPCG(9, 9))
	for _, formula := range []string{deep, long, long + " AND NOT b"} {
		in := correlated(t, formula, 64, r)
		got, err := sphere.Exact(in.objective, in.vectors)
		if err != nil {
			t.Fatal(err)
		}
		run, err := sphere.RSGD(in.objective, in.vectors, 0)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%d terms, %s after %d evaluations: %.4f, rsgd %.4f", len(in.vectors), got.Method, got.Steps, value(in, got.Vector), value(in, run.Vector))
		if value(in, got.Vector) < value(in, run.Vector)-1e-6 {
			t.Errorf("%.40s…: exact is worse than rsgd", formula)
		}
	}
}

func TestErrors(t *testing.T) {
	_, objective := compile(t, "A AND B", logic.Options{})
	for name, c := range map[string]struct {
		vectors [][]float32
		want    string
	}{
		"too few":    {[][]float32{{1, 0}}, "3 terms in the formula, but 1 vectors"},
		"uneven":     {[][]float32{{1, 0}, {1, 0}, {1}}, "vector 2 has dimension 1"},
		"empty":      {[][]float32{{}, {}, {}}, "no vectors"},
		"zero":       {[][]float32{{0, 0}, {0, 0}, {0, 0}}, "cancel out"},
		"not finite": {[][]float32{{float32(math.NaN()), 0}, {1, 0}, {1, 0}}, "cancel out"},
	} {
		if _, err := sphere.Exact(objective, c.vectors); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got error %v, want %q", name, err, c.want)
		}
	}
}

func TestGeometric(t *testing.T) {
	x, y, z := []float32{1, 0, 0}, []float32{0, 1, 0}, []float32{0, 0, 1}
	mono := []float32{0, 0.6, 0.8}
	h := float32(math.Sqrt(0.5))
	xy := []float32{h, h, 0}
	for _, c := range []struct {
		formula string
		vectors [][]float32
		want    []float32
	}{
		{"A", [][]float32{x}, x},
		{"A AND B", [][]float32{x, y, mono}, xy},
		{"A AND NOT B", [][]float32{xy, y, mono, mono}, x},
		{"A AND B AND NOT C", [][]float32{x, y, x, mono, mono, mono}, y},
		{"A AND NOT B AND NOT C", [][]float32{unit([]float64{1, 1, 1}), y, unit([]float64{0, 1, 1}), mono, mono, mono}, x},
		{"A OR B", [][]float32{x, y, mono}, mono},
		{"(A OR B) AND C", [][]float32{x, y, y, x, mono, mono, mono}, xy},
		{"NOT A", [][]float32{z, mono}, []float32{0, 0, -1}},
		{"NOT A AND NOT B", [][]float32{x, y, mono}, []float32{-h, -h, 0}},
	} {
		f, _ := compile(t, c.formula, logic.Options{})
		got, err := sphere.Geometric(f, c.vectors)
		if err != nil {
			t.Errorf("%s: got error %v", c.formula, err)
			continue
		}
		for i := range got {
			if math.Abs(float64(got[i]-c.want[i])) > 1e-6 {
				t.Errorf("%s: got %v, want %v", c.formula, got, c.want)
				break
			}
		}
	}
	if _, err := sphere.Remove(x, x); !errors.Is(err, sphere.ErrNoDirection) {
		t.Errorf("removing x from x: got error %v", err)
	}
	if _, err := sphere.Sum(x, []float32{-1, 0, 0}); !errors.Is(err, sphere.ErrNoDirection) {
		t.Errorf("x plus its opposite: got error %v", err)
	}
	if _, err := sphere.Sum(x, []float32{1}); err == nil {
		t.Error("different dimensions: got no error")
	}
}
