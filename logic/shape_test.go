package logic

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/nsfl-go/nsfl/query"
)

// What goes beyond the paper's choices: the shape of a gate, and scaling.

// shapedOptions are any options with Deltas.
func shapedOptions(r *rand.Rand) Options {
	o := randomOptions(r)
	if r.IntN(2) == 0 {
		o.Gate.Power = []float64{0.5, 1, 2, 3.7}[r.IntN(4)]
	}
	if r.IntN(2) == 0 {
		o.Gate.Cap = 0.05 + 0.95*r.Float64()
	}
	o.Scaling = Scaling(r.IntN(2))
	return o
}

// Any formula agrees with the naive implementation. The two divide in another
// order, hence the tolerance.
func TestRandomShapes(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 41))
	scaled, capped := 0, 0
	for range 800 {
		o := shapedOptions(r)
		f, err := query.Normalize(randomFormula(r, 2))
		if err != nil {
			t.Fatal(err)
		}
		p, err := Compile(f, o)
		if err != nil {
			t.Fatal(err)
		}
		columns, docs := randomPool(r, f, 1+r.IntN(14))
		scores := rank(t, p, columns)
		reference := naive{o, docs}
		for i, d := range docs {
			want := reference.score(f.Root, d)
			if math.Abs(float64(scores[i])-want) > 1e-6*(1+math.Abs(want)) {
				t.Fatalf("%s with %+v: document %d scores %v, want %v", f.Root, o, i, scores[i], want)
			}
		}
		if p.counts[ofTop] > 0 {
			scaled++
		}
		if p.counts[ofMaximum] > 0 && o.Gate.Cap != 0 {
			capped++
		}
	}
	if scaled < 100 || capped < 100 {
		t.Errorf("%d formulas were scaled and %d capped: the test proves too little", scaled, capped)
	}
}

// A power and a cap of 1 are none, to the bit.
func TestNeutralShape(t *testing.T) {
	r := rand.New(rand.NewPCG(42, 42))
	for range 300 {
		o := randomOptions(r)
		neutral := o
		neutral.Gate.Power = 1
		if o.Gate.Kind != ByBound { // a score above the bound makes a gate above 1
			neutral.Gate.Cap = 1
		}
		f, err := query.Normalize(randomFormula(r, 3))
		if err != nil {
			t.Fatal(err)
		}
		p, _ := Compile(f, o)
		q, _ := Compile(f, neutral)
		columns, _ := randomPool(r, f, 30)
		if !slices.Equal(rank(t, p, columns), rank(t, q, columns)) {
			t.Fatalf("%s with %+v: a power and a cap of 1 change the scores", f.Root, o)
		}
	}
}

func TestGateOf(t *testing.T) {
	for _, c := range []struct {
		gate            Gate
		similarity, top float64
		want            float64
	}{
		{Gate{}, 0.3, 0.6, 0.5},
		{Gate{Power: 2}, 0.3, 0.6, 0.25},
		{Gate{Power: 0.5}, 0.15, 0.6, 0.5},
		{Gate{Cap: 0.4}, 0.3, 0.6, 0.4},
		{Gate{Cap: 0.6}, 0.3, 0.6, 0.5},
		{Gate{Power: 2, Cap: 0.2}, 0.3, 0.6, 0.2},
		{Gate{Kind: Ungated}, 0.3, 0.6, 1},
		{Gate{Kind: Ungated, Cap: 0.7}, 0.3, 0.6, 0.7},
		{Gate{Power: 2}, -0.3, 0.6, 0},
		{Gate{Power: 2}, 0.3, 0, 0},
	} {
		if got := c.gate.Of(c.similarity, c.top); math.Abs(got-c.want) > 1e-8 {
			t.Errorf("%+v of %v, top %v: %v, want %v", c.gate, c.similarity, c.top, got, c.want)
		}
	}
}

// No negated part takes away more than the share that the cap allows, where no
// departure does.
func TestCapBoundsPenalty(t *testing.T) {
	r := rand.New(rand.NewPCG(43, 43))
	const limit = 0.3
	p := compile(t, "A AND B AND NOT C", Options{Gate: Gate{Cap: limit}})
	q := compile(t, "A AND B AND NOT C", Options{Gate: Gate{Kind: Ungated}})
	base := compile(t, "A AND B", Options{})
	columns, _ := randomPool(r, p.Formula(), 500)
	capped, full := rank(t, p, columns), rank(t, q, columns)
	plain := rank(t, base, [][]float32{columns[0], columns[1], columns[3]})
	for i := range capped {
		taken, all := math.Abs(float64(plain[i]-capped[i])), math.Abs(float64(plain[i]-full[i]))
		if taken > limit*all+1e-6 {
			t.Fatalf("document %d: %v of %v was taken, more than a share of %v", i, taken, all, limit)
		}
	}
}

// A column times a constant is another height of an atom, and changes nothing.
func TestScalingIgnoresHeights(t *testing.T) {
	r := rand.New(rand.NewPCG(44, 44))
	for _, c := range []struct {
		formula string
		terms   []int // that may be at any height
	}{
		{"A AND B", []int{0, 1}},
		{"A AND B AND C", []int{0, 1, 2}},
		{"A AND B AND NOT C", []int{0, 1, 2, 4}},
		{"A AND (B^2 OR C)", []int{0}},
	} {
		p := compile(t, c.formula, Options{Scaling: ByTop})
		plain := compile(t, c.formula, Options{})
		for range 20 {
			columns, _ := randomPool(r, p.Formula(), 200)
			before, beforePlain := rank(t, p, columns), rank(t, plain, columns)
			for _, term := range c.terms {
				columns[term] = times(columns[term], 0.1+r.Float32())
			}
			if after := rank(t, p, columns); !near(before, after, 1e-5) {
				t.Fatalf("%s: other heights, other scores", c.formula)
			}
			if near(beforePlain, rank(t, plain, columns), 1e-5) {
				t.Fatalf("%s: unscaled scores do not depend on heights either: the test proves nothing", c.formula)
			}
			// The fusion's own height is that of the scores.
			if fused := p.Formula().Terms.Len() - 1; c.formula == "A AND B" {
				columns[fused] = times(columns[fused], 0.5)
				if after := rank(t, p, columns); !near(times(before, 0.5), after, 1e-5) {
					t.Fatalf("%s: scores are not on the scale of the fusion", c.formula)
				}
			}
		}
	}
}

// What ByTop leaves alone has the same bits.
func TestUnscaledFormulas(t *testing.T) {
	r := rand.New(rand.NewPCG(45, 45))
	for _, text := range []string{"A", "A OR B", "A AND NOT B", "A AND NOT B AND NOT C", "NOT A", "(A AND NOT B) OR C"} {
		p, q := compile(t, text, Options{}), compile(t, text, Options{Scaling: ByTop})
		columns, _ := randomPool(r, p.Formula(), 300)
		if !slices.Equal(rank(t, p, columns), rank(t, q, columns)) {
			t.Errorf("%s is scaled", text)
		}
	}
}

// The statistics do not depend on the order of documents or on blocks.
func TestTopTen(t *testing.T) {
	r := rand.New(rand.NewPCG(46, 46))
	for range 300 {
		values := make([]float64, r.IntN(40))
		for i := range values {
			values[i] = float64(r.IntN(20))/8 - 1
			if r.IntN(2) == 0 {
				values[i] = r.Float64()
			}
		}
		var got topTen
		for rest := values; len(rest) > 0; {
			n := 1 + r.IntN(len(rest))
			got.add(rest[:n])
			rest = rest[n:]
		}
		sorted := slices.Sorted(slices.Values(values))
		sorted = sorted[max(0, len(sorted)-10):]
		if !slices.Equal(got.values[:got.n], sorted) {
			t.Fatalf("the ten largest of %v are %v", values, got.values[:got.n])
		}
		var sum float64
		for _, v := range sorted {
			sum += v
		}
		if want := sum / max(1, float64(len(sorted))); got.mean() != want {
			t.Fatalf("mean of %v is %v, want %v", sorted, got.mean(), want)
		}
	}
}

func times(column []float32, c float32) []float32 {
	out := slices.Clone(column)
	for i := range out {
		out[i] *= c
	}
	return out
}

func near(a, b []float32, tolerance float64) bool {
	return slices.EqualFunc(a, b, func(x, y float32) bool { return math.Abs(float64(x-y)) <= tolerance })
}
