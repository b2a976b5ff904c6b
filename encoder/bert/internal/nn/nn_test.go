package nn

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// each runs a test with every instruction set the processor supports.
func each(t *testing.T, test func(t *testing.T)) {
	defer func(was instructions) { best = was }(best)
	for set := best; set >= plain; set-- {
		best = set
		t.Run([]string{"go", "avx2", "vnni"}[set], test)
	}
}

func numbers(r *rand.Rand, n int) []float32 {
	out := make([]float32, n)
	for i := range out {
		out[i] = float32(r.NormFloat64())
	}
	return out
}

// outliers returns random numbers with a few very large ones in the first columns.
func outliers(r *rand.Rand, tokens, columns int) []float32 {
	x := numbers(r, tokens*columns)
	for t := range tokens {
		x[t*columns] *= 20
		x[t*columns+1] -= 30
	}
	return x
}

func layer(t *testing.T, r *rand.Rand, rows, columns int) (l *Linear, weights []float32) {
	codes := make([]int8, rows*columns)
	scales, bias := numbers(r, rows), numbers(r, rows)
	for i := range codes {
		codes[i] = int8(r.IntN(255) - 127)
	}
	l, err := NewLinear(codes, scales, bias)
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range codes {
		weights = append(weights, scales[i/columns]*float32(c))
	}
	return l, weights
}

// TestLinear checks that each output is within the rounding error of the product in
// double precision, and bit for bit the same with all instruction sets.
func TestLinear(t *testing.T) {
	for _, shape := range []struct{ tokens, rows, columns int }{
		{1, 64, 128}, {2, 128, 256}, {3, 64, 384}, {4, 192, 128}, {5, 64, 1536}, {6, 128, 384}, {7, 64, 128}, {23, 192, 384},
	} {
		r := rand.New(rand.NewPCG(1, uint64(shape.tokens)))
		x := outliers(r, shape.tokens, shape.columns)
		var first []float32
		each(t, func(t *testing.T) {
			l, weights := layer(t, rand.New(rand.NewPCG(5, 5)), shape.rows, shape.columns)
			var rounded Rounded
			rounded.Set(x, shape.columns)
			got := make([]float32, shape.tokens*shape.rows)
			l.Apply(got, &rounded)
			if first == nil {
				first = got
			}
			for i, y := range got {
				if y != first[i] {
					t.Fatalf("%+v: number %d is %g, but %g with other instructions", shape, i, y, first[i])
				}
				token, row := i/shape.rows, i%shape.rows
				want, slack := float64(l.bias[row]), 1e-4
				for c := range shape.columns {
					w := float64(weights[row*shape.columns+c])
					want += w * float64(x[token*shape.columns+c])
					step := float64(rounded.steps[c/rounded.group*rounded.stride+token])
					slack += math.Abs(w) * step * 0.51
				}
				if math.Abs(float64(y)-want) > slack*1.01+1e-5*math.Abs(want) {
					t.Fatalf("%+v: number %d is %g, want %g ± %g", shape, i, y, want, slack)
				}
			}
		})
	}
}

// A token's output does not depend on the tokens computed alongside.
func TestLinearAlone(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	const tokens = 13
	x := outliers(r, tokens, 256)
	each(t, func(t *testing.T) {
		l, _ := layer(t, r, 128, 256)
		var together, alone Rounded
		together.Set(x, 256)
		all, one := make([]float32, tokens*128), make([]float32, 128)
		l.Apply(all, &together)
		for i := range tokens {
			alone.Set(x[i*256:][:256], 256)
			l.Apply(one, &alone)
			if !slices.Equal(one, all[i*128:][:128]) {
				t.Fatalf("token %d gets another output among other tokens", i)
			}
		}
	})
}

func TestRounded(t *testing.T) {
	const group = leastGroup
	row := make([]float32, 5*group)
	for i := range group {
		row[i] = 0
		row[group+i] = 3                       // no negative values
		row[2*group+i] = -1e-3 * float32(i)    // no positive values
		row[3*group+i] = 1e-38 * float32(i%3)  // close to zero
		row[4*group+i] = float32(i%2)*2e30 - 1 // far apart
	}
	each(t, func(t *testing.T) {
		var r Rounded
		r.Set(row, len(row))
		for i, x := range row {
			g := i / group
			var code float32
			if best == vnni {
				code = float32(int32(r.codes8[i]) + r.zeros[g])
			} else {
				code = float32(r.codes16[i])
			}
			if got, step := r.steps[g]*code, r.steps[g]; math.Abs(float64(got-x)) > 0.51*float64(step)+1e-30 {
				t.Errorf("number %d: %g rounded to %g with a step of %g", i, x, got, step)
			}
		}
	})
}

func TestProduct(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	for rows := 1; rows <= 14; rows++ {
		for _, shape := range []struct{ k, columns int }{{1, 16}, {32, 112}, {107, 32}} {
			a, b := Matrix{numbers(r, rows*(shape.k+3)), shape.k + 3}, Matrix{numbers(r, shape.k*(shape.columns+5)), shape.columns + 5}
			each(t, func(t *testing.T) {
				c := Matrix{slices.Repeat([]float32{7}, rows*(shape.columns+2)), shape.columns + 2}
				Product(c, a, b, rows, shape.k, shape.columns)
				for i := range rows {
					for j := range shape.columns + 2 {
						got, want := float64(c.Data[i*c.Stride+j]), 7.0 // the gaps between rows stay untouched
						if j < shape.columns {
							want = 0
							for l := range shape.k {
								want += float64(a.Data[i*a.Stride+l]) * float64(b.Data[l*b.Stride+j])
							}
						}
						if math.Abs(got-want) > 1e-4 {
							t.Fatalf("%d × %d × %d: row %d, column %d is %g, want %g", rows, shape.k, shape.columns, i, j, got, want)
						}
					}
				}
			})
		}
	}
}

func TestSoftmax(t *testing.T) {
	for _, row := range [][]float32{{3}, {1, 1, 1, 1}, {-1000, 0, 1000}, {5, 4, 3, 2.5}, {0, 1, 2, 3, 4, 5, 6, 7, 8}, {-1e30, 1}, slices.Repeat([]float32{1, 2}, 9)} {
		want, sum := make([]float64, len(row)), 0.0
		top := slices.Max(row)
		for i, x := range row {
			want[i] = math.Exp(float64(x-top) / 2)
			sum += want[i]
		}
		each(t, func(t *testing.T) {
			m := Matrix{slices.Repeat([]float32{9}, 64), 32}
			copy(m.Data, row)
			copy(m.Data[32:], row)
			Softmax(m, 2, len(row), 0.5)
			for _, at := range []int{0, 32} {
				for i, w := range want {
					if got := m.Data[at+i]; math.Abs(float64(got)-w/sum) > 1e-6 {
						t.Errorf("share %d of %v is %g, want %g", i, row, got, w/sum)
					}
				}
			}
		})
	}
}

func TestExp(t *testing.T) {
	for x := float32(-86.9); x <= 0; x += 0.0007 {
		got, want := float64(exp(x)), math.Exp(float64(x))
		if math.Abs(got-want) > 4e-7*want {
			t.Fatalf("exp(%g) = %g, want %g", x, got, want)
		}
	}
	for _, x := range []float32{-87.5, -1e30, float32(math.Inf(-1))} {
		if got := exp(x); got < 0 || got > 2e-38 {
			t.Errorf("exp(%g) = %g, out of range", x, got)
		}
	}
}

func TestGELU(t *testing.T) {
	var all []float32
	for x := float32(-9); x <= 9; x += 0.0003 {
		all = append(all, x)
	}
	all = append(all, 1e30, -1e30, 0, 1e-30)
	all = all[:len(all)/lanes*lanes]
	each(t, func(t *testing.T) {
		got := slices.Clone(all)
		GELU(got)
		for i, x := range all {
			want := float64(x) / 2 * math.Erfc(-float64(x)/math.Sqrt2)
			if math.Abs(float64(got[i])-want) > 4e-7*max(1, math.Abs(want)) {
				t.Fatalf("GELU(%g) = %g, want %g", x, got[i], want)
			}
		}
	})
}

func TestAddNorm(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	const n = 24
	weight, bias, x, add := numbers(r, n), numbers(r, n), numbers(r, 3*n), numbers(r, 3*n)
	for i := range n { // a constant row
		x[2*n+i], add[2*n+i] = 5, 2
	}
	each(t, func(t *testing.T) {
		got := slices.Clone(x)
		AddNorm(got, add, len(weight), weight, bias, 1e-12)
		for row := range 3 {
			mean, variance := 0.0, 0.0
			for i := range n {
				mean += float64(x[row*n+i]+add[row*n+i]) / n
			}
			for i := range n {
				d := float64(x[row*n+i]+add[row*n+i]) - mean
				variance += d * d / n
			}
			for i := range n {
				d := float64(x[row*n+i]+add[row*n+i]) - mean
				want := d/math.Sqrt(variance+1e-12)*float64(weight[i]) + float64(bias[i])
				if math.Abs(float64(got[row*n+i])-want) > 1e-5 {
					t.Errorf("row %d, place %d: %g, want %g", row, i, got[row*n+i], want)
				}
			}
		}
	})
}

func TestExpand(t *testing.T) {
	codes := []int8{-127, -1, 0, 1, 2, 3, 100, 127}
	each(t, func(t *testing.T) {
		out := make([]float32, len(codes))
		Expand(out, codes, 0.25)
		for i, c := range codes {
			if out[i] != float32(c)/4 {
				t.Errorf("%d becomes %g", c, out[i])
			}
		}
	})
}

func TestShapes(t *testing.T) {
	if _, err := NewLinear(make([]int8, 64*100), make([]float32, 64), make([]float32, 64)); err == nil {
		t.Error("a layer of 100 columns was accepted")
	}
	if _, err := NewLinear(nil, nil, nil); err == nil {
		t.Error("an empty layer was accepted")
	}
	for name, wrong := range map[string]func(){
		"columns of a product": func() { Product(Matrix{}, Matrix{}, Matrix{}, 1, 1, 15) },
		"a product too short":  func() { Product(Matrix{make([]float32, 16), 16}, Matrix{make([]float32, 1), 1}, Matrix{}, 1, 1, 16) },
		"GELU":                 func() { GELU(make([]float32, 9)) },
		"AddNorm":              func() { AddNorm(make([]float32, 8), make([]float32, 16), 8, make([]float32, 8), make([]float32, 8), 1) },
		"rounding":             func() { new(Rounded).Set(make([]float32, 100), 100) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: a wrong shape was accepted", name)
				}
			}()
			wrong()
		}()
	}
}

// BenchmarkLinear reports multiplications per second with each instruction set.
func BenchmarkLinear(b *testing.B) {
	defer func(was instructions) { best = was }(best)
	for set := best; set >= plain; set-- {
		for _, shape := range []struct{ tokens, rows, columns int }{{6, 1536, 384}, {48, 1536, 384}, {48, 384, 1536}} {
			b.Run(fmt.Sprintf("set=%d/%d×%d×%d", set, shape.tokens, shape.rows, shape.columns), func(b *testing.B) {
				best = set
				r := rand.New(rand.NewPCG(1, 1))
				codes := make([]int8, shape.rows*shape.columns)
				l, err := NewLinear(codes, numbers(r, shape.rows), numbers(r, shape.rows))
				if err != nil {
					b.Fatal(err)
				}
				x, out := numbers(r, shape.tokens*shape.columns), make([]float32, shape.tokens*shape.rows)
				var rounded Rounded
				for b.Loop() {
					rounded.Set(x, shape.columns)
					l.Apply(out, &rounded)
				}
				b.ReportMetric(float64(shape.tokens*shape.rows*shape.columns)*float64(b.N)/b.Elapsed().Seconds()/1e9, "Gmul/s")
			})
		}
	}
}
