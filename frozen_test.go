package nsfl_test

import (
	"math"
	"testing"
)

// TestFrozenVectors runs the calculus on real data: mAP@100 (denominator min(R, 100)) of
// the six templates on the coco captions, frozen MiniLM vectors, one vector per document.
// The expected figures come from an independent implementation.
func TestFrozenVectors(t *testing.T) {
	if testing.Short() {
		t.Skip("600 queries over 5,000 documents")
	}
	want := map[string]struct {
		cells     []float64 // three digits are known
		mean      float64
		tolerance float64 // if the reference solves the sphere in another way
	}{
		"baseline":   {[]float64{.182, .093, .240, .082, .733, .674}, 0.3342, 0},
		"rerank":     {[]float64{.192, .086, .498, .178, .849, .915}, 0.4528, 0},
		"exact":      {nil, 0.4530, 0},
		"geo-rerank": {nil, 0.4403, 0},
		"geo-opt":    {nil, 0.3791, 0},
		"sqo":        {nil, 0.385, 0.001},
		"sqo, rsgd":  {nil, 0.383, 0.002}, // it depends on the random start
		"hybrid":     {nil, 0.4524, 0.002},
	}
	lab := frozenLab(t, "coco")
	cells, means := lab.measure("coco", map[string]func(*prepared) []int{
		"baseline": lab.baseline,
		"rerank":   func(p *prepared) []int { return lab.rank(p, lab.pool(p, 1000)) },
		"exact":    func(p *prepared) []int { return lab.rank(p, lab.pool(p, len(lab.docs))) },
		"geo-rerank": func(p *prepared) []int {
			if isOr(p) { // as in the calculus
				return lab.rank(p, lab.pool(p, 1000))
			}
			return best(lab.pool(p, 1000), lab.geometric(p), 100)
		},
		"sqo":       func(p *prepared) []int { return lab.nearest(lab.optimized(p), 100) },
		"sqo, rsgd": func(p *prepared) []int { return lab.nearest(lab.descended(p), 100) },
		"hybrid":    func(p *prepared) []int { return lab.rank(p, lab.nearest(lab.optimized(p), 1000)) },
		"geo-opt":   func(p *prepared) []int { return lab.nearest(lab.geometric(p), 100) },
	})
	for name, mean := range means {
		w := want[name]
		for i, cell := range w.cells {
			if math.Abs(cells[name][i]-cell) > 0.00051 {
				t.Errorf("%s, %s: mAP@100 = %.4f, want %.3f", name, templates[i], cells[name][i], cell)
			}
		}
		if math.Abs(mean-w.mean) > max(w.tolerance, 0.00005)+1e-9 {
			t.Errorf("%s: mean mAP@100 = %.5f, want %.4f", name, mean, w.mean)
		}
		t.Logf("%-10s %.4f", name, mean)
	}
}
