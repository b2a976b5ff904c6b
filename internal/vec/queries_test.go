package vec

import (
	"encoding/binary"
	"math"
	"testing"
)

// All shapes are within the bound of the true product and of the Go version, equal to Dot to
// the last bit, and touch nothing outside the slices.
func TestDots(t *testing.T) {
	r := random(t)
	for _, d := range dimensions() {
		for n := range 10 {
			rows := floats(r, n*d, n%2)
			ids := make([]uint32, 0, 9)
			for range n {
				ids = append(ids, r.Uint32N(uint32(n)))
			}
			for q := 1; q <= MaxQueries; q++ {
				var vs [][]float32
				for j := range q {
					vs = append(vs, floats(r, d, j%2).v)
				}
				p, err := Pack(vs...)
				if err != nil {
					t.Fatal(err)
				}
				gs, out := columns(q, n)
				p.Dots(out, rows.v)
				_, twin := columns(q, n)
				for _, g := range p.groups {
					dotsGo(twin[g.first:g.first+g.n], 0, g.packed, rows.v, d)
				}
				for j := range out {
					gs[j].check(t, "Dots")
					for i, got := range out[j] {
						row := rows.v[i*d : (i+1)*d]
						want, bound := reference(vs[j], row)
						if math.Abs(float64(got)-want) > bound || math.Abs(float64(got)-float64(twin[j][i])) > 2*bound {
							t.Fatalf("d=%d n=%d q=%d: out[%d][%d] = %v, in Go %v, want %v ± %g", d, n, q, j, i, got, twin[j][i], want, bound)
						}
						if alone := Dot(vs[j], row); got != alone {
							t.Fatalf("d=%d n=%d q=%d: out[%d][%d] = %v, want %v as by Dot", d, n, q, j, i, got, alone)
						}
					}
				}
				gs, gathered := columns(q, n)
				p.Gather(gathered, rows.v, ids)
				for j := range gathered {
					gs[j].check(t, "Gather")
					for i, id := range ids {
						if gathered[j][i] != out[j][id] {
							t.Fatalf("d=%d n=%d q=%d: row %d: gathered %v, want %v as scanned", d, n, q, id, gathered[j][i], out[j][id])
						}
					}
				}
			}
			rows.check(t, "rows")
		}
	}
}

// TestDotsBlocks uses more rows than one kernel call handles.
func TestDotsBlocks(t *testing.T) {
	r := random(t)
	const d, n = 70, 1003
	rows, v := floats(r, n*d, 1), floats(r, d, 0)
	ids := make([]uint32, n)
	for i := range ids {
		ids[i] = r.Uint32N(n)
	}
	for q := 1; q <= MaxQueries; q++ {
		vs := make([][]float32, q)
		for j := range vs {
			vs[j] = v.v
		}
		p, _ := Pack(vs...)
		gs, out := columns(q, n)
		p.Dots(out, rows.v)
		hs, gathered := columns(q, n)
		p.Gather(gathered, rows.v, ids)
		for j := range out {
			gs[j].check(t, "Dots")
			hs[j].check(t, "Gather")
			for i, got := range out[j] {
				if want := Dot(v.v, rows.v[i*d:(i+1)*d]); got != want {
					t.Fatalf("q=%d: out[%d][%d] = %v, want %v", q, j, i, got, want)
				}
				if gathered[j][i] != out[j][ids[i]] {
					t.Fatalf("q=%d: gathered[%d][%d] = %v, want %v", q, j, i, gathered[j][i], out[j][ids[i]])
				}
			}
		}
	}
}

func TestPackErrors(t *testing.T) {
	v := make([]float32, 4)
	for name, vs := range map[string][][]float32{
		"none":      {},
		"nine":      {v, v, v, v, v, v, v, v, v},
		"empty":     {{}},
		"different": {v, v[:3]},
	} {
		if _, err := Pack(vs...); err == nil {
			t.Errorf("Pack of %s: got no error", name)
		}
		if _, err := Pack8(vs...); err == nil {
			t.Errorf("Pack8 of %s: got no error", name)
		}
	}
	p, err := Pack(v, v)
	if err != nil || p.n != 2 || p.d != 4 {
		t.Fatalf("Pack: got %v, %v", p, err)
	}
	two := [][]float32{make([]float32, 2), make([]float32, 2)}
	mustPanic(t, "partial row", func() { p.Dots(two, make([]float32, 7)) })
	mustPanic(t, "missing column", func() { p.Dots(two[:1], make([]float32, 8)) })
	mustPanic(t, "short column", func() { p.Dots(two, make([]float32, 12)) })
	mustPanic(t, "no such row", func() { p.Gather(two, make([]float32, 8), []uint32{2}) })
}

// FuzzDots compares the kernels with the Go versions on arbitrary bits: equal if not finite,
// otherwise within the bound.
func FuzzDots(f *testing.F) {
	f.Add(uint8(3), uint8(2), []byte("0123456789abcdefghijklmnopqrstuvwxyz0123456789"))
	f.Add(uint8(17), uint8(8), make([]byte, 400))
	f.Fuzz(func(t *testing.T, dim, count uint8, data []byte) {
		d, q := int(dim)%80+1, int(count)%MaxQueries+1
		v := make([]float32, len(data)/4)
		for i := range v {
			v[i] = math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:]))
		}
		n := len(v)/d - q
		if n < 0 {
			return
		}
		vs := make([][]float32, q)
		for j := range vs {
			vs[j] = v[j*d : (j+1)*d]
		}
		rows := v[q*d : (q+n)*d]
		p, err := Pack(vs...)
		if err != nil {
			t.Fatal(err)
		}
		gs, out := columns(q, n)
		p.Dots(out, rows)
		for j := range out {
			gs[j].check(t, "Dots")
			for i, got := range out[j] {
				row := rows[i*d : (i+1)*d]
				twin := dotStrided(vs[j], row, lanes)
				_, bound := reference(vs[j], row)
				if sameFloat(got, twin) || math.Abs(float64(got)-float64(twin)) <= 2*bound {
					continue
				}
				if magnitude(vs[j], row) > math.MaxFloat32/2 {
					continue // sums may overflow on one side only
				}
				t.Fatalf("d=%d: got %v, want %v as in Go ± %g", d, got, twin, bound)
			}
		}
	})
}

// magnitude returns the sum of the magnitudes of the finite products.
func magnitude(a, b []float32) (sum float64) {
	for i := range a {
		if p := math.Abs(float64(a[i]) * float64(b[i])); p <= math.MaxFloat64 {
			sum += p
		}
	}
	return sum
}
