package postgres

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/query"
)

// leaning is a unit vector whose product with the first axis is x; i tells it from
// others of that kind.
func leaning(x float64, i, dim int) []float32 {
	v := make([]float32, dim)
	v[0] = float32(x)
	rest := math.Sqrt(1 - x*x)
	angle := float64(i)
	v[1+i%(dim-2)] = float32(rest * math.Cos(angle))
	v[2+i%(dim-2)] = float32(rest * math.Sin(angle))
	return v
}

// The best documents are far down in the list of documents and in that of
// passages: those that are ahead of them in one are far behind in the other.
func TestReach(t *testing.T) {
	ctx, dsn := context.Background(), sharedDSN(t)
	s := opened(t, dsn, Options{Collection: collection(t, dsn), Dimension: dim})
	var docs []engine.Document
	add := func(name string, whole, passage float64) {
		i := len(docs)
		docs = append(docs, engine.Document{
			ID: fmt.Sprint(name, i), Vector: leaning(whole, i, dim),
			Passages: []engine.Passage{{Vector: leaning(passage, i, dim)}, {Vector: leaning(-0.5, i, dim)}},
		})
	}
	for range 30 {
		add("whole ", 0.9, 0)
		add("passage ", 0, 0.9)
	}
	for range 5 {
		add("both ", 0.6, 0.6)
	}
	for range 60 {
		add("neither ", 0.1, 0.1)
	}
	if err := s.Upsert(ctx, docs); err != nil {
		t.Fatal(err)
	}
	axis := [][]float32{leaning(1, 0, dim)}
	for range 2 {
		c, err := s.Pool(ctx, axis, 5, nil, axis)
		if err != nil {
			t.Fatal(err)
		}
		found, err := s.Documents(ctx, c.Refs)
		if err != nil {
			t.Fatal(err)
		}
		for i, d := range found {
			if !strings.HasPrefix(d.ID, "both ") || math.Abs(float64(c.Similarities[0][i])-0.6) > 1e-5 {
				t.Errorf("%s, %f", d.ID, c.Similarities[0][i])
			}
		}
		if len(found) != 5 {
			t.Errorf("%d documents", len(found))
		}
	}
	if r := s.reach.Load(); r < 4 {
		t.Errorf("a reach of %d, the best are at places 31 to 35", r)
	}
}

// few documents of those that are near pass the filter, and many of those that
// are far: an index that stops looking leaves the pool short.
func TestIterativeScan(t *testing.T) {
	ctx, dsn := context.Background(), sharedDSN(t)
	name := collection(t, dsn)
	s := opened(t, dsn, Options{Collection: name, Dimension: dim, Exact: true})
	var docs []engine.Document
	for i := range 2000 {
		docs = append(docs, engine.Document{
			ID: fmt.Sprint(i), Vector: leaning(1-float64(i)/1100, i, dim), Metadata: fmt.Appendf(nil, `{"far": %t}`, i%100 == 0 || i > 1000),
		})
	}
	if err := s.Upsert(ctx, docs); err != nil {
		t.Fatal(err)
	}
	s.Close()
	s = opened(t, dsn, Options{Collection: name})
	axis := [][]float32{leaning(1, 0, dim)}
	q, err := newSearch(dim, axis, 10, &query.Predicate{Field: "far", Value: "true"}, axis)
	if err != nil {
		t.Fatal(err)
	}
	text, args, err := q.sql()
	if err != nil {
		t.Fatal(err)
	}
	count := func(settings map[string]string) (n int) {
		settings["enable_seqscan"], settings["enable_bitmapscan"], settings["enable_sort"] = "off", "off", "off"
		rows, err := s.query(ctx, text, args, settings)
		if err != nil {
			t.Fatal(err)
		}
		defer rows.Close()
		for rows.Next() {
			n++
		}
		if err := rows.Err(); err != nil {
			t.Fatal(err)
		}
		return n
	}
	if n := count(map[string]string{"hnsw.iterative_scan": "off", "hnsw.ef_search": "40"}); n >= 10 {
		t.Errorf("%d documents with pgvector's own settings: the test shows nothing", n)
	} else {
		t.Logf("%d of 10 documents with pgvector's own settings", n)
	}
	if n := count(q.settings()); n != 10 {
		t.Errorf("%d of 10 documents", n)
	}
	c, err := s.Pool(ctx, axis, 10, q.filter, axis)
	if err != nil || len(c.Refs) != 10 {
		t.Errorf("a pool of %d, %v", len(c.Refs), err)
	}
}

// The statement of a search goes by both indexes.
func TestPlan(t *testing.T) {
	ctx, dsn := context.Background(), sharedDSN(t)
	s := opened(t, dsn, Options{Collection: collection(t, dsn), Dimension: dim})
	if err := s.Upsert(ctx, documents(500)); err != nil {
		t.Fatal(err)
	}
	axis := [][]float32{leaning(1, 0, dim)}
	for _, filter := range []query.Node{nil, &query.Predicate{Field: "n", Op: query.Greater, Value: "1"}} {
		q, err := newSearch(dim, axis, 10, filter, axis)
		if err != nil {
			t.Fatal(err)
		}
		text, args, err := q.sql()
		if err != nil {
			t.Fatal(err)
		}
		rows, err := s.query(ctx, "EXPLAIN "+text, args, map[string]string{"enable_seqscan": "off", "enable_bitmapscan": "off", "enable_sort": "off"})
		if err != nil {
			t.Fatal(err)
		}
		var plan strings.Builder
		for rows.Next() {
			var line string
			if err := rows.Scan(&line); err != nil {
				t.Fatal(err)
			}
			plan.WriteString(line + "\n")
		}
		rows.Close()
		for _, table := range []string{"documents", "passages"} {
			if !strings.Contains(plan.String(), "Index Scan using "+hnswName(table)) {
				t.Errorf("filter %v: the index of %s is not in the plan\n%s", filter, table, plan.String())
			}
		}
	}
}

// Vectors longer than an index holds are indexed in half precision, and still
// longer ones not at all; similarities are exact all the same.
func TestLongVectors(t *testing.T) {
	for _, dim := range []int{maxIndexed, maxIndexed + 1, maxIndexedHalf + 1} {
		ctx, dsn := context.Background(), sharedDSN(t)
		s := opened(t, dsn, Options{Collection: collection(t, dsn), Dimension: dim})
		var docs []engine.Document
		for i := range 60 {
			docs = append(docs, engine.Document{ID: fmt.Sprint(i), Vector: leaning(1-float64(i)/50, i, dim)})
		}
		if err := s.Upsert(ctx, docs); err != nil {
			t.Fatal(err)
		}
		axis := [][]float32{leaning(1, 0, dim)}
		c, err := s.Pool(ctx, axis, 3, nil, axis)
		if err != nil {
			t.Fatal(err)
		}
		found, err := s.Documents(ctx, c.Refs)
		if err != nil {
			t.Fatal(err)
		}
		for i, d := range found {
			if want := 1 - float64(i)/50; d.ID != fmt.Sprint(i) || math.Abs(float64(c.Similarities[0][i])-want) > 1e-6 {
				t.Errorf("%d dimensions, place %d: %s, %f", dim, i, d.ID, c.Similarities[0][i])
			}
		}
		if len(found) != 3 {
			t.Errorf("%d dimensions: %d documents", dim, len(found))
		}
		s.Close()
	}
}
