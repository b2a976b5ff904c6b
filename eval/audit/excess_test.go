package audit

import (
	"math"
	"slices"
	"testing"

	"github.com/nsfl-go/nsfl/eval/lab"
)

// R 4.2.2: lm(after ~ before + label), and the HC2 standard error of the label from its
// model matrix, residuals and hat values.
func TestMeasureAgainstR(t *testing.T) {
	before := []float32{4, 12, 20, 28, 36, 44, 52, 60, 68, 76, 84, 92, 97}
	after := []float32{8, 30, 4, 22, 61, 40, 48, 75, 55, 90, 70, 99, 84}
	e, ok := measure(before, after, []int{1, 4, 7, 9, 11})
	if !ok {
		t.Fatal("measure failed")
	}
	square := 0.0
	for _, u := range e.influence {
		square += u * u
	}
	const value, se = 24.810903357012, 2.7895270226242
	if math.Abs(e.value-value) > 1e-6 || math.Abs(math.Sqrt(square)-se) > 1e-6 {
		t.Errorf("got %.9f ± %.9f, want %.9f ± %.9f as in R", e.value, math.Sqrt(square), value, se)
	}
}

func TestMeasureEdges(t *testing.T) {
	before := []float32{5, 15, 25, 35, 45, 55, 65, 75, 85, 95}
	e, ok := measure(before, before, []int{0, 1, 4, 6, 9})
	if !ok || e.value != 0 || slices.ContainsFunc(e.influence, func(u float64) bool { return u != 0 }) {
		t.Errorf("nothing moved: got %+v, %t", e, ok)
	}
	same := slices.Repeat([]float32{50}, 10)
	if e, ok := measure(same, []float32{60, 60, 60, 60, 60, 40, 40, 40, 40, 40}, []int{0, 1, 2, 3, 4}); !ok || math.Abs(e.value-20) > 1e-9 {
		t.Errorf("all started at the same position: got %+v, %t", e, ok)
	}
	// The position before determines the label.
	if e, ok := measure([]float32{1, 1, 1, 1, 1, 99, 99, 99, 99, 99}, before, []int{0, 1, 2, 3, 4}); ok {
		t.Errorf("inseparable effects: got %+v", e)
	}
}

func TestPlaces(t *testing.T) {
	order := lab.Order{Documents: []int{7, 3, 9, 1, 4, 0}, Scores: []float32{9, 8, 8, 8, 7, 7}}
	// Of 1, 2, 3, 4, 5: 3 and 1 share the first two positions, 4 is third, 2 and 5 were not
	// found.
	got := places(order, []int{1, 2, 3, 4, 5}, 10)
	if want := []float32{20, 80, 20, 50, 80}; !slices.Equal(got, want) {
		t.Errorf("got places %v, want %v", got, want)
	}
}
