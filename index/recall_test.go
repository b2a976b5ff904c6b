package index

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/internal/frozen"
	"github.com/nsfl-go/nsfl/internal/vec"
)

// realVectors returns vectors of an encoder. They were stored as int8 and are reflected
// here, since int8 codes would otherwise reproduce them exactly.
func realVectors(tb testing.TB, name string) [][]float32 {
	tb.Helper()
	rows := frozen.Vectors(tb, name)
	mirror := randomVector(rand.New(rand.NewPCG(1, 2)), len(rows[0]))
	must(tb, vec.Normalize(mirror))
	for _, row := range rows {
		vec.AddScaled(row, mirror, -2*vec.Dot(row, mirror))
	}
	return rows
}

// clustered generates vectors in some 2000 clusters, each a combination of some of 50
// directions, like texts about a detail of a subject: pools of 1000 do not consist of
// noise.
func clustered(r *rand.Rand, n, dim int) func() []float32 {
	subjects, details := make([][]float32, 1+n/2000), make([][]float32, 1+n/50)
	for i := range subjects {
		subjects[i] = randomVector(r, dim)
	}
	for i := range details {
		details[i] = randomVector(r, dim)
		vec.AddScaled(details[i], subjects[r.IntN(len(subjects))], 1.5)
	}
	return func() []float32 {
		v := randomVector(r, dim)
		vec.AddScaled(v, details[r.IntN(len(details))], 1)
		return v
	}
}

// withPassages groups vectors into documents of a whole and three passages.
func withPassages(vectors [][]float32) []engine.Document {
	var docs []engine.Document
	for i := 0; i+4 <= len(vectors); i += 4 {
		d := engine.Document{ID: fmt.Sprint(i), Vector: vectors[i]}
		for _, v := range vectors[i+1 : i+4] {
			d.Passages = append(d.Passages, engine.Passage{Vector: v})
		}
		docs = append(docs, d)
	}
	return docs
}

func asDocuments(vectors [][]float32) []engine.Document {
	docs := make([]engine.Document, len(vectors))
	for i, v := range vectors {
		docs[i] = engine.Document{ID: fmt.Sprint(i), Vector: v}
	}
	return docs
}

// TestRecall measures the fraction of the 1000 best documents that the codes find.
func TestRecall(t *testing.T) {
	if testing.Short() {
		t.Skip("codes tens of thousands of vectors")
	}
	const k = 1000
	r := source(t, 18)
	sets := map[string]func(t *testing.T) (docs []engine.Document, queries [][]float32){
		"films": func(t *testing.T) ([]engine.Document, [][]float32) {
			return asDocuments(realVectors(t, "films.docs")), realVectors(t, "strings")
		},
		"captions": func(t *testing.T) ([]engine.Document, [][]float32) {
			return asDocuments(realVectors(t, "coco.pass")), realVectors(t, "strings")
		},
		"captions as passages": func(t *testing.T) ([]engine.Document, [][]float32) {
			return withPassages(realVectors(t, "coco.pass")), realVectors(t, "strings")
		},
		"clusters": func(*testing.T) ([]engine.Document, [][]float32) {
			next := clustered(r, 40_000, 384)
			vectors := make([][]float32, 40_000)
			for i := range vectors {
				vectors[i] = next()
			}
			queries := make([][]float32, 200)
			for i := range queries {
				queries[i] = next()
			}
			return asDocuments(vectors), queries
		},
	}
	for set, load := range sets {
		t.Run(set, func(t *testing.T) {
			docs, strings := load(t)
			var queries [][]float32
			for i := 0; i < len(strings); i += max(1, len(strings)/40) {
				queries = append(queries, strings[i])
			}
			const want = 0.995
			c := create(t, Options{Dimension: len(docs[0].Vector)})
			must(t, c.Upsert(t.Context(), docs))
			recall := measureRecall(t, c, queries, k)
			t.Logf("recall@%d from %d of %d documents: %.4f", k, codeCandidates(k), len(docs), recall)
			if recall < want {
				t.Errorf("recall@%d: got %.4f, want at least %g", k, recall, want)
			}
		})
	}
}

func measureRecall(tb testing.TB, c *Collection, queries [][]float32, k int) float64 {
	tb.Helper()
	columns, err := c.Scan(tb.Context(), queries, nil)
	must(tb, err)
	// TopK itself would scan the vectors in collections this small.
	var hits [][]Hit
	var beyond []float32
	must(tb, c.searching(tb.Context(), "searching", queries, nil, func(s *search) error {
		s.passAll()
		n, err := s.nearestByCodes(tb.Context(), k, nil)
		hits, beyond = s.hits(n), n.beyond
		return err
	}))
	for j := range beyond {
		there := map[engine.Ref]bool{}
		for _, h := range hits[j] {
			there[h.Ref] = true
		}
		for i, x := range columns.Similarities[j] {
			if x > beyond[j] && !there[columns.Refs[i]] {
				tb.Fatalf("query %d: a document left out has similarity %v, above the bound %v", j, x, beyond[j])
			}
		}
		if last := hits[j][len(hits[j])-1].Similarity; beyond[j] > last+0.05 {
			tb.Errorf("query %d: the last hit has similarity %v, below the bound %v of the rest", j, last, beyond[j])
		}
	}
	found := 0
	for j := range queries {
		best := vec.NewTopK(k)
		best.Push(0, columns.Similarities[j])
		lines, _ := best.Ranked()
		exact := make(map[engine.Ref]bool, k)
		for _, i := range lines {
			exact[columns.Refs[i]] = true
		}
		for _, h := range hits[j] {
			if exact[h.Ref] {
				found++
			}
		}
	}
	return float64(found) / float64(k*len(queries))
}
