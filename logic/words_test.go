package logic

import (
	"math"
	"testing"

	"github.com/nsfl-go/nsfl/query"
)

// Lexical scores of formulas, computed by hand. The shares of a, b and c are in the order of
// the formula's atoms.
func TestSaying(t *testing.T) {
	for _, c := range []struct {
		formula string
		shares  []float64
		want    float64
	}{
		{"a", []float64{0.7}, 0.7},
		{"a AND b", []float64{1, 0.2}, (0.2 + 0.6) / 2},
		{"a AND b AND c", []float64{1, 0.5, 0}, (0 + 0.5) / 2},
		{"a AND NOT b", []float64{0.9, 0.4}, 0.9*0.6 - 0.04},
		{"a AND NOT b", []float64{0.9, -0.25}, 0.9*1.25 + 0.025}, // the document denies b
		{"a AND b AND NOT c", []float64{1, 0.2, 1}, -0.1},        // the penalty is at most the wanted part
		{"a AND NOT b AND NOT c", []float64{1, 0.5, 0.25}, 0.5*0.75 - 0.075},
		{"a AND NOT b^2", []float64{1, 0.4}, 0.2 - 0.08},
		{"a OR b", []float64{0.4, 0.8}, 0.8 + 0.1},
		{"a OR b OR c", []float64{0.4, 0.8, -0.25}, 0.8 + 0.1},
		{"a^2 OR b", []float64{0.4, 0.6}, 0.4 + 0.3/4}, // b counts half
		{"a^3 AND b", []float64{1, 0}, (0 + 0.75) / 2},
		{"NOT a", []float64{0.3}, -0.3},
		{"NOT a AND NOT b", []float64{0.3, 0.5}, -0.8},
		{"(a OR b) AND c", []float64{1, 0, 0.5}, (0.5 + 0.75) / 2},
		{"a AND NOT (b AND c)", []float64{1, 1, 0}, 0.75 - 0.025},
		{"a OR (b AND NOT c)", []float64{0.5, 1, 1}, 0.5},
		{"a AND NOT (b AND NOT c)", []float64{1, 0, 1}, 1 + 0.1*0.1 + 0.1}, // no more than for a denial
	} {
		f, err := query.ParseFormula(c.formula)
		if err != nil {
			t.Fatal(err)
		}
		var shares [][]float32
		for _, s := range c.shares {
			shares = append(shares, []float32{float32(s)})
		}
		out := make([]float32, 1)
		NewLexicalScore(f, f.Root).Of(out, shares)
		if math.Abs(float64(out[0])-c.want) > 1e-6 {
			t.Errorf("of %s, with %v, words say %v, not %v", c.formula, c.shares, out[0], c.want)
		}
	}
}

// TestWordsBeside: a score with words is the sum of the score without them and the
// lexical score, and with weight 0 a program reads no words.
func TestWordsBeside(t *testing.T) {
	f, err := query.ParseFormula("a AND NOT b")
	if err != nil {
		t.Fatal(err)
	}
	plain, err := Compile(f, Options{})
	if err != nil {
		t.Fatal(err)
	}
	worded, err := Compile(f, Options{Words: 0.5})
	if err != nil {
		t.Fatal(err)
	}
	if plain.Columns() != f.Terms.Len() || worded.Columns() != f.Terms.Len()+2 {
		t.Fatalf("%d and %d columns are read of %d terms", plain.Columns(), worded.Columns(), f.Terms.Len())
	}
	const documents = 1000 // more than a block
	columns := make([][]float32, worded.Columns())
	for j := range columns {
		for i := range documents {
			columns[j] = append(columns[j], float32((i*7+j*31)%97)/97)
		}
	}
	without, with := make([]float32, documents), make([]float32, documents)
	if _, err := plain.Rank(without, columns[:plain.Columns()]); err != nil {
		t.Fatal(err)
	}
	maxima, err := worded.Rank(with, columns)
	if err != nil {
		t.Fatal(err)
	}
	for i := range documents {
		a, b := columns[plain.Columns()][i], columns[plain.Columns()+1][i]
		want := float64(without[i]) + 0.5*float64(a*(1-b)-0.1*b)
		if math.Abs(float64(with[i])-want) > 1e-6 {
			t.Fatalf("document %d has %v, not %v", i, with[i], want)
		}
		var own []float32
		for _, c := range columns {
			own = append(own, c[i])
		}
		x, err := worded.Explain(own, maxima)
		if err != nil || math.Abs(x.Score-want) > 1e-6 || math.Abs(x.Words.Vectors+x.Words.Weight*x.Words.Lexical-x.Score) > 1e-12 {
			t.Fatalf("document %d is explained by %+v, %v", i, x, err)
		}
	}
}
