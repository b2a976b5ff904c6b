package sphere_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/nsfl-go/nsfl/fusion"
	"github.com/nsfl-go/nsfl/internal/frozen"
	"github.com/nsfl-go/nsfl/logic"
	"github.com/nsfl-go/nsfl/query"
)

// The six templates of the paper.
var templates = []string{"A AND B", "A AND B AND C", "A AND NOT B", "A AND B AND NOT C", "A OR B", "A OR B OR C"}

// nested formulas; some have a closed form and some need the search.
var nested = []string{
	"(A OR B) AND C",
	"(A OR B) AND C AND NOT D",
	"(A OR B) AND NOT C",
	"A AND NOT B AND NOT C",
	"A AND B AND C AND NOT D AND NOT E",
	"A^3 AND B AND NOT C^2",
	"NOT A",
	"NOT A AND NOT B",
	"A AND NOT (B AND C)",
	"((A AND NOT B) OR C) AND D",
	"A AND B AND C AND D AND E AND F",
}

// instance is a formula with a vector for each of its terms.
type instance struct {
	objective *logic.Objective
	vectors   [][]float32
}

func compile(t testing.TB, text string, o logic.Options) (*query.Formula, *logic.Objective) {
	f, err := query.ParseFormula(text)
	if err != nil {
		t.Fatal(err)
	}
	p, err := logic.Compile(f, o)
	if err != nil {
		t.Fatal(err)
	}
	return f, p.Objective()
}

// correlated draws vectors related to each other like an encoder's. Atoms share a common
// direction, as all texts of a corpus do. A fusion lies near the weighted sum of its atoms,
// plus a direction of its own. The parameters vary around those of MiniLM on short labels,
// where two atoms have a cosine of 0.25 ± 0.15, and a fusion and its atom 0.65 ± 0.15.
func correlated(t testing.TB, text string, d int, random *rand.Rand) instance {
	f, objective := compile(t, text, logic.Options{})
	common := gaussian(d, random)
	atoms := map[string][]float64{}
	in := instance{objective: objective}
	share := 0.7 * random.Float64()
	noise := 0.2 + 0.8*random.Float64()
	for i := range f.Terms.Len() {
		v := make([]float64, d)
		for leaf := range query.Atoms(f.Terms.At(i)) {
			name := leaf.Text
			if atoms[name] == nil {
				a := gaussian(d, random)
				for j := range a {
					a[j] += share * common[j]
				}
				atoms[name] = a
			}
			if f.Terms.At(i) == query.Node(leaf) {
				copy(v, atoms[name])
				continue
			}
			strength := 0.4 + 1.2*random.Float64()
			for j, x := range atoms[name] {
				v[j] += strength * x
			}
		}
		if !query.IsAtom(f.Terms.At(i)) {
			for j, x := range gaussian(d, random) {
				v[j] += noise * x
			}
		}
		in.vectors = append(in.vectors, unit(v))
	}
	return in
}

// independent draws unrelated vectors, which are unrealistic but cover every corner of the
// geometry.
func independent(t testing.TB, text string, d int, random *rand.Rand) instance {
	f, objective := compile(t, text, logic.Options{})
	in := instance{objective: objective}
	for range f.Terms.Len() {
		in.vectors = append(in.vectors, unit(gaussian(d, random)))
	}
	return in
}

// real returns instances with the vectors of the development queries.
func real(t testing.TB, o logic.Options) (out []instance) {
	strings := frozen.Strings(t)
	for _, set := range []string{"coco", "films"} {
		for _, q := range frozen.Queries(t, set) {
			for _, style := range []fusion.Style{fusion.Simple, fusion.Contextual} {
				f, objective := compile(t, q.Formula, o)
				plan := fusion.New(f, style)
				encoded := make([][]float32, len(plan.Strings))
				for i, s := range plan.Strings {
					if encoded[i] = strings[s]; encoded[i] == nil {
						t.Fatalf("%s: no frozen vector for %q", q.ID, s)
					}
				}
				vectors, err := plan.Vectors(encoded, nil)
				if err != nil {
					t.Fatal(err)
				}
				out = append(out, instance{objective, vectors})
			}
		}
	}
	return out
}

func gaussian(d int, random *rand.Rand) []float64 {
	out := make([]float64, d)
	for i := range out {
		out[i] = random.NormFloat64()
	}
	return out
}

func unit(v []float64) []float32 {
	var norm float64
	for _, x := range v {
		norm += x * x
	}
	norm = math.Sqrt(norm)
	out := make([]float32, len(v))
	for i, x := range v {
		out[i] = float32(x / norm)
	}
	return out
}
