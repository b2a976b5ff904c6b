//go:build linux

package main

import (
	"path/filepath"
	"reflect"
	"testing"
)

func TestPercentile(t *testing.T) {
	hundred := make([]float64, 100)
	for i := range hundred {
		hundred[i] = float64(100 - i)
	}
	for _, c := range []struct {
		values []float64
		want   spread
	}{
		{hundred, spread{50, 95, 99}},
		{[]float64{3}, spread{3, 3, 3}},
		{[]float64{2, 1}, spread{1, 2, 2}},
		{nil, spread{}},
	} {
		if got := spreadOf(c.values); got != c.want {
			t.Errorf("of %d values %v, want %v", len(c.values), got, c.want)
		}
	}
}

func TestOverlap(t *testing.T) {
	want := answers{{"a", "b", "c"}, {"d", "e"}}
	for _, c := range []struct {
		got  answers
		k    int
		want float64
	}{
		{want, 3, 1},
		{answers{{"b", "a", "x"}, {"e", "d"}}, 3, 0.8},
		{answers{{"b", "a", "x"}, {"e", "d"}}, 1, 0}, // order counts at the edge
		{answers{nil, {"d"}}, 2, 0.25},
	} {
		if got := overlap(c.got, want, c.k); got != c.want {
			t.Errorf("%v, first %d: %g, want %g", c.got, c.k, got, c.want)
		}
	}
}

// Figures are read as they were written, and new ones take the place of those of the
// same kind only.
func TestFigures(t *testing.T) {
	path := filepath.Join(t.TempDir(), "figures.json")
	f, err := readFigures(path)
	if err != nil || len(f.Engines) != 0 {
		t.Fatalf("of no file: %+v, %v", f, err)
	}
	f.add(engineFigures{Engine: "a", Documents: 10, LoadS: 1})
	f.add(engineFigures{Engine: "a", Documents: 20, LoadS: 2, Modes: []modeFigures{{Mode: "sqo", Steps: steps{All: spread{1, 2, 3}}}}})
	f.add(engineFigures{Engine: "b", Documents: 10, LoadS: 3})
	f.add(engineFigures{Engine: "a", Documents: 10, LoadS: 4})
	if len(f.Engines) != 3 || f.Engines[0].LoadS != 4 {
		t.Errorf("%+v", f)
	}
	if err := f.write(path); err != nil {
		t.Fatal(err)
	}
	if got, err := readFigures(path); err != nil || !reflect.DeepEqual(got, f) {
		t.Errorf("%+v, %v, want %+v", got, err, f)
	}
}
