package remote

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/nsfl-go/nsfl/internal/vec"
)

// What is told from products and distances is within the slack of the cosine.
func TestLengths(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	random := func(length float64) []float32 {
		v := make([]float32, 8)
		for i := range v {
			v[i] = float32(r.NormFloat64())
		}
		if err := vec.Normalize(v); err != nil {
			t.Fatal(err)
		}
		for i := range v {
			v[i] *= float32(length)
		}
		return v
	}
	for _, off := range []float64{0, 1e-5, 5e-4, 0.2} {
		var l Lengths
		var stored, asked [][]float32
		for range 200 {
			stored, asked = append(stored, random(1+off*(2*r.Float64()-1))), append(asked, random(1))
		}
		products, distances := make([]float64, len(stored)), make([]float64, len(stored))
		for i, v := range stored {
			products[i] = vec.Dot64(v, asked[i])
			distances[i] = vec.Dot64(v, v) + vec.Dot64(asked[i], asked[i]) - 2*products[i]
			l.Unit(v)
		}
		slack, ok := l.Slack()
		if ok != (off < 1e-3) {
			t.Errorf("%g: alike %t, slack %g", off, ok, slack)
		}
		for i, v := range stored {
			c := vec.Dot64(v, asked[i])
			if math.Abs(products[i]-c) > slack || math.Abs(1-distances[i]/2-c) > slack {
				t.Errorf("%g: a cosine of %g is told as %g and %g, slack %g", off, c, products[i], 1-distances[i]/2, slack)
			}
		}
		if slack > 2*off+off*off+2e-6 {
			t.Errorf("%g: a slack of %g", off, slack)
		}
	}
	var l Lengths
	if l.Unit(make([]float32, 3)) != nil || l.Unit([]float32{float32(math.NaN()), 1}) != nil {
		t.Error("what has no direction has one")
	}
	if _, ok := l.Slack(); !ok {
		t.Error("what is not searched counts")
	}
}
