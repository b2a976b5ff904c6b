package vec

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"
)

func codes1(r *rand.Rand, n, offset int) guarded[byte] {
	g := guard[byte](n, offset, 0xa5)
	for i := range g.v {
		g.v[i] = byte(r.Uint32())
	}
	return g
}

func newSigns(t *testing.T, mean []float32) *Signs {
	t.Helper()
	s, err := NewSigns(mean)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Kernel, Go version and definition agree to the last bit, with row counts around the 32
// that the assembly processes at once.
func TestDots1(t *testing.T) {
	r := random(t)
	for _, d := range append(dimensions(), 64*3, 64*5, 64*7, MaxDim1) {
		s := newSigns(t, floats(r, d, 0).v)
		for _, n := range []int{0, 1, 9, 31, 32, 33, 70} {
			rows, scales := codes1(r, n*s.Size(), n%5), floats(r, n, 1)
			for _, q := range []int{1, 2, 5, 8} {
				var vs [][]float32
				for range q {
					vs = append(vs, floats(r, d, 0).v)
				}
				p, err := s.Pack(vs...)
				if err != nil {
					t.Fatal(err)
				}
				gs, out := columns(q, n)
				p.Dots(out, rows.v, scales.v)
				twin := make([]float32, n)
				for j := range out {
					gs[j].check(t, "Dots")
					dots1Go(twin, 0, &p.queries[j], rows.v, scales.v, s.Size())
					for i, got := range out[j] {
						if got != twin[i] {
							t.Fatalf("d=%d n=%d q=%d: out[%d][%d] = %v, want %v as in Go", d, n, q, j, i, got, twin[i])
						}
					}
				}
				if n > 0 {
					got, want := out[q-1][n-1], estimate1(s, vs[q-1], rows.v[(n-1)*s.Size():], scales.v[n-1])
					if got != want {
						t.Fatalf("d=%d n=%d q=%d: got %v, want %v by definition", d, n, q, got, want)
					}
				}
			}
		}
	}
}

func FuzzDots1(f *testing.F) {
	f.Add(uint16(100), uint64(1))
	f.Fuzz(func(t *testing.T, dim uint16, seed uint64) {
		r := rand.New(rand.NewPCG(seed, 0))
		d, n := int(dim)%700+1, r.IntN(100)
		s := newSigns(t, floats(r, d, 0).v)
		rows, scales, v := codes1(r, n*s.Size(), 1), floats(r, n, 0), floats(r, d, 0).v
		p, err := s.Pack(v)
		if err != nil {
			t.Fatal(err)
		}
		gs, out := columns(1, n)
		p.Dots(out, rows.v, scales.v)
		gs[0].check(t, "Dots")
		for i, got := range out[0] {
			if want := estimate1(s, v, rows.v[i*s.Size():], scales.v[i]); got != want {
				t.Fatalf("d=%d: out[%d] = %v, want %v", d, i, got, want)
			}
		}
	})
}

// estimate1 computes the estimate without tables.
func estimate1(s *Signs, v []float32, code []byte, scale float32) float32 {
	p := append([]float32(nil), v...)
	s.rotation.apply(p)
	top := float64(largest(p))
	var sum int32
	for i, x := range p {
		u := int32(math.RoundToEven(float64(x) / top * limit1))
		if code[i/8]>>(i%8)&1 == 1 {
			sum += u
		} else {
			sum -= u
		}
	}
	return float32(float32(sum)*scale*float32(top/limit1)) + Dot(s.mean, v)
}

// The largest sums fit in the words that hold them.
func TestDots1Extremes(t *testing.T) {
	q := query1{table: make([]byte, MaxDim1/8*32), scale: 1}
	u := []int{limit1, limit1, limit1, limit1}
	for b := range MaxDim1 / 8 {
		q.tabulate(tableAt(b), u)
		q.tabulate(tableAt(b)+highNibble, u)
	}
	const n = 32
	rows, scales := make([]byte, n*MaxDim1/8), make([]float32, n)
	for i := range scales {
		scales[i] = 1
	}
	for i := range rows[:len(rows)/2] {
		rows[i] = 0xff
	}
	p := Queries1{size: MaxDim1 / 8, queries: []query1{q}}
	out := [][]float32{make([]float32, n)}
	p.Dots(out, rows, scales)
	if out[0][0] != limit1*MaxDim1 || out[0][n-1] != -limit1*MaxDim1 {
		t.Errorf("got %v and %v, want ±%d", out[0][0], out[0][n-1], limit1*MaxDim1)
	}
}

// Estimates have almost no bias, and an error that shrinks with the dimension, even if one
// component outweighs all others, which is the purpose of the rotation.
func TestSignsError(t *testing.T) {
	r := random(t)
	for _, d := range []int{100, 384, 1024} {
		for _, outlier := range []float32{1, 30} {
			s := newSigns(t, floats(r, d, 0).v)
			const n = 400
			var sum, squares float64
			code := make([]byte, s.Size())
			for range n {
				v, q := floats(r, d, 0).v, floats(r, d, 0).v
				v[3] *= outlier
				q[3] *= outlier
				AddScaled(v, s.mean, 1)
				scale := s.Encode(code, v)
				p, err := s.Pack(q)
				if err != nil {
					t.Fatal(err)
				}
				out := [][]float32{make([]float32, 1)}
				p.Dots(out, code, []float32{scale})
				AddScaled(v, s.mean, -1)
				e := (float64(out[0][0]) - float64(Dot(v, q)) - float64(Dot(s.mean, q))) / Norm(v) / Norm(q)
				sum += e
				squares += e * e
			}
			rms := math.Sqrt(squares / n)
			// √(π/2-1) = 0.756 for the code alone; rounding the query adds to it.
			if limit := 0.95 / math.Sqrt(float64(d)); rms > limit {
				t.Errorf("d=%d, outlier %v: got relative error %.4f, want at most %.4f", d, outlier, rms, limit)
			}
			if bias := math.Abs(sum / n); bias > 5*rms/math.Sqrt(n) {
				t.Errorf("d=%d, outlier %v: got bias %.4f, error %.4f", d, outlier, bias, rms)
			}
		}
	}
}

func TestSignsSpecial(t *testing.T) {
	nan := float32(math.NaN())
	for _, mean := range [][]float32{{}, {1, nan}, make([]float32, MaxDim1+1)} {
		if _, err := NewSigns(mean); err == nil {
			t.Errorf("NewSigns of dimension %d: got no error", len(mean))
		}
	}
	mean := []float32{1, 2, 3}
	s := newSigns(t, mean)
	code := make([]byte, s.Size())
	if scale := s.Encode(code, mean); scale != 0 {
		t.Errorf("scale of the mean: got %v, want 0", scale)
	}
	for _, x := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		v := []float32{0, float32(x), 0}
		if scale := s.Encode(code, v); scale == scale {
			t.Errorf("scale of %v: got %v, want NaN", v, scale)
		}
		if _, err := s.Pack(v); !errors.Is(err, ErrNotFinite) {
			t.Errorf("Pack of %v: got error %v", v, err)
		}
	}
	if _, err := s.Pack(make([]float32, 4)); err == nil {
		t.Error("Pack of another dimension: got no error")
	}
	p, err := s.Pack(make([]float32, 3))
	if err != nil || len(p.queries) != 1 {
		t.Fatalf("Pack of zeros: got %v, %v", p, err)
	}
	out := [][]float32{{1}}
	p.Dots(out, code, []float32{1})
	if out[0][0] != 0 {
		t.Errorf("zero query: unexpected estimate %v", out[0][0])
	}
	mustPanic(t, "short code", func() { s.Encode(code[:4], mean) })
	mustPanic(t, "missing scale", func() { p.Dots(out, code, nil) })
}

func TestRotation(t *testing.T) {
	r := random(t)
	for _, d := range dimensions() {
		turn := newRotation(d)
		a, b := floats(r, d, 0).v, floats(r, d, 0).v
		want, size := Dot(a, b), Norm(a)*Norm(b)
		turn.apply(a)
		turn.apply(b)
		if got := Dot(a, b); math.Abs(float64(got-want)) > 1e-5*size {
			t.Errorf("d=%d: product %v became %v after rotation", d, want, got)
		}
	}
}

// Codes are stored in files: the rotation must not change.
func TestRotationFixed(t *testing.T) {
	v := make([]float32, 6)
	v[0] = 1
	newRotation(len(v)).apply(v)
	want := []float32{0.25, 0.25, 0, 0.25, -0.5, 0.75}
	for i := range v {
		if v[i] != want[i] {
			t.Fatalf("rotation of the first axis: got %v, want %v", v, want)
		}
	}
}
