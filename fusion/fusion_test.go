package fusion

import (
	"math"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl/query"
)

func TestStrings(t *testing.T) {
	for _, c := range []struct{ formula, simple, contextual string }{
		// The six templates: atoms, fusions, the monolithic string.
		{"A AND B", "A; B; A AND B", "A; B; A that are also B"},
		{"A AND B AND C", "A; B; C; A AND B AND C", "A; B; C; A that are also both B and C"},
		{"A AND NOT B", "A; B; A AND B; A AND NOT B", "A; B; A that are also B; A that are not B"},
		{"A AND B AND NOT C", "A; B; C; A AND B; A AND B AND C; A AND B AND NOT C", "A; B; C; A that are also B; A that are also both B and C; A that are also B but not C"},
		{"A OR B", "A; B; A OR B", "A; B; A or B"},
		{"A OR B OR C", "A; B; C; A OR B OR C", "A; B; C; A, B, or C"},
		// Beyond them.
		{"A", "A", "A"},
		{"A AND B AND C AND D", "A; B; C; D; A AND B AND C AND D", "A; B; C; D; A that are also B, C, and D"},
		{"A OR B OR C OR D", "A; B; C; D; A OR B OR C OR D", "A; B; C; D; A, B, C, or D"},
		{"A AND NOT B AND NOT C", "A; B; C; A AND B; A AND C; A AND NOT B AND NOT C", "A; B; C; A that are also B; A that are also C; A that are not B or C"},
		{"A AND B AND C AND NOT D", "A; B; C; D; A AND B AND C; A AND B AND C AND D; A AND B AND C AND NOT D", "A; B; C; D; A that are also both B and C; A that are also B, C, and D; A that are also both B and C but not D"},
		{"(A OR B) AND C", "A; B; C; A OR B; (A OR B) AND C; A AND C; B AND C", "A; B; C; A or B; A or B that are also C; A that are also C; B that are also C"},
		{"A AND (B OR C)", "A; B; C; B OR C; A AND (B OR C); A AND B; A AND C", "A; B; C; B or C; A that are also either B or C; A that are also B; A that are also C"},
		{"A AND NOT (B AND C)", "A; B; C; B AND C; A AND B AND C; A AND NOT (B AND C)", "A; B; C; B that are also C; A that are also both B and C; A that are not both B and C"},
		{"A AND B OR C", "A; B; C; A AND B; (A AND B) OR C", "A; B; C; A that are also B; A that are also B, or C"},
		{"NOT A", "A; NOT A", "A; not A"},
		{"NOT A AND NOT B", "A; B; NOT A AND NOT B", "A; B; not A or B"},
		{"A^3 AND \"two words\" AND year:3", "A; two words; A AND two words", "A; two words; A that are also two words"},
	} {
		for style, want := range map[Style]string{Simple: c.simple, Contextual: c.contextual} {
			if got := strings.Join(New(formula(t, c.formula), style).Strings, "; "); got != want {
				t.Errorf("%s, %s:\ngot  %s\nwant %s", c.formula, style, got, want)
			}
		}
	}
}

// Equal strings are encoded once, even if the terms differ.
func TestStringsAreDistinct(t *testing.T) {
	p := New(formula(t, `"A AND B" AND A AND B OR "A AND B"`), Simple)
	seen := map[string]bool{}
	for _, s := range p.Strings {
		if seen[s] {
			t.Errorf("%q is planned twice", s)
		}
		seen[s] = true
	}
}

func TestCentroid(t *testing.T) {
	x, y, z := []float32{1, 0, 0}, []float32{0, 1, 0}, []float32{0, 0, 1}
	f := formula(t, "A AND B AND NOT C")
	p := New(f, Centroid)
	if got := strings.Join(p.Strings, "; "); got != "A; B; C" {
		t.Fatalf("got strings %s, want A; B; C", got)
	}
	vectors, err := p.Vectors([][]float32{x, y, z}, nil)
	if err != nil {
		t.Fatal(err)
	}
	h, third := float32(math.Sqrt(0.5)), float32(math.Sqrt(1./3))
	check(t, f, vectors, map[string][]float32{
		"A": x, "A AND B": {h, h, 0}, "A AND B AND C": {third, third, third},
		"A AND B AND NOT C": {h, h, 0}, // negated atoms are not added
	})
}

// A formula with an atom without text mixes strings and centroids.
func TestMixed(t *testing.T) {
	x, y, z := []float32{1, 0, 0}, []float32{0, 1, 0}, []float32{0, 0, 1}
	f := formula(t, "(A OR B) AND like:7")
	p := New(f, Contextual)
	if got := strings.Join(p.Strings, "; "); got != "A; B; A or B" || len(p.Items) != 1 || p.Items[0].Text != "7" {
		t.Fatalf("got strings %s, items %v", got, p.Items)
	}
	vectors, err := p.Vectors([][]float32{x, y, x}, [][]float32{z})
	if err != nil {
		t.Fatal(err)
	}
	third := float32(math.Sqrt(1. / 3))
	check(t, f, vectors, map[string][]float32{"like:7": z, "A OR B": x, "(A OR B) AND like:7": {third, third, third}})
}

func check(t *testing.T, f *query.Formula, vectors [][]float32, want map[string][]float32) {
	t.Helper()
	for i := range f.Terms.Len() {
		for j, w := range want[f.Terms.At(i).String()] {
			if math.Abs(float64(vectors[i][j]-w)) > 1e-6 {
				t.Errorf("%s: got %v, want %v", f.Terms.At(i), vectors[i], want[f.Terms.At(i).String()])
				break
			}
		}
	}
}

func TestVectorErrors(t *testing.T) {
	nan := float32(math.NaN())
	for _, c := range []struct {
		name           string
		strings, items [][]float32
		want           string
	}{
		{"too few", [][]float32{{1, 0}}, nil, "got 1 for strings"},
		{"dimensions differ", [][]float32{{1, 0}, {1, 0, 0}}, [][]float32{{1, 0}}, "dimension 3"},
		{"empty", [][]float32{{}, {}}, [][]float32{{}}, "empty"},
		{"cancel out", [][]float32{{1, 0}, {0, 1}}, [][]float32{{-1, -1}}, "no direction"},
		{"not a number", [][]float32{{1, 0}, {0, nan}}, [][]float32{{1, 0}}, "not finite"},
	} {
		_, err := New(formula(t, "A AND B AND image:x.jpg"), Simple).Vectors(c.strings, c.items)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got error %v, want %q", c.name, err, c.want)
		}
	}
}

func TestParseStyle(t *testing.T) {
	for _, s := range []Style{Simple, Contextual, Centroid} {
		if got, err := ParseStyle(s.String()); err != nil || got != s {
			t.Errorf("ParseStyle(%q) = %v, %v", s, got, err)
		}
	}
	if _, err := ParseStyle("fancy"); err == nil || !strings.Contains(err.Error(), "simple, contextual, centroid") {
		t.Errorf("ParseStyle(fancy): got error %v", err)
	}
}

func formula(t *testing.T, text string) *query.Formula {
	t.Helper()
	f, err := query.ParseFormula(text)
	if err != nil {
		t.Fatal(err)
	}
	return f
}
