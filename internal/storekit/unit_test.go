package storekit

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/nsfl-go/nsfl/internal/vec"
)

// A vector that was scaled once is not changed again.
func TestUnit(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	changes := 0
	for _, dim := range []int{1, 2, 3, 4, 8, 16, 384} {
		for range 2000 {
			v := make([]float32, dim)
			for i := range v {
				v[i] = float32(r.NormFloat64() * math.Pow(10, float64(r.IntN(5))))
			}
			if err := Unit(v); err != nil {
				t.Fatal(err)
			}
			if n := vec.Norm(v); math.Abs(n-1) > 1e-7 {
				t.Fatalf("the length is %.9f", n)
			}
			again, plain := slices.Clone(v), slices.Clone(v)
			if err := errors.Join(Unit(again), vec.Normalize(plain)); err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(again, v) {
				t.Errorf("%v becomes %v", v, again)
			}
			if !slices.Equal(plain, v) {
				changes++
			}
		}
	}
	if changes == 0 {
		t.Error("scaling twice never changes anything: there is no need for Unit")
	}
	for _, v := range [][]float32{{0, 0}, {float32(math.NaN()), 1}, {float32(math.Inf(1)), 1}} {
		if Unit(v) == nil {
			t.Errorf("%v has no direction", v)
		}
	}
}
