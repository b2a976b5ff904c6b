package vec

import (
	"errors"
	"math"
	"testing"
)

// Repack packs what Pack8 does, whatever was packed before, to within one.
func TestRepack8(t *testing.T) {
	rng := random(t)
	var q Queries8
	for _, d := range dimensions() {
		for n := 1; n <= MaxQueries; n++ {
			vs := make([][]float32, n)
			for j := range vs {
				vs[j] = make([]float32, d)
				scale := math.Exp(40 * (rng.Float64() - 0.5))
				for i := range vs[j] {
					vs[j][i] = float32(scale * rng.NormFloat64())
				}
			}
			want, err := Pack8(vs...)
			if err != nil {
				t.Fatal(err)
			}
			if err := q.Repack(vs...); err != nil {
				t.Fatal(err)
			}
			if q.d != want.d || q.n != want.n || len(q.groups) != len(want.groups) {
				t.Fatalf("d=%d, n=%d: packed as %d × %d in %d groups", d, n, q.n, q.d, len(q.groups))
			}
			for k, w := range want.groups {
				g := q.groups[k]
				if g.first != w.first || g.n != w.n || len(g.packed) != len(w.packed) {
					t.Fatalf("d=%d, n=%d: group %d is %d of %d, %d numbers", d, n, k, g.first, g.n, len(g.packed))
				}
				for j := range g.n {
					if math.Abs(float64(g.scale[j]/w.scale[j]-1)) > 1e-6 {
						t.Errorf("d=%d, n=%d: scale %g, want %g", d, n, g.scale[j], w.scale[j])
					}
				}
				for i := range w.packed {
					if difference := int(g.packed[i]) - int(w.packed[i]); difference < -1 || difference > 1 {
						t.Fatalf("d=%d, n=%d, group %d, place %d: %d, want %d", d, n, k, i, g.packed[i], w.packed[i])
					}
				}
			}
		}
	}
}

func TestRepack8Limits(t *testing.T) {
	var q Queries8
	for _, c := range []struct {
		name string
		vs   [][]float32
		want error
	}{
		{"NaN", [][]float32{{1, float32(math.NaN())}}, ErrNotFinite},
		{"infinite", [][]float32{{1, 2}, {float32(math.Inf(-1)), 2}}, ErrNotFinite},
	} {
		if err := q.Repack(c.vs...); !errors.Is(err, c.want) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	for _, vs := range [][][]float32{nil, {{}}, {{1}, {1, 2}}, make([][]float32, 9)} {
		if err := q.Repack(vs...); err == nil {
			t.Errorf("%d vectors are packed", len(vs))
		}
	}
	// The largest, the least and nothing.
	for _, x := range []float32{1e38, math.SmallestNonzeroFloat32, 0} {
		if err := q.Repack([]float32{x, -x}); err != nil {
			t.Fatal(err)
		}
		out := [][]float32{make([]float32, 1)}
		q.Dots(out, []int8{1, 0}, []float32{1})
		if got := out[0][0]; math.Abs(float64(got-x)) > float64(x)*1e-4+1e-37 {
			t.Errorf("%g times 1 is %g", x, got)
		}
	}
}
