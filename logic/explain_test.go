package logic

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl/query"
)

// TestExplanationsAgreeWithScores: an explanation has the program's score, and every
// number in it follows from those below it.
func TestExplanationsAgreeWithScores(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 21))
	floors := map[Floor]int{}
	for range 2000 {
		o := cappedOptions(r)
		f, err := query.Normalize(randomFormula(r, 3))
		if err != nil {
			t.Fatal(err)
		}
		p, err := Compile(f, o)
		if err != nil {
			t.Fatal(err)
		}
		columns, docs := randomPool(r, f, 8)
		scores := rank(t, p, columns)
		maxima, _ := p.Maxima(columns)
		for i := range docs {
			cosines := make([]float32, len(columns))
			for c := range columns {
				cosines[c] = columns[c][i]
			}
			x, err := p.Explain(cosines, maxima)
			if err != nil {
				t.Fatal(err)
			}
			if float32(x.Score) != scores[i] {
				t.Fatalf("%s scores %v but is explained as %v", f.Root, scores[i], x.Score)
			}
			recompute(t, x, o, floors)
		}
	}
	for _, f := range []Floor{NoFloor, Reinforcement, Departure} {
		if floors[f] == 0 {
			t.Errorf("no explanation had the floor %v", f)
		}
	}
}

// recompute derives the score of an explanation from its contents.
func recompute(t *testing.T, x *Explanation, o Options, floors map[Floor]int) {
	t.Helper()
	if x.Sentence == "" {
		t.Fatalf("%s is not put into words", x.Formula)
	}
	for _, part := range x.Parts {
		recompute(t, part, o, floors)
	}
	var want float64
	n := len(x.Similarities)
	switch x.Rule {
	case "similarity":
		return
	case "and":
		fused := x.Similarities[n-1].Value
		want = fused
		used := 0
		for _, d := range x.Deltas {
			if d.Used {
				want += o.And.Value() * d.Value
				used++
			}
		}
		if (used == 0) != (x.Floor == Reinforcement) || used > 1 {
			t.Fatalf("%s: floor %v, but %d deltas used", x.Formula, x.Floor, used)
		}
		want += x.Tilt
		if *x.Regime != Superadditive && x.Floor == Reinforcement {
			t.Fatalf("%s: reinforced in the regime %v", x.Formula, *x.Regime)
		}
	case "not":
		want = x.Similarities[0].Value
		for j, g := range x.Gates {
			if g.Floor == NoFloor && math.Abs(g.Penalty) > 1e-12 && math.Signbit(g.Penalty) != math.Signbit(x.Deltas[j].Value) {
				t.Fatalf("%s: penalty %v for a delta of %v", x.Formula, g.Penalty, x.Deltas[j].Value)
			}
			// Raw cosines can be negative, and then exceed their own sum.
			if g.Floor == Departure && g.Regime != StrongDecrease && o.Similarity != Raw {
				t.Fatalf("%s: departure in the regime %v", x.Formula, g.Regime)
			}
			want -= g.Penalty
		}
	case "against":
		want = math.Inf(1)
		for _, g := range x.Gates {
			want = min(want, 1-g.Penalty)
		}
	case "or":
		best := math.Inf(-1)
		for _, s := range x.Similarities {
			best = max(best, s.Value)
		}
		want = best
		if x.Floor == Departure {
			want = x.Similarities[n-1].Value
		} else if x.Score < best && strings.Contains(x.Formula, "^") {
			want = x.Score // a discounted alternative
		}
	case "at least":
		want = x.Score // a discounted part
		if !strings.Contains(x.Formula, "^") {
			var k int
			if _, err := fmt.Sscanf(x.Formula, "%d OF", &k); err != nil {
				t.Fatal(err)
			}
			slices.SortFunc(x.Similarities, func(a, b Named) int { return cmp.Compare(b.Value, a.Value) })
			want = x.Similarities[k-1].Value / 2
			for _, s := range x.Similarities[:k] {
				want += s.Value / float64(2*k)
			}
		}
	default:
		t.Fatalf("unknown rule %q", x.Rule)
	}
	floors[x.Floor]++
	if math.Abs(want-x.Score) > 1e-9 {
		data, _ := json.MarshalIndent(x, "", " ")
		t.Fatalf("the parts of this explanation give %v:\n%s", want, data)
	}
}

func TestSentences(t *testing.T) {
	for _, c := range []struct {
		formula string
		cosines []float32
		maxima  []float64
		want    string
	}{
		{"dog AND giraffe", []float32{0.35, 0.20, 0.27}, nil, "“dog” alone matches with 0.350, but together with “giraffe” only with 0.270: the weaker part is missing, which costs 0.080 more"},
		{"dog AND man", []float32{0.35, 0.30, 0.44}, nil, "“dog” matches with 0.350 and together with “man” even with 0.440: all parts are there, which earns 0.090 more"},
		{"dog AND man", []float32{0.2, 0.2, 0.5}, nil, "the parts together (0.500) match better than the sum of each alone, so the fused similarity stands"},
		{"dog AND NOT man", []float32{0.35, 0.30, 0.44, 0}, []float64{0.6}, "“dog” scores 0.350; “man” is there (gate 0.500, delta +0.090), which costs 0.045"},
		{"dog AND NOT giraffe", []float32{0.35, 0.20, 0.27, 0}, []float64{0.4}, "“dog” scores 0.350; “giraffe” pulls away from it (gate 0.500, delta −0.080), which earns 0.040"},
		{"dog AND NOT giraffe", []float32{0.35, 0, 0.27, 0}, []float64{0.4}, "“dog” scores 0.350; “giraffe” is not there and changes nothing"},
		{"dog AND NOT cat", []float32{0.35, 0.30, 0.2, 0}, []float64{0.6}, "“dog” scores 0.350; together with “cat” it matches worse than either alone (delta −0.150): the encoder rejects both, which costs 0.150"},
		{"dog AND NOT dog", []float32{0.35, 0}, []float64{0.6}, "“dog” scores 0.350; “dog” is wanted and unwanted at once: a contradiction, which changes nothing"},
		{"dog AND NOT cat", []float32{0.35, 0.30, 0.35, 0}, []float64{0.6}, "“dog” scores 0.350; “cat” brings nothing to it (delta 0) and changes nothing"},
		{"dog OR cat", []float32{0.35, 0.1, 0.3}, nil, "the best of the alternatives is “dog” with 0.350"},
		{"dog OR cat", []float32{0.35, 0.3, 0.2}, nil, "the alternatives together match worse (0.200) than any alone: the encoder rejects them all, and that lower value counts"},
		{"NOT dog", []float32{0.1, 0}, []float64{0.4}, "nothing is wanted but the absence of “dog”, which matches with 0.100 where the strongest match is 0.400"},
		{"dog", []float32{0.1}, nil, "similarity to “dog” is 0.100"},
	} {
		says(t, c.formula, Options{}, c.cosines, c.maxima, c.want)
	}
}

func says(t *testing.T, formula string, o Options, cosines []float32, maxima []float64, want string) {
	t.Helper()
	x, err := compile(t, formula, o).Explain(cosines, maxima)
	if err != nil {
		t.Fatal(err)
	}
	if x.Sentence != want {
		t.Errorf("%s:\n%s\nwant\n%s", formula, x.Sentence, want)
	}
}

func TestSentencesOfOptions(t *testing.T) {
	one := []float64{0.6}
	man := []float32{0.35, 0.30, 0.44, 0}
	for _, c := range []struct {
		formula string
		o       Options
		cosines []float32
		maxima  []float64
		want    string
	}{
		{"dog AND NOT man", Options{GateCap: 0.4}, man, one, "“dog” scores 0.350; “man” is there (gate capped at 0.400, delta +0.090), which costs 0.036"},
		{"dog AND NOT man", Options{Not: C(0)}, man, one, "“dog” scores 0.350; “man” does not count, since the coefficient of NOT is 0"},
		{"dog AND NOT man", Options{GateCap: 0.6}, man, one, "“dog” scores 0.350; “man” is there (gate 0.500, delta +0.090), which costs 0.045"},
		{"dog AND NOT man", Options{Gate: Gate{Kind: Ungated}, GateCap: 0.5}, man, nil, "“dog” scores 0.350; “man” is there (gate capped at 0.500, delta +0.090), which costs 0.045"},
		{"NOT man", Options{GateCap: 0.25}, []float32{0.3, 0}, one, "nothing is wanted but the absence of “man”, which matches with 0.300 where the strongest match is 0.600 (gate capped at 0.250)"},
	} {
		says(t, c.formula, c.o, c.cosines, c.maxima, c.want)
	}
}

func TestExplanationAsJSON(t *testing.T) {
	x, err := compile(t, "dog AND NOT man", Options{}).Explain([]float32{0.5, 0.25, 0.75, 0}, []float64{0.5})
	if err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(x)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"rule":"not"`, `"deltas":[{"of":"man","given":"dog","fused":"dog AND man","value":0.25,"used":true}]`, `"regime":"subadditive"`} {
		if !strings.Contains(string(data), want) {
			t.Errorf("no %s in %s", want, data)
		}
	}
}

// TestExplainLongFormula: an explanation grows with the parts of a formula, not with
// their product, and every part it explains has the name under which it is used.
func TestExplainLongFormula(t *testing.T) {
	atoms := make([]string, query.MaxLeaves)
	for i := range atoms {
		atoms[i] = fmt.Sprintf("atom%d %s", i, strings.Repeat("x", 80))
	}
	for _, text := range []string{
		strings.Join(atoms, " AND "), strings.Join(atoms, " OR "), strings.Join(atoms, " AND NOT "),
		"(" + strings.Join(atoms[:32], " AND ") + ") OR (" + strings.Join(atoms[32:], " AND NOT ") + ")",
	} {
		f, err := query.ParseFormula(text)
		if err != nil {
			t.Fatal(err)
		}
		p, err := Compile(f, Options{})
		if err != nil {
			t.Fatal(err)
		}
		cosines := make([]float32, p.Columns())
		for i := range cosines {
			cosines[i] = 0.5 + float32(i)/1000
		}
		maxima := make([]float64, len(p.gates))
		for i := range maxima {
			maxima[i] = 1
		}
		x, err := p.Explain(cosines, maxima)
		if err != nil {
			t.Fatal(err)
		}
		content, err := json.Marshal(x)
		if err != nil || len(content) > 128<<10 {
			t.Errorf("%.40s…: an explanation of %d bytes, %v", text, len(content), err)
		}
		for _, part := range x.Parts {
			if !slices.ContainsFunc(x.Similarities, func(s Named) bool { return s.Formula == part.Formula && s.Scored }) {
				t.Errorf("%.40s…: %q is explained, and nowhere used", text, part.Formula)
			}
		}
	}
}
