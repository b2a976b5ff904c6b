package tune

import (
	"context"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl/encoder"
	"github.com/nsfl-go/nsfl/eval/lab"
	"github.com/nsfl-go/nsfl/eval/sets"
	"github.com/nsfl-go/nsfl/internal/vec"
	"github.com/nsfl-go/nsfl/query"
)

// world is an encoder in which words are directions, and a set of documents with some of them.
type world struct {
	seed  uint64
	words []string
	// common is how much all queries, and some documents, have in common.
	common float64
	// noise is added to every vector.
	noise     float64
	documents int
	queries   int // queries per template
}

const dimension = 24

var _ encoder.Encoder = world{}

func (w world) Identity() encoder.Identity {
	return encoder.Identity{Name: "world", Dimension: dimension}
}

func (w world) Encode(ctx context.Context, role encoder.Role, texts []string) (encoder.Encoded, error) {
	out := encoder.Encoded{Cut: make([]bool, len(texts))}
	for _, text := range texts {
		out.Vectors = append(out.Vectors, w.vector(role, text))
	}
	return out, ctx.Err()
}

// vector has a direction for each word that occurs. The last direction is the common one,
// which documents have to varying degrees.
func (w world) vector(role encoder.Role, text string) []float32 {
	h := fnv.New64a()
	fmt.Fprint(h, text, w.seed)
	random := rand.New(rand.NewPCG(h.Sum64(), 0))
	v := make([]float32, dimension)
	for i, word := range w.words {
		if strings.Contains(text, word) {
			v[i] = 1
		}
	}
	v[dimension-1] = float32(w.common)
	if role != encoder.Query {
		v[dimension-1] *= 2 * random.Float32()
	}
	for i := range v {
		v[i] += float32(w.noise * random.NormFloat64())
	}
	if vec.Normalize(v) != nil {
		v[0] = 1
	}
	return v
}

// set returns documents with one to three words, and queries of four templates. The texts
// hold the words inside other words, which the encoder sees but a lexical search does not:
// tests learn only about vectors.
func (w world) set(t testing.TB, name string) *sets.Set {
	t.Logf("seed %d", w.seed)
	random := rand.New(rand.NewPCG(w.seed, 1))
	var docs []sets.Document
	for i := range w.documents {
		var own []string
		text := fmt.Sprint(i)
		for _, k := range random.Perm(len(w.words))[:min(len(w.words), 1+random.IntN(3))] {
			own = append(own, w.words[k])
			text += " x" + w.words[k]
		}
		docs = append(docs, sets.Document{ID: fmt.Sprint(i), Passages: []string{text}, Labels: own})
	}
	s := &sets.Set{Name: name, Split: "dev", Documents: func(yield func(sets.Document, error) bool) {
		for _, d := range docs {
			if !yield(d, nil) {
				return
			}
		}
	}}
	for _, template := range []string{"A AND B", "A AND NOT B", "A AND B AND NOT C", "A OR B"} {
		for i := 0; i < w.queries; {
			p := random.Perm(len(w.words))
			formula := strings.NewReplacer("A ", w.words[p[0]]+" ", "B", w.words[p[1]], "C", w.words[p[2]]).Replace(template)
			grades := map[string]int{}
			for _, d := range docs {
				if holds(t, formula, d.Labels) {
					grades[d.ID] = 1
				}
			}
			if len(grades) == 0 {
				continue
			}
			q := sets.Query{ID: fmt.Sprintf("%s %d", template, i), Template: template, Formula: formula}
			q.SetGrades(grades)
			s.Queries = append(s.Queries, q)
			i++
		}
	}
	return s
}

// noise returns a set without any relations: the words of a query occur nowhere else, and
// its relevant documents are random.
func noise(t testing.TB, seed uint64) Data {
	w := world{seed: seed, noise: 1, documents: 80}
	s := w.set(t, "noise")
	random := rand.New(rand.NewPCG(seed, 2))
	for _, template := range []string{"A AND B", "A AND NOT B", "A AND B AND NOT C", "A OR B"} {
		for i := range 8 {
			q := sets.Query{ID: fmt.Sprintf("%s %d", template, i), Template: template}
			q.Formula = strings.NewReplacer("A ", fmt.Sprintf("a%d ", len(s.Queries)), "B", fmt.Sprintf("b%d", len(s.Queries)), "C", fmt.Sprintf("c%d", len(s.Queries))).Replace(template)
			grades := map[string]int{}
			for _, d := range random.Perm(w.documents)[:10] {
				grades[fmt.Sprint(d)] = 1
			}
			q.SetGrades(grades)
			s.Queries = append(s.Queries, q)
		}
	}
	return w.encoded(t, s)
}

// holds reports whether a formula is true of labels.
func holds(t testing.TB, formula string, labels []string) bool {
	n, err := query.Parse(formula)
	if err != nil {
		t.Fatal(err)
	}
	var is func(query.Node) bool
	is = func(n query.Node) bool {
		switch n := n.(type) {
		case *query.Not:
			return !is(n.X)
		case *query.And:
			return !slices.ContainsFunc(n.Parts, func(p query.Node) bool { return !is(p) })
		case *query.Or:
			return slices.ContainsFunc(n.Parts, is)
		}
		return slices.Contains(labels, n.(*query.Atom).Text)
	}
	return is(n)
}

// data returns a set of the world with its vectors.
func (w world) data(t testing.TB, name string) Data { return w.encoded(t, w.set(t, name)) }

func (w world) encoded(t testing.TB, set *sets.Set) Data {
	corpus, err := lab.Encode(t.Context(), w, set, []lab.Passages{lab.Whole}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return Data{Set: set, Corpus: corpus}
}

func tuneWith(t *testing.T, c Config, data ...Data) *Result {
	t.Helper()
	r, err := Run(t.Context(), data, c)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func text(t *testing.T, r *Result) string {
	t.Helper()
	var b strings.Builder
	if err := r.Text(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

var fruit = []string{"apple", "pear", "plum", "fig", "lime", "kiwi", "mango", "grape"}
