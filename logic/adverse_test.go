package logic

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// Adverse queries and pools: scores must be finite, documents ordered, and explanations
// complete.

var calculi = []Options{
	{},
	{GateCap: 0.5},
	{Gate: Gate{Kind: Ungated}, GateCap: 0.5, Similarity: Raw},
	{Similarity: Affine},
}

func TestAdverse(t *testing.T) {
	r := rand.New(rand.NewPCG(71, 71))
	const n = 40
	pools := []struct {
		name  string
		value func(term, doc int) float32
	}{
		{"nothing resembles anything", func(int, int) float32 { return 0 }},
		{"all are opposite", func(int, int) float32 { return -0.3 }},
		{"all are the same", func(int, int) float32 { return 0.4 }},
		{"all terms are synonyms", func(term, doc int) float32 { return float32(doc)/n + 1e-7*float32(term) }},
		{"one document has all", func(_, doc int) float32 { return float32(doc / (n - 1)) }},
		{"the least numbers", func(term, doc int) float32 { return math.SmallestNonzeroFloat32 * float32(term+doc) }},
		{"any", func(int, int) float32 { return 2*r.Float32() - 1 }},
	}
	formulas := []string{
		"A", "NOT A", "A AND NOT A", "A OR NOT A", "A AND B", "A AND B AND NOT A", "(A AND NOT A) OR B", "(A OR NOT A) AND B",
		"A AND NOT B", "A AND B AND NOT C", "A OR B", "NOT (A AND NOT (B OR C))", fifty(" AND "), fifty(" OR "), "A AND NOT (" + fifty(" AND ") + ")",
	}
	for _, o := range calculi {
		for _, pool := range pools {
			for _, text := range formulas {
				p := compile(t, text, o)
				columns := make([][]float32, p.Formula().Terms.Len())
				for term := range columns {
					for doc := range n {
						columns[term] = append(columns[term], pool.value(term, doc))
					}
				}
				for _, size := range []int{n, 1, 0} { // including a pool of one, and an empty one
					for term := range columns {
						columns[term] = columns[term][:size]
					}
					where := fmt.Sprintf("%+v, %s, %.40s, %d documents", o, pool.name, text, size)
					adverse(t, where, p, columns)
				}
			}
		}
	}
}

func adverse(t *testing.T, where string, p *Program, columns [][]float32) {
	t.Helper()
	scores := make([]float32, len(columns[0]))
	s, err := p.Rank(scores, columns)
	if err != nil {
		t.Fatalf("%s: %v", where, err)
	}
	for i, score := range scores {
		if v := float64(score); math.IsNaN(v) || math.IsInf(v, 0) {
			t.Fatalf("%s: document %d scores %v", where, i, v)
		}
	}
	if len(scores) == 0 {
		return
	}
	cosines := make([]float32, len(columns))
	for c := range columns {
		cosines[c] = columns[c][0]
	}
	x, err := p.Explain(cosines, s)
	if err != nil {
		t.Fatalf("%s: %v", where, err)
	}
	if float32(x.Score) != scores[0] {
		t.Fatalf("%s: scores %v but is explained as %v", where, scores[0], x.Score)
	}
	data, err := json.Marshal(x) // which cannot encode a NaN
	if err != nil || strings.Contains(string(data), `"sentence":""`) || strings.Contains(string(data), "NaN") || strings.Contains(string(data), "Inf") {
		t.Fatalf("%s: %s, %v", where, data, err)
	}
}

func fifty(join string) string {
	names := make([]string, 50)
	for i := range names {
		names[i] = fmt.Sprintf("w%d", i)
	}
	return strings.Join(names, join)
}

// TestContradiction: a part that is both wanted and unwanted counts as wanted.
func TestContradiction(t *testing.T) {
	r := rand.New(rand.NewPCG(72, 72))
	columns, _ := randomPool(r, parse(t, "A AND NOT A"), 200)
	plain := rank(t, compile(t, "A", Options{}), columns[:1])
	if got := rank(t, compile(t, "A AND NOT A", Options{}), columns); !slices.Equal(got, plain) {
		t.Error("the contradiction does not score like A")
	}
}

// TestTautology: a tautology is a negated contradiction, since A OR NOT A is NOT (NOT A
// AND A), so it is ranked like NOT A.
func TestTautology(t *testing.T) {
	r := rand.New(rand.NewPCG(73, 73))
	p := compile(t, "A OR NOT A", Options{})
	if got := p.Formula().Root.String(); got != "NOT (NOT A AND A)" {
		t.Fatal(got)
	}
	columns, _ := randomPool(r, p.Formula(), 200)
	if !slices.Equal(rank(t, p, columns), rank(t, compile(t, "NOT A", Options{}), columns[:2])) {
		t.Error("the tautology does not score like NOT A")
	}
}

// TestNegatedSynonym: a negated synonym of A is indistinguishable from A and leaves the
// order of A.
func TestNegatedSynonym(t *testing.T) {
	const n = 100
	columns := make([][]float32, 4) // A, B, A AND B, A AND NOT B
	for i := range n {
		a := 0.6 * float32(i) / n
		for c := range columns {
			columns[c] = append(columns[c], a+1e-6*float32(c))
		}
	}
	scores := rank(t, compile(t, "A AND NOT B", Options{}), columns)
	if !slices.IsSorted(scores) || !near(scores, columns[0], 1e-5) {
		t.Errorf("the order of A is lost: %v", scores)
	}
}

// TestAbsentAtom: an atom that no document resembles does not affect the order.
func TestAbsentAtom(t *testing.T) {
	r := rand.New(rand.NewPCG(74, 74))
	columns, _ := randomPool(r, parse(t, "A AND NOT B"), 100)
	for i := range columns[1] {
		columns[1][i] = -0.5 * r.Float32()
	}
	alone := rank(t, compile(t, "A", Options{}), columns[:1])
	without := rank(t, compile(t, "A AND NOT B", Options{}), columns)
	for i := range without {
		for j := range without {
			if alone[i] > alone[j] && !(without[i] > without[j]) {
				t.Fatalf("%v before %v in A, but %v and %v without B", alone[i], alone[j], without[i], without[j])
			}
		}
	}
	// As a positive part, it lets the fusion decide alone, and the rest count against it.
	p := compile(t, "A AND B", Options{})
	scores := rank(t, p, columns[:3])
	for i := range scores {
		a, f := max(0, columns[0][i]), max(0, columns[2][i])
		if want := 2*f - a; f <= a && math.Abs(float64(scores[i]-want)) > 1e-6 {
			t.Fatalf("document %d scores %v, want %v", i, scores[i], want)
		}
	}
}
