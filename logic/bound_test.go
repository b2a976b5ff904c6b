package logic

import (
	"flag"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/nsfl-go/nsfl/query"
)

// cases is the number of random formulas of a long test.
var cases = flag.Int("cases", 12_000, "random formulas; make sphere-check tries 60,000")

// TestBound: no document scores more than its similarities to the streams allow, for any
// formula, options, mixture and number of passages.
func TestBound(t *testing.T) {
	r := rand.New(rand.NewPCG(18, 18))
	cases := *cases
	if testing.Short() {
		cases = min(cases, 6000)
	}
	bounded, tight, held := 0, 0, 0
	for range cases {
		f, err := query.Normalize(randomFormula(r, 1+r.IntN(3)))
		if err != nil || f.Root == nil || f.Terms.Len() > 40 {
			continue
		}
		o := randomOptions(r)
		if r.IntN(2) == 0 {
			o.Similarity = Clamp
		}
		if r.IntN(3) == 0 {
			o.GateCap = 0.1 + 0.9*r.Float64()
		}
		if r.IntN(2) == 0 {
			o.Words = r.Float64()
		}
		p, err := Compile(f, o)
		if err != nil {
			t.Fatal(err)
		}
		b, ok := p.Bound(func(pieces [][]float64) []float64 { return simplex(r, len(pieces)) })
		if !ok {
			continue
		}
		bounded++
		c := newCrowd(r, f, 12)
		columns := c.columns
		if o.Words > 0 {
			columns = append(columns[:len(columns):len(columns)], c.shares...)
		}
		scores := make([]float32, 12)
		maxima, err := p.Rank(scores, columns)
		if err != nil {
			t.Fatal(err)
		}
		for i, score := range scores {
			beyond := c.beyond(b.Streams, i)
			lexical := 0.0
			if o.Words > 0 {
				most := make([]float32, len(c.shares))
				for a := range most {
					most[a] = c.shares[a][i]
				}
				lexical = b.Lexical(most)
			}
			if b.Holds(beyond, maxima) {
				held++
			}
			// Nor does it exceed the maximum of a gate.
			own, err := p.Maxima(one(columns, i))
			if err != nil {
				t.Fatal(err)
			}
			for g, l := range b.gates {
				if l != nil && own[g] > b.value(l, beyond)+1e-5 {
					t.Fatalf("%s with %+v: a gate is of %v, its bound %v", f.Root, o, own[g], b.value(l, beyond))
				}
			}
			bound := b.Score(beyond, maxima, lexical)
			if float64(score) > bound+1e-5 {
				t.Fatalf("%s with %+v: the score is %v, its bound %v", f.Root, o, score, bound)
			}
			if bound-float64(score) < 0.1 {
				tight++
			}
		}
	}
	t.Logf("%d of %d formulas have a bound; %d of %d bounds are within 0.1 of the score, gates hold in %d", bounded, cases, tight, 12*bounded, held)
	if bounded < cases/2 || tight < bounded || held < bounded {
		t.Errorf("bounds say too little: %d of %d formulas have one, %d of %d are near", bounded, cases, tight, 12*bounded)
	}
}

// one returns the columns of one document.
func one(columns [][]float32, i int) (out [][]float32) {
	for _, c := range columns {
		out = append(out, c[i:i+1])
	}
	return out
}

// simplex returns random weights with sum 1, some of them 0.
func simplex(r *rand.Rand, n int) []float64 {
	out, sum := make([]float64, n), 0.0
	for i := range out {
		out[i] = max(0, r.Float64()-0.3)
		sum += out[i]
	}
	for i := range out {
		if out[i] /= sum; sum == 0 {
			out[i] = 1 / float64(n)
		}
	}
	return out
}

// crowd is a set of documents with one or more vectors.
type crowd struct {
	terms, shares [][]float32
	rows          [][][]float32 // by document
	columns       [][]float32   // similarities of documents to terms
}

func newCrowd(r *rand.Rand, f *query.Formula, n int) *crowd {
	dim := 2 + r.IntN(6)
	lean := r.Float64()
	vector := func() []float32 {
		v, length := make([]float32, dim), 0.0
		for i := range v {
			v[i] = float32(r.NormFloat64() + lean)
			length += float64(v[i]) * float64(v[i])
		}
		for i := range v {
			v[i] /= float32(math.Sqrt(length))
		}
		return v
	}
	c := &crowd{}
	for range f.Terms.Len() {
		c.terms = append(c.terms, vector())
	}
	for range n {
		rows := [][]float32{vector()}
		if r.IntN(2) == 0 {
			rows = append(rows, vector(), vector(), vector())
		}
		c.rows = append(c.rows, rows)
	}
	for _, v := range c.terms {
		column := make([]float32, n)
		for i := range column {
			column[i] = float32(c.similarity(i, v, 1))
		}
		c.columns = append(c.columns, column)
	}
	for range f.Terms.Atoms() {
		column := make([]float32, n)
		for i := range column {
			column[i] = float32(max(least, 1.25*r.Float64()-0.25))
		}
		c.shares = append(c.shares, column)
	}
	return c
}

// similarity of a document to a vector of any length, as defined in package engine.
func (c *crowd) similarity(i int, v []float32, scale float64) float64 {
	dot := func(row []float32) (sum float64) {
		for k, x := range row {
			sum += float64(x) * float64(v[k])
		}
		return sum * scale
	}
	whole := dot(c.rows[i][0])
	if len(c.rows[i]) == 1 {
		return whole
	}
	best := math.Inf(-1)
	for _, row := range c.rows[i][1:] {
		best = max(best, dot(row))
	}
	return (whole + best) / 2
}

// beyond returns the similarities of a document to streams.
func (c *crowd) beyond(streams [][]float64, i int) (out []float64) {
	for _, s := range streams {
		v := make([]float32, len(c.terms[0]))
		for t, x := range s {
			for k := range v {
				v[k] += float32(x * float64(c.terms[t][k]))
			}
		}
		out = append(out, c.similarity(i, v, 1))
	}
	return out
}
