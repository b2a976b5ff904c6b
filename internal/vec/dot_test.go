package vec

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"
)

func TestDot(t *testing.T) {
	r := random(t)
	for _, d := range append([]int{0}, dimensions()...) {
		for offset := range 4 {
			a, b := floats(r, d, offset), floats(r, d, 3-offset)
			want, bound := reference(a.v, b.v)
			if got := Dot(a.v, b.v); math.Abs(float64(got)-want) > bound {
				t.Errorf("d=%d: Dot = %v, want %v ± %g", d, got, want, bound)
			}
			if got := dotStrided(a.v, b.v, lanes); math.Abs(float64(got)-want) > bound {
				t.Errorf("d=%d: dotGo = %v, want %v ± %g", d, got, want, bound)
			}
		}
	}
	mustPanic(t, "dimensions differ", func() { Dot(make([]float32, 3), make([]float32, 4)) })
}

func TestDot64(t *testing.T) {
	r := random(t)
	for _, d := range append([]int{0}, dimensions()...) {
		for offset := range 4 {
			a, b := floats(r, d, offset), floats(r, d, 3-offset)
			want, bound := reference(a.v, b.v)
			bound *= 0x1p-26 // from 2⁻²⁴·d/8 to well below 2⁻⁵³·d
			if got := Dot64(a.v, b.v); math.Abs(got-want) > bound {
				t.Errorf("d=%d: Dot64 = %v, want %v ± %g", d, got, want, bound)
			}
		}
	}
	if got := Dot64([]float32{float32(math.NaN())}, []float32{0}); !math.IsNaN(got) {
		t.Errorf("NaN times 0: got %v, want NaN", got)
	}
	mustPanic(t, "dimensions differ", func() { Dot64(make([]float32, 3), make([]float32, 4)) })
}

// Every kernel agrees with the Go version on NaN and infinities, at any position.
func TestNotFinite(t *testing.T) {
	inf, nan := float32(math.Inf(1)), float32(math.NaN())
	for _, d := range []int{1, 5, 8, 9, 16, 23, 40, 67} {
		for at := range d {
			for _, special := range [][]float32{{nan}, {inf}, {-inf}, {inf, -inf}, {0, inf}} {
				a, b := make([]float32, d), make([]float32, d)
				for i := range a {
					a[i], b[i] = 1, 2
				}
				a[at] = special[0]
				if len(special) > 1 {
					b[(at+1)%d] = special[1]
				}
				want := dotStrided(a, b, lanes)
				if got := Dot(a, b); !sameFloat(got, want) {
					t.Fatalf("d=%d, %v at %d: Dot = %v, want %v as in Go", d, special, at, got, want)
				}
				rows := slices.Concat(a, b, a)
				for q := 1; q <= MaxQueries; q++ {
					vs := make([][]float32, q)
					for j := range vs {
						vs[j] = b
					}
					p, err := Pack(vs...)
					if err != nil {
						t.Fatal(err)
					}
					_, out := columns(q, 3)
					p.Dots(out, rows)
					for j := range out {
						if !sameFloat(out[j][0], want) || !sameFloat(out[j][2], want) {
							t.Fatalf("d=%d, %v at %d, q=%d: Dots = %v, want %v as in Go", d, special, at, q, out[j], want)
						}
					}
				}
			}
		}
	}
}

func TestNormalize(t *testing.T) {
	inf, nan := float32(math.Inf(1)), float32(math.NaN())
	for _, c := range []struct {
		v    []float32
		want error
	}{
		{[]float32{3, 4}, nil},
		{[]float32{math.MaxFloat32, math.MaxFloat32, math.MaxFloat32}, nil},
		{[]float32{math.SmallestNonzeroFloat32, 0}, nil},
		{[]float32{1e-30, -1e-30}, nil},
		{nil, ErrZero},
		{[]float32{0, 0}, ErrZero},
		{[]float32{1, nan}, ErrNotFinite},
		{[]float32{1, -inf}, ErrNotFinite},
		{[]float32{inf, nan}, ErrNotFinite},
	} {
		v := slices.Clone(c.v)
		err := Normalize(v)
		if !errors.Is(err, c.want) {
			t.Errorf("Normalize(%v): got error %v, want %v", c.v, err, c.want)
		}
		if err == nil && math.Abs(Norm(v)-1) > 1e-6 {
			t.Errorf("Normalize(%v): got length %v, want 1", c.v, Norm(v))
		}
		if err != nil && fmt.Sprint(v) != fmt.Sprint(c.v) {
			t.Errorf("Normalize(%v) failed but changed the vector to %v", c.v, v)
		}
	}
}

// AddScaled rounds each product and each sum, and writes nothing outside its slice.
func TestAddScaled(t *testing.T) {
	r := random(t)
	for _, d := range append([]int{0}, dimensions()...) {
		for offset := range 4 {
			dst, src := floats(r, d, offset), floats(r, d, 3-offset)
			want := slices.Clone(dst.v)
			for i, x := range src.v {
				product := x * 0.3
				want[i] += product
			}
			AddScaled(dst.v, src.v, 0.3)
			if !slices.Equal(dst.v, want) {
				t.Errorf("d=%d: got %v, want %v", d, dst.v, want)
			}
			dst.check(t, "AddScaled")
		}
	}
	mustPanic(t, "dimensions differ", func() { AddScaled(make([]float32, 3), make([]float32, 2), 1) })
}
