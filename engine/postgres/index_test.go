package postgres

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/enginetest"
	"github.com/nsfl-go/nsfl/engine/remote"
	"github.com/nsfl-go/nsfl/query"
)

// goods are documents for tables, with vectors of a length of their own.
func goods(n int, length float32) []engine.Document {
	docs := make([]engine.Document, n)
	for i := range docs {
		v := enginetest.Leaning(math.Sin(float64(7*i)), i, dim)
		for j := range v {
			v[j] *= length
		}
		docs[i] = engine.Document{ID: fmt.Sprint(i), Title: "thing", Text: fmt.Sprint("number ", i), Vector: v, Metadata: fmt.Appendf(nil, `{"n": %d}`, i)}
	}
	return docs
}

// explained is how the server goes about a search.
func explained(t *testing.T, table *Table, q *remote.Search, limit int) string {
	t.Helper()
	text, args := table.statement(q, limit)
	settings := table.scanSettings(limit)
	settings["enable_seqscan"] = "off" // so small a table is rather read
	rows, err := table.ask(context.Background(), "EXPLAIN "+text, args, settings)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(lines, "\n")
}

// Whatever an index orders by, it is used, with and without a filter; the similarities are
// cosines, and what is found is what is nearest.
func TestIndexUsed(t *testing.T) {
	dsn := sharedDSN(t)
	const n, k = 3000, 20
	for _, c := range []struct {
		vector, index, order string
		length               float32
	}{
		{"vector({d})", "hnsw (embedding vector_cosine_ops)", "embedding <=> ", 3},
		{"vector({d})", "hnsw (embedding vector_ip_ops)", "embedding <#> ", 1},
		{"vector({d})", "hnsw (embedding vector_l2_ops)", "embedding <-> ", 1},
		{"vector({d})", "ivfflat (embedding vector_cosine_ops) WITH (lists = 20)", "embedding <=> ", 3},
		{"vector({d})", "ivfflat (embedding vector_ip_ops) WITH (lists = 20)", "embedding <#> ", 1},
		{"vector({d})", "ivfflat (embedding vector_l2_ops) WITH (lists = 20)", "embedding <-> ", 1},
		{"halfvec({d})", "hnsw (embedding halfvec_cosine_ops)", "embedding <=> ", 3},
		{"vector({d})", "hnsw ((embedding::halfvec({d})) halfvec_cosine_ops)", "(embedding)::halfvec(16) <=> ", 1},
		{"vector", "hnsw ((embedding::vector({d})) vector_cosine_ops) WHERE vector_dims(embedding) = {d}", "(embedding)::vector(16) <=> ", 3},
		{"sparsevec({d})", "hnsw (embedding sparsevec_cosine_ops)", "embedding <=> ", 3},
	} {
		t.Run(c.vector+" "+c.index, func(t *testing.T) {
			docs := goods(n, c.length)
			address := shelf{id: "integer", vector: c.vector, after: "CREATE INDEX ON {t} USING " + c.index + ";ANALYZE {t}"}.fill(t, dsn, schema(collection(t, dsn)), docs)
			table := attachedTo(t, address)
			table.Limits.Copied = 0
			near := [][]float32{enginetest.Leaning(0.9, 3, dim)}
			for filter, passing := range map[query.Node]int{nil: n, &query.Predicate{Field: "n", Op: query.GreaterEqual, Value: "300"}: n - 300} {
				q, err := remote.NewSearch(dim, near, k, filter, near)
				if err != nil {
					t.Fatal(err)
				}
				if got := explained(t, table, q, k); !strings.Contains(got, "Index Scan using") || !strings.Contains(got, c.order) {
					t.Errorf("filter %v: the index is not used:\n%s", filter, got)
				}
				found, err := table.Pool(context.Background(), near, k, filter, near)
				if err != nil {
					t.Fatal(err)
				}
				if len(found.Refs) != k || !found.Approximate || len(found.UnseenBounds) != 1 {
					t.Errorf("filter %v: %+v", filter, found)
				}
				checkFound(t, found, docs[n-passing:], near[0])
			}
		})
	}
}

// checkFound checks the similarities of what was found, and that little outside of it
// exceeds what is said to lie beyond.
func checkFound(t *testing.T, found *engine.Columns, docs []engine.Document, near []float32) {
	t.Helper()
	there, missed := map[string]float64{}, 0
	for i, r := range found.Refs {
		there[r.Key] = float64(found.Similarities[0][i])
	}
	for _, d := range docs {
		want := enginetest.Cosine(d.Vector, near)
		got, ok := there[d.ID]
		switch {
		case ok && math.Abs(got-want) > 1e-3: // halves round off
			t.Errorf("%s has %f, want %f", d.ID, got, want)
		case !ok && want > float64(found.UnseenBounds[0])+1e-3:
			missed++
		}
		delete(there, d.ID)
	}
	if missed > 1 || len(there) > 0 {
		t.Errorf("%d that are nearer are not found, and %v should not be", missed, there)
	}
}

// Vectors of any length whose index orders by something else are compared one by one where
// they are few.
func TestIndexOfAnotherOrder(t *testing.T) {
	dsn := sharedDSN(t)
	docs := goods(500, 1)
	for i := range docs {
		for j := range docs[i].Vector {
			docs[i].Vector[j] *= float32(1 + i%7)
		}
	}
	address := shelf{id: "integer", vector: "vector({d})", after: "CREATE INDEX ON {t} USING hnsw (embedding vector_ip_ops)"}.fill(t, dsn, schema(collection(t, dsn)), docs)
	near := [][]float32{enginetest.Leaning(0.9, 3, dim)}
	found, err := attachedTo(t, address).Pool(context.Background(), near, 10, nil, near)
	if err != nil {
		t.Fatal(err)
	}
	if found.Approximate || len(found.Refs) != 10 {
		t.Errorf("got %+v, want 10 documents, exactly", found)
	}
	checkFound(t, found, docs, near[0])
}
