package lab

import (
	"math/rand/v2"
	"testing"
)

// Weights that are known are found again.
func TestRidge(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	const n, documents = 4, 4000
	x := make([][]float64, documents)
	labels := map[string][]int{"easy": nil, "random": nil}
	for d := range x {
		x[d] = []float64{10 * r.NormFloat64(), 10 * r.NormFloat64(), 10 * r.NormFloat64(), 1}
		if x[d][1]-x[d][2] > 0 {
			labels["easy"] = append(labels["easy"], d)
		}
		if r.IntN(2) == 0 {
			labels["random"] = append(labels["random"], d)
		}
	}
	p, err := predict(t.Context(), x, labels, documents)
	if err != nil {
		t.Fatal(err)
	}
	right := func(label string) float64 {
		has := map[int]bool{}
		for _, d := range labels[label] {
			has[d] = true
		}
		n := 0
		for d, v := range p[label] {
			if (v > 0.5) == has[d] {
				n++
			}
		}
		return float64(n) / documents
	}
	if got := right("easy"); got < 0.97 {
		t.Errorf("a label on one side of a plane is right for %.3f of the documents", got)
	}
	if got := right("random"); got > 0.55 {
		t.Errorf("a label by chance is right for %.3f of the documents that were not learned from", got)
	}
}

func TestCholesky(t *testing.T) {
	a := []float64{4, 0, 0, 2, 5, 0, 6, 7, 30}
	if err := cholesky(a, 3); err != nil {
		t.Fatal(err)
	}
	b := []float64{4*1 + 2*2 + 6*3, 2*1 + 5*2 + 7*3, 6*1 + 7*2 + 30*3}
	solve(a, 3, b)
	for i, want := range []float64{1, 2, 3} {
		if d := b[i] - want; d > 1e-9 || d < -1e-9 {
			t.Errorf("x[%d] = %v, not %v", i, b[i], want)
		}
	}
	if err := cholesky([]float64{1, 0, 2, 1}, 2); err == nil {
		t.Error("a matrix that has no root was taken")
	}
}
