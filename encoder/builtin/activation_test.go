package builtin

import (
	"math"
	"testing"
)

func TestExp(t *testing.T) {
	for x := float32(-86.9); x <= 0; x += 0.0007 {
		got, want := float64(exp(x)), math.Exp(float64(x))
		if math.Abs(got-want) > 4e-7*want {
			t.Fatalf("exp(%g) = %g, want %g", x, got, want)
		}
	}
	for x, want := range map[float32]float32{0: 1, -87.5: 0, -1e30: 0, float32(math.Inf(-1)): 0} {
		if got := exp(x); got != want {
			t.Errorf("exp(%g) = %g, want %g", x, got, want)
		}
	}
}

func TestGELU(t *testing.T) {
	for x := float32(-8); x <= 8; x += 0.0003 {
		got := []float32{x}
		gelu(got)
		want := float64(x) / 2 * math.Erfc(-float64(x)/math.Sqrt2)
		if math.Abs(float64(got[0])-want) > 2e-6 {
			t.Fatalf("gelu(%g) = %g, want %g", x, got[0], want)
		}
	}
	got := []float32{1e30, -1e30, 6, -6}
	gelu(got)
	if got[0] != 1e30 || got[1] != 0 || got[2] != 6 || got[3] != 0 {
		t.Errorf("far out: %v", got)
	}
}

func TestSoftmax(t *testing.T) {
	for _, row := range [][]float32{{3}, {1, 1, 1, 1}, {-1000, 0, 1000}, {5, 4, 3, 2.5}} {
		want, sum := make([]float64, len(row)), 0.0
		for i, x := range row {
			want[i] = math.Exp(float64(x-row[0]) / 2)
			sum += want[i]
		}
		if math.IsInf(sum, 0) {
			want, sum = []float64{0, 0, 1}, 1
		}
		softmax(row, 0.5)
		for i, w := range want {
			if math.Abs(float64(row[i])-w/sum) > 1e-6 {
				t.Errorf("share %d of %v, want %g", i, row, w/sum)
			}
		}
	}
}

func TestNorm(t *testing.T) {
	n := layerNorm{weight: []float32{1, 2, 1, 1}, bias: []float32{0, 0, 5, 0}}
	ones := []float32{1, 1, 1, 1}
	row := []float32{1, 2, 3, 4}
	n.apply(row, ones)
	s := math.Sqrt(1.25)
	for i, want := range []float64{-1.5 / s, -1 / s, 0.5/s + 5, 1.5 / s} {
		if math.Abs(float64(row[i])-want) > 1e-6 {
			t.Errorf("place %d: %g, want %g", i, row[i], want)
		}
	}
	constant := []float32{7, 7, 7, 7}
	n.apply(constant, ones)
	if constant[0] != 0 || constant[2] != 5 {
		t.Errorf("a constant row becomes %v", constant)
	}
}
