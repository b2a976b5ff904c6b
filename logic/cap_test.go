package logic

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/nsfl-go/nsfl/query"
)

// The cap of a gate goes beyond the paper.

// cappedOptions returns random options with a cap.
func cappedOptions(r *rand.Rand) Options {
	o := randomOptions(r)
	if r.IntN(2) == 0 {
		o.GateCap = 0.05 + 0.95*r.Float64()
	}
	return o
}

// TestRandomCaps: any formula agrees with the naive implementation. The two divide in
// different orders, hence the tolerance.
func TestRandomCaps(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 41))
	capped := 0
	for range 800 {
		o := cappedOptions(r)
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
		if len(p.gates) > 0 && o.GateCap != 0 {
			capped++
		}
	}
	if capped < 100 {
		t.Errorf("%d formulas were capped: the test proves too little", capped)
	}
}

// TestNeutralCap: a cap of 1 has no effect, bit for bit.
func TestNeutralCap(t *testing.T) {
	r := rand.New(rand.NewPCG(42, 42))
	for range 300 {
		o := randomOptions(r)
		neutral := o
		if o.Gate.Kind != ByBound { // a score above the bound makes a gate above 1
			neutral.GateCap = 1
		}
		f, err := query.Normalize(randomFormula(r, 3))
		if err != nil {
			t.Fatal(err)
		}
		p, _ := Compile(f, o)
		q, _ := Compile(f, neutral)
		columns, _ := randomPool(r, f, 30)
		if !slices.Equal(rank(t, p, columns), rank(t, q, columns)) {
			t.Fatalf("%s with %+v: a cap of 1 changes the scores", f.Root, o)
		}
	}
}

func TestGateOf(t *testing.T) {
	for _, c := range []struct {
		o               Options
		similarity, top float64
		want            float64
	}{
		{Options{}, 0.3, 0.6, 0.5},
		{Options{GateCap: 0.4}, 0.3, 0.6, 0.4},
		{Options{GateCap: 0.6}, 0.3, 0.6, 0.5},
		{Options{Gate: Gate{Kind: Ungated}}, 0.3, 0.6, 1},
		{Options{Gate: Gate{Kind: Ungated}, GateCap: 0.7}, 0.3, 0.6, 0.7},
		{Options{GateCap: 0.4}, -0.3, 0.6, 0},
		{Options{}, 0.3, 0, 0},
	} {
		got := 1.0
		if c.o.Gate.Kind != Ungated {
			got = NewGate(c.similarity, c.top)
		}
		if got, _ = c.o.capped(got); math.Abs(got-c.want) > 1e-8 {
			t.Errorf("%+v of %v, top %v: %v, want %v", c.o, c.similarity, c.top, got, c.want)
		}
	}
}

// TestCapBoundsPenalty: no negated part subtracts more than the cap allows, except in a
// departure.
func TestCapBoundsPenalty(t *testing.T) {
	r := rand.New(rand.NewPCG(43, 43))
	const limit = 0.3
	p := compile(t, "A AND B AND NOT C", Options{GateCap: limit})
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

func near(a, b []float32, tolerance float64) bool {
	return slices.EqualFunc(a, b, func(x, y float32) bool { return math.Abs(float64(x-y)) <= tolerance })
}
