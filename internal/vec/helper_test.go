package vec

import (
	"flag"
	"math"
	"math/rand/v2"
	"testing"
	"time"
)

var seedFlag = flag.Uint64("seed", 0, "seed of the random tests; 0 uses the time")

// underRace is set when the race detector slows everything down.
var underRace bool

// random logs its seed; -seed repeats the test.
func random(tb testing.TB) *rand.Rand {
	seed := *seedFlag
	if seed == 0 {
		seed = uint64(time.Now().UnixNano())
	}
	tb.Logf("-seed %d", seed)
	return rand.New(rand.NewPCG(seed, 0))
}

// dimensions returns all short dimensions, to cover the tails, and those of encoders.
func dimensions() (ds []int) {
	for d := 1; d <= 67; d++ {
		ds = append(ds, d)
	}
	return append(ds, 256, 384, 768, 1024, 1536)
}

// guarded is a slice between guard words that no kernel may write. Reading them would spoil
// the result.
type guarded[T comparable] struct {
	v, before, after []T
	word             T
}

const guardWords = 40

func guard[T comparable](n, offset int, word T) guarded[T] {
	all := make([]T, guardWords+offset+n+guardWords)
	for i := range all {
		all[i] = word
	}
	start := guardWords + offset
	return guarded[T]{all[start : start+n : start+n], all[:start], all[start+n:], word}
}

func (g guarded[T]) check(tb testing.TB, what string) {
	tb.Helper()
	for i, w := range g.before {
		if w != g.word {
			tb.Fatalf("%s: wrote %d words before the slice", what, len(g.before)-i)
		}
	}
	for i, w := range g.after {
		if w != g.word {
			tb.Fatalf("%s: wrote %d words past the slice", what, i+1)
		}
	}
}

const floatGuard = math.MaxFloat32

// floats returns a guarded slice of normal deviates, misaligned by offset floats.
func floats(r *rand.Rand, n, offset int) guarded[float32] {
	g := guard[float32](n, offset, floatGuard)
	for i := range g.v {
		g.v[i] = float32(r.NormFloat64())
	}
	return g
}

// columns returns q guarded columns of n rows.
func columns(q, n int) (gs []guarded[float32], out [][]float32) {
	for j := range q {
		g := guard[float32](n, j%3, floatGuard)
		gs, out = append(gs, g), append(out, g.v)
	}
	return gs, out
}

// reference returns the product in float64 and the error bound documented at Dot.
func reference(a, b []float32) (product, bound float64) {
	var magnitude float64
	for i := range a {
		p := float64(a[i]) * float64(b[i])
		product += p
		magnitude += math.Abs(p)
	}
	d := float64(len(a))
	return product, (d/8+6)*0x1p-24*magnitude + d*0x1p-149
}

func sameFloat(a, b float32) bool {
	return math.Float32bits(a) == math.Float32bits(b) || a != a && b != b
}

func mustPanic(t *testing.T, what string, f func()) {
	t.Helper()
	defer func() {
		if recover() == nil {
			t.Errorf("%s: got no panic", what)
		}
	}()
	f()
}
