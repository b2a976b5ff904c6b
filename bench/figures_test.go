//go:build linux

package main

import (
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
