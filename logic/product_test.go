package logic

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl/query"
)

// naiveProduct is the calculus of memberships a second time: plain products of
// probabilities, one document at a time.
type naiveProduct struct {
	o    Options
	pool []document
}

func (n naiveProduct) score(f query.Node, d document) float64 {
	return math.Pow(n.membership(f, d), 1/degreeOf(f))
}

func (n naiveProduct) membership(f query.Node, d document) float64 {
	switch f := f.(type) {
	case *query.Not:
		return n.absence(f.X, d)
	case *query.Or:
		return n.either(f.Parts, d)
	case *query.And:
		if or := query.Distribute(f); or != nil {
			return n.either(or.Parts, d)
		}
		c := query.ReadConjunction(f)
		product := 1.0
		for _, p := range c.Pos {
			product *= math.Pow(n.membership(p, d), importance(p))
		}
		if len(c.Pos) > 1 {
			product *= n.term(c.Fused, d)
		}
		for _, u := range c.Neg {
			product *= n.absence(u, d)
		}
		return product
	}
	return n.term(f, d)
}

func (n naiveProduct) absence(f query.Node, d document) float64 {
	left := 1 - n.membership(f, d)
	if n.o.Gate.Cap != 0 {
		left = math.Max(left, 1-n.o.Gate.Cap)
	}
	return math.Pow(left, importance(f))
}

// either adds one alternative after the other, a + b − ab: one less a product
// of ones would lose the digits of what is small.
func (n naiveProduct) either(parts []query.Node, d document) (sum float64) {
	for _, p := range parts {
		m := -math.Expm1(importance(p) * math.Log1p(-n.membership(p, d)))
		sum += m - sum*m
	}
	return sum
}

func (n naiveProduct) term(f query.Node, d document) float64 {
	s := func(d document) float64 { return naive{o: n.o}.similarity(f, d) }
	var mean, variance float64
	for _, other := range n.pool {
		mean += s(other) / float64(len(n.pool))
	}
	for _, other := range n.pool {
		variance += math.Pow(s(other)-mean, 2) / float64(len(n.pool))
	}
	z := (s(d) - mean) / math.Max(0.001, math.Sqrt(variance))
	return 1 / (1 + math.Exp(-1.5*(z-3)))
}

// degreeOf counts what is multiplied.
func degreeOf(f query.Node) float64 {
	widest := func(parts []query.Node) (most float64) {
		for _, p := range parts {
			most = math.Max(most, degreeOf(p))
		}
		return most
	}
	switch f := f.(type) {
	case *query.Not:
		return importance(f.X)
	case *query.Or:
		return widest(f.Parts)
	case *query.And:
		if or := query.Distribute(f); or != nil {
			return widest(or.Parts)
		}
		c := query.ReadConjunction(f)
		var sum float64
		for _, p := range c.Pos {
			sum += importance(p) * degreeOf(p)
		}
		if len(c.Pos) > 1 {
			sum++
		}
		for _, u := range c.Neg {
			sum += importance(u)
		}
		return sum
	}
	return 1
}

func TestRandomProducts(t *testing.T) {
	r := rand.New(rand.NewPCG(51, 51))
	for range 600 {
		o := Options{Operator: Product, Similarity: Similarity(r.IntN(3))}
		if r.IntN(3) == 0 {
			o.Gate.Cap = 0.05 + 0.95*r.Float64()
		}
		f, err := query.Normalize(randomFormula(r, 3))
		if err != nil {
			t.Fatal(err)
		}
		p, err := Compile(f, o)
		if err != nil {
			t.Fatal(err)
		}
		columns, docs := randomPool(r, f, 1+r.IntN(30))
		scores := rank(t, p, columns)
		reference := naiveProduct{o, docs}
		for i, d := range docs {
			want := reference.score(f.Root, d)
			if math.Abs(float64(scores[i])-want) > 1e-6 {
				t.Fatalf("%s with %+v: document %d scores %v, want %v", f.Root, o, i, scores[i], want)
			}
		}
	}
}

// Of the options only Similarity and Gate.Cap matter, and no other terms are
// read than those of the paper's calculus: candidates can be ranked by both.
func TestProductHeeds(t *testing.T) {
	r := rand.New(rand.NewPCG(52, 52))
	for range 300 {
		f, err := query.Normalize(randomFormula(r, 3))
		if err != nil {
			t.Fatal(err)
		}
		o := shapedOptions(r)
		o.Operator = Product
		p, _ := Compile(f, o)
		q, _ := Compile(f, Options{Operator: Product, Similarity: o.Similarity, Gate: Gate{Cap: o.Gate.Cap}})
		columns, _ := randomPool(r, f, 30)
		if !slices.Equal(rank(t, p, columns), rank(t, q, columns)) {
			t.Fatalf("%s with %+v: other options change scores", f.Root, o)
		}
		plain, _ := Compile(f, Options{})
		for term := range columns {
			if p.Reads(term) && !plain.Reads(term) {
				t.Fatalf("%s: %s is read by Product alone", f.Root, f.Terms.At(term))
			}
		}
	}
}

// Scores are in [0, 1], and where an atom is only wanted or only unwanted they
// go with it or against it.
func TestProductIsMonotone(t *testing.T) {
	r := rand.New(rand.NewPCG(53, 53))
	steps, moved := 0, 0
	for range 400 {
		f, err := query.Normalize(randomFormula(r, 3))
		if err != nil {
			t.Fatal(err)
		}
		p, _ := Compile(f, Options{Operator: Product, Similarity: Raw})
		columns, _ := randomPool(r, f, 50)
		s, err := p.Statistics(columns)
		if err != nil {
			t.Fatal(err)
		}
		at := make([][]float32, len(columns))
		before, after := make([]float32, 1), make([]float32, 1)
		for term := range columns {
			direction := polarity(f.Root, f.Terms.At(term).String(), 1)
			for c := range columns {
				at[c] = []float32{columns[c][0]}
			}
			for v := float32(-1); v < 1; v += 0.25 {
				at[term][0] = v
				must(t, p.Score(before, at, s))
				at[term][0] = v + 0.25
				must(t, p.Score(after, at, s))
				if !(before[0] >= 0 && before[0] <= 1) {
					t.Fatalf("%s scores %v", f.Root, before[0])
				}
				if change := float64(after[0] - before[0]); direction == +1 && change < -1e-6 || direction == -1 && change > 1e-6 {
					t.Fatalf("%s: more of %s changes the score from %v to %v", f.Root, f.Terms.At(term), before[0], after[0])
				}
				if steps++; after[0] != before[0] {
					moved++
				}
			}
		}
	}
	if moved < steps/4 {
		t.Errorf("%d of %d steps changed a score: the test proves too little", moved, steps)
	}
}

// polarity is sign where an atom occurs only wanted, −sign where only unwanted,
// 0 where it does not occur, and else mixed.
func polarity(n query.Node, atom string, sign int) int {
	var sum []int
	switch n := n.(type) {
	case *query.Atom:
		if n.Text == atom {
			return sign
		}
		return 0
	case *query.Not:
		return polarity(n.X, atom, -sign)
	case *query.And:
		for _, p := range n.Parts {
			sum = append(sum, polarity(p, atom, sign))
		}
	case *query.Or:
		for _, p := range n.Parts {
			sum = append(sum, polarity(p, atom, sign))
		}
	}
	if slices.Contains(sum, mixed) || slices.Contains(sum, +1) && slices.Contains(sum, -1) {
		return mixed
	}
	for _, s := range sum {
		if s != 0 {
			return s
		}
	}
	return 0
}

const mixed = 2

// A product of many small memberships underflows a float32, and still orders
// documents.
func TestProductOfMany(t *testing.T) {
	var names []string
	for i := range 50 {
		names = append(names, "w"+string(rune('a'+i/26))+string(rune('a'+i%26)))
	}
	for _, text := range []string{strings.Join(names, " AND "), "(" + strings.Join(names[:25], " AND ") + ") OR (" + strings.Join(names[25:], " AND ") + ")"} {
		p := compile(t, text, Options{Operator: Product})
		const n = 400
		columns := make([][]float32, p.Formula().Terms.Len())
		for c := range columns {
			columns[c] = make([]float32, n)
			for i := range columns[c] {
				columns[c][i] = 0.5 * float32(i) / n // better with every document
			}
		}
		scores := rank(t, p, columns)
		for i := 1; i < n; i++ {
			if !(scores[i] > scores[i-1]) {
				t.Fatalf("document %d scores %v, not above %v", i, scores[i], scores[i-1])
			}
		}
		if m := math.Pow(float64(scores[0]), p.ops[len(p.ops)-1].degree); float32(m) != 0 {
			t.Errorf("the smallest membership is %v: the test proves too little", m)
		}
	}
}

// One document far from all others, in a large pool: as far as z can go.
func TestProductOfExtremes(t *testing.T) {
	for _, text := range []string{"A", "NOT A", "A AND NOT B", "A AND B AND NOT C", "NOT (A OR B OR C)", "(A AND NOT B) OR C", "A AND NOT A"} {
		p := compile(t, text, Options{Operator: Product})
		columns := make([][]float32, p.Formula().Terms.Len())
		for c := range columns {
			columns[c] = make([]float32, 50_000)
			columns[c][c] = 1
		}
		for i, s := range rank(t, p, columns) {
			if !(s > 0 && s <= 1) {
				t.Fatalf("%s: document %d scores %v", text, i, s)
			}
		}
	}
}

// A weight is an exponent: what weighs more decides more. Document 0 is an A,
// document 1 a B, and the two are mirror images.
func TestProductWeights(t *testing.T) {
	lead := func(text string) float64 {
		p := compile(t, text, Options{Operator: Product})
		columns := make([][]float32, p.Formula().Terms.Len())
		for term := range columns {
			columns[term] = make([]float32, 30)
			switch p.Formula().Terms.At(term).String() {
			case "A":
				columns[term][0], columns[term][1] = 0.6, 0.3
			case "B":
				columns[term][0], columns[term][1] = 0.3, 0.6
			}
		}
		scores := rank(t, p, columns)
		return p.ops[len(p.ops)-1].degree * (math.Log(float64(scores[0])) - math.Log(float64(scores[1])))
	}
	for _, c := range []struct{ light, heavy string }{
		{"A AND B", "A^3 AND B"},
		{"A AND NOT B", "A AND NOT B^3"},
		{"A AND NOT B", "A^3 AND NOT B"},
		{"A OR B", "A^3 OR B"},
		{"A OR B", "A OR B^0.3"},
	} {
		if light, heavy := lead(c.light), lead(c.heavy); heavy <= light+0.01 {
			t.Errorf("%s: the A leads by %v, in %s by %v", c.heavy, heavy, c.light, light)
		}
	}
	if v := lead("A AND B"); v != 0 {
		t.Errorf("without weights the A leads by %v", v)
	}
}

func TestSpreads(t *testing.T) {
	r := rand.New(rand.NewPCG(54, 54))
	for range 200 {
		values := make([]float64, 1+r.IntN(600))
		shift := r.Float64()
		for i := range values {
			values[i] = shift + r.NormFloat64()*0.01
		}
		var d deviations
		d.add(values[:len(values)/2+1])
		d.add(values[len(values)/2+1:])
		var mean, variance float64
		for _, v := range values {
			mean += v / float64(len(values))
		}
		for _, v := range values {
			variance += (v - mean) * (v - mean) / float64(len(values))
		}
		if s := d.spread(); math.Abs(s.Mean-mean) > 1e-12 || math.Abs(s.Deviation-math.Sqrt(variance)) > 1e-10 {
			t.Fatalf("%+v, want %v and %v", s, mean, math.Sqrt(variance))
		}
	}
	var equal deviations
	equal.add(slices.Repeat([]float64{0.1}, 1000))
	if s := equal.spread(); s != (Spread{Mean: 0.1}) {
		t.Errorf("equal values: %+v", s)
	}
	if s := new(deviations).spread(); s != (Spread{}) {
		t.Errorf("no values: %+v", s)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
