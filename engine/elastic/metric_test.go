package elastic

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/enginetest"
	"github.com/nsfl-go/nsfl/internal/storekit"
	"github.com/nsfl-go/nsfl/internal/vec"
	"github.com/nsfl-go/nsfl/query"
)

// similar are documents whose vectors are a little like each other, of length 1 or of any.
func similar(n int, unit bool) []engine.Document {
	const seed = 7
	r := rand.New(rand.NewPCG(seed, seed))
	docs := make([]engine.Document, n)
	for i := range docs {
		v := make([]float32, dim)
		for j := range v {
			v[j] = float32(r.NormFloat64()) + 0.3
		}
		scale := float32(1 / vec.Norm(v))
		if !unit {
			scale *= float32(0.2 + 5*r.Float64())
		}
		for j := range v {
			v[j] *= scale
		}
		docs[i] = engine.Document{ID: fmt.Sprint("id-", i), Vector: v, Metadata: fmt.Appendf(nil, `{"n": %d}`, i)}
	}
	return docs
}

func cosineOf(a, b []float32) float64 {
	return vec.Dot64(a, b) / math.Sqrt(vec.Dot64(a, a)*vec.Dot64(b, b))
}

// TestMetrics checks for every metric that similarities are cosines, the nearest documents are
// found, and the bound on the others holds.
func TestMetrics(t *testing.T) {
	at := sharedURL(t)
	const k = 10
	for _, c := range []struct {
		similarity, index string
		unit, few         bool
		overlap           float64
		known             bool // what lies beyond
		stray             bool // one vector is of another length than all others
	}{
		{"cosine", "hnsw", false, false, 0.99, true, false},
		{"cosine", "int8_hnsw", false, false, 0.99, true, false},
		{"cosine", "int4_hnsw", false, false, 0.95, true, false},
		{"cosine", "flat", false, false, 1, true, false},
		{"dot_product", "hnsw", true, false, 0.99, true, false},
		{"l2_norm", "hnsw", true, false, 0.99, true, false},
		{"l2_norm", "int8_hnsw", true, false, 0.99, true, false},
		{"max_inner_product", "hnsw", true, false, 0.99, true, false},
		{"max_inner_product", "hnsw", false, true, 1, true, false},
		{"l2_norm", "hnsw", false, true, 1, true, false},
		{"max_inner_product", "hnsw", false, false, 0.5, false, false},
		{"max_inner_product", "hnsw", true, false, 0.9, false, true},
		{"cosine", "", false, false, 1, true, false},
	} {
		name := fmt.Sprintf("%s, %s, unit %t, few %t, stray %t", c.similarity, c.index, c.unit, c.few, c.stray)
		docs := similar(600, c.unit)
		if stray := docs[500].Vector; c.stray {
			for j := range stray {
				stray[j] *= 10
			}
		}
		field := clause{"type": "dense_vector", "dims": dim, "index": false}
		if c.index != "" {
			field = clause{"type": "dense_vector", "dims": dim, "similarity": c.similarity, "index_options": clause{"type": c.index}}
		}
		address := collection(t, at)
		fill(t, address, clause{"embedding": field}, docs)
		s := opened(t, address, engine.Options{})
		if !c.few {
			storeOf(s).Limits.Few, storeOf(s).Limits.Cheap = 0, 0
		}
		found, wanted := 0, 0
		for i, filter := range []query.Node{nil, &query.Predicate{Field: "n", Op: query.Less, Value: "300"}} {
			near, err := storekit.UnitOf(docs[500+i].Vector, dim)
			if err != nil {
				t.Fatal(err)
			}
			columns, err := s.Pool(context.Background(), [][]float32{near}, k, filter, [][]float32{near})
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			passing := docs
			if filter != nil {
				passing = docs[:300]
			}
			all := map[string]float64{}
			var order []float64
			for _, d := range passing {
				all[d.ID] = cosineOf(near, d.Vector)
				order = append(order, all[d.ID])
			}
			slices.Sort(order)
			for i, ref := range columns.Refs {
				x := all[ref.Key]
				if math.Abs(x-float64(columns.Similarities[0][i])) > 1e-5 {
					t.Errorf("%s: %s has %f, want the cosine %f", name, ref.Key, columns.Similarities[0][i], x)
				}
				if x >= order[len(order)-k] {
					found++
				}
				delete(all, ref.Key)
			}
			wanted += k
			if (columns.UnseenBounds != nil) != c.known {
				t.Errorf("%s: beyond the pool is %v", name, columns.UnseenBounds)
			}
			for id, x := range all {
				if c.known && x > float64(columns.UnseenBounds[0])+1e-5 && c.overlap == 1 {
					t.Errorf("%s: %s is left out and has %f, nothing should exceed %f", name, id, x, columns.UnseenBounds[0])
				}
			}
		}
		if float64(found) < c.overlap*float64(wanted) {
			t.Errorf("%s: %d of the %d nearest are found", name, found, wanted)
		}
	}
}

// The scores of the server become the cosines that they are made of.
func TestCosines(t *testing.T) {
	for x := -1.0; x <= 1; x += 0.125 {
		inner := 1 / (1 - x)
		if x >= 0 {
			inner = x + 1
		}
		for similarity, score := range map[string]float64{"cosine": (1 + x) / 2, "dot_product": (1 + x) / 2, "l2_norm": 1 / (1 + 2 - 2*x), "max_inner_product": inner} {
			if got := cosines[similarity](score); math.Abs(got-x) > 1e-9 {
				t.Errorf("%s: a score of %f is a cosine of %f, want %f", similarity, score, got, x)
			}
		}
	}
}

// TestDegraded checks that a missing shard is reported if an answer is possible without it,
// and is an error otherwise.
func TestDegraded(t *testing.T) {
	address := collection(t, sharedURL(t))
	c := clientOf(t, address)
	defer c.Close()
	ctx := context.Background()
	err := c.ask(ctx, "PUT", "?wait_for_active_shards=0", clause{
		"settings": clause{"number_of_shards": 2, "number_of_replicas": 0, "index.routing.allocation.total_shards_per_node": 1},
		"mappings": clause{"properties": vectors(dim, "cosine")},
	}, new(struct{}))
	if err != nil {
		t.Fatal(err)
	}
	docs := enginetest.Documents(20)
	for i := range docs { // to whichever of both shards is there
		for _, routing := range []string{"a", "b", "c", "d", "e", "f"} {
			if c.ask(ctx, "PUT", fmt.Sprintf("/_doc/%s?timeout=1ms&refresh=true&routing=%s", docs[i].ID, routing), clause{"embedding": docs[i].Vector, "n": i}, new(struct{})) == nil {
				break
			}
		}
	}
	s := opened(t, address, engine.Options{})
	v := [][]float32{docs[3].Vector}
	for _, k := range []int{3, 20} {
		columns, err := s.Pool(ctx, v, k, nil, v)
		if err != nil || len(columns.Refs) < 3 || len(columns.Degraded) != 1 {
			t.Errorf("the %d nearest: %+v, %v", k, columns, err)
		}
	}
	if docs, _, err := s.List(ctx, engine.Page{Limit: 100}); err == nil {
		t.Errorf("%d documents are listed, and nothing is said of the others", len(docs))
	}
	if _, err := s.Get(ctx, "id-none", engine.NoParts); err == nil || err == engine.ErrNotFound { //nolint:errorlint // it is to be another
		t.Errorf("a document that may be in what is missing: %v", err)
	}
}
