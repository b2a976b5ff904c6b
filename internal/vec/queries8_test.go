package vec

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"
)

func TestQuantize8(t *testing.T) {
	r := random(t)
	for _, d := range dimensions() {
		v := floats(r, d, 1)
		code := guard[int8](d, 1, 0x5a)
		scale := Quantize8(code.v, v.v)
		code.check(t, "Quantize8")
		for i, x := range v.v {
			if e := math.Abs(float64(x) - float64(scale)*float64(code.v[i])); e > 0.501*float64(scale) {
				t.Fatalf("d=%d: %v became %d·%v", d, x, code.v[i], scale)
			}
		}
	}
	inf, nan := float32(math.Inf(1)), float32(math.NaN())
	code := make([]int8, 2)
	for _, c := range []struct {
		v     []float32
		scale float32
		code  [2]int8
	}{
		{[]float32{0, 0}, 0, [2]int8{}},
		{[]float32{-127, 1}, 1, [2]int8{-127, 1}},
		{[]float32{1, nan}, nan, [2]int8{}},
		{[]float32{nan, 1}, nan, [2]int8{}},
		{[]float32{-inf, 1}, nan, [2]int8{}},
		{[]float32{math.SmallestNonzeroFloat32, 0}, 0, [2]int8{}},
	} {
		if scale := Quantize8(code, c.v); !sameFloat(scale, c.scale) || [2]int8(code) != c.code {
			t.Errorf("Quantize8(%v) = %v, %v; want %v, %v", c.v, code, scale, c.code, c.scale)
		}
	}
	mustPanic(t, "lengths differ", func() { Quantize8(code, make([]float32, 3)) })
}

// codes8 returns guarded rows of arbitrary bytes, including -128.
func codes8(r *rand.Rand, n, offset int) guarded[int8] {
	g := guard[int8](n, offset, 0x5a)
	for i := range g.v {
		g.v[i] = int8(r.Uint32())
	}
	return g
}

func TestDots8(t *testing.T) {
	r := random(t)
	for _, d := range dimensions() {
		for n := range 10 {
			for q := 1; q <= MaxQueries; q++ {
				checkDots8(t, r, d, n, q)
			}
		}
	}
}

// checkDots8 compares a random product with the Go version, bit for bit, and with its
// definition.
func checkDots8(t *testing.T, r *rand.Rand, d, n, q int) {
	t.Helper()
	rows, scales := codes8(r, n*d, n%3), floats(r, n, 1)
	var vs [][]float32
	for range q {
		vs = append(vs, floats(r, d, 0).v)
	}
	p, err := Pack8(vs...)
	if err != nil {
		t.Fatal(err)
	}
	gs, out := columns(q, n)
	p.Dots(out, rows.v, scales.v)
	_, twin := columns(q, n)
	for _, g := range p.groups {
		dots8Go(twin[g.first:g.first+g.n], 0, g.packed, &g.scale, rows.v, scales.v, d)
	}
	for j := range out {
		gs[j].check(t, "Dots")
		for i, got := range out[j] {
			if got != twin[j][i] {
				t.Fatalf("d=%d n=%d q=%d: out[%d][%d] = %v, want %v as in Go", d, n, q, j, i, got, twin[j][i])
			}
			want, slack := estimate8(vs[j], rows.v[i*d:(i+1)*d], scales.v[i])
			if math.Abs(float64(got)-want) > slack {
				t.Fatalf("d=%d n=%d q=%d: out[%d][%d] = %v, want %v ± %g", d, n, q, j, i, got, want, slack)
			}
		}
	}
}

// estimate8 returns the product of v and scale·code, and the error due to rounding v to
// 2³¹/128d steps.
func estimate8(v []float32, code []int8, scale float32) (want, slack float64) {
	var codes float64
	for i := range v {
		want += float64(v[i]) * float64(code[i]) * float64(scale)
		codes += math.Abs(float64(code[i]) * float64(scale))
	}
	step := float64(largest(v)) / min(math.MaxInt16, float64(math.MaxInt32/(128*len(v))))
	return want, 0.51*step*codes + 1e-6*math.Abs(want)
}

// The extreme rows and queries of every dimension do not overflow.
func TestDots8Extremes(t *testing.T) {
	for _, d := range []int{1, 16, 384, 512, 513, 1024, 4096, 10_001, MaxDim8} {
		v, row := make([]float32, d), make([]int8, d)
		for i := range v {
			v[i], row[i] = 1, -128
		}
		p, err := Pack8(v)
		if err != nil {
			t.Fatal(err)
		}
		_, out := columns(1, 1)
		p.Dots(out, row, []float32{1})
		if want := -128 * float64(d); math.Abs(float64(out[0][0])-want) > 1e-6*math.Abs(want) {
			t.Errorf("d=%d: got %v, want %v", d, out[0][0], want)
		}
	}
}

func TestPack8(t *testing.T) {
	if _, err := Pack8(make([]float32, MaxDim8+1)); err == nil {
		t.Error("dimension above MaxDim8: got no error")
	}
	for _, x := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		if _, err := Pack8([]float32{1, float32(x)}); !errors.Is(err, ErrNotFinite) {
			t.Errorf("Pack8 of %v: got error %v", x, err)
		}
	}
	p, err := Pack8(make([]float32, 20))
	if err != nil || p.n != 1 || p.d != 20 {
		t.Fatalf("Pack8 of zeros: got %v, %v", p, err)
	}
	out := [][]float32{{1, 1}}
	p.Dots(out, make([]int8, 40), []float32{1, float32(math.NaN())})
	if out[0][0] != 0 || out[0][1] == out[0][1] {
		t.Errorf("zero query: got %v, want [0 NaN]", out[0])
	}
	mustPanic(t, "missing scale", func() { p.Dots(out, make([]int8, 40), []float32{1}) })
}

func FuzzDots8(f *testing.F) {
	f.Add(uint8(20), uint8(3), uint64(1))
	f.Fuzz(func(t *testing.T, dim, count uint8, seed uint64) {
		r := rand.New(rand.NewPCG(seed, 0))
		checkDots8(t, r, int(dim)+1, r.IntN(40), int(count)%MaxQueries+1)
	})
}
