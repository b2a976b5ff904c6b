package postgres

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/enginetest"
	"github.com/nsfl-go/nsfl/engine/remote"
	"github.com/nsfl-go/nsfl/query"
)

// few documents of those that are near pass the filter, and many of those that
// are far: an index that stops looking leaves the pool short.
func TestIterativeScan(t *testing.T) {
	ctx, dsn := context.Background(), sharedDSN(t)
	address := collection(t, dsn)
	s := opened(t, address, engine.Options{Dimension: dim, Fill: true})
	var docs []engine.Document
	for i := range 2000 {
		docs = append(docs, engine.Document{
			ID: fmt.Sprint(i), Vector: enginetest.Leaning(1-float64(i)/1100, i, dim), Metadata: fmt.Appendf(nil, `{"far": %t}`, i%100 == 0 || i > 1000),
		})
	}
	if err := s.Upsert(ctx, docs); err != nil {
		t.Fatal(err)
	}
	s.Close()
	s = opened(t, address, engine.Options{})
	axis := [][]float32{enginetest.Leaning(1, 0, dim)}
	asked, err := remote.NewSearch(dim, axis, 10, &query.Predicate{Field: "far", Value: "true"}, axis)
	if err != nil {
		t.Fatal(err)
	}
	q := search{Search: asked, dim: dim, limit: 10}
	text, args := q.sql()
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
	c, err := s.Pool(ctx, axis, 10, q.Filter, axis)
	if err != nil || len(c.Refs) != 10 {
		t.Errorf("a pool of %d, %v", len(c.Refs), err)
	}
}

// The statement of a search goes by both indexes.
func TestPlan(t *testing.T) {
	ctx, dsn := context.Background(), sharedDSN(t)
	s := opened(t, collection(t, dsn), engine.Options{Dimension: dim})
	if err := s.Upsert(ctx, enginetest.Documents(500)); err != nil {
		t.Fatal(err)
	}
	axis := [][]float32{enginetest.Leaning(1, 0, dim)}
	for _, filter := range []query.Node{nil, &query.Predicate{Field: "n", Op: query.Greater, Value: "1"}} {
		asked, err := remote.NewSearch(dim, axis, 10, filter, axis)
		if err != nil {
			t.Fatal(err)
		}
		q := search{Search: asked, dim: dim, limit: 10}
		text, args := q.sql()
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
		s := opened(t, collection(t, dsn), engine.Options{Dimension: dim})
		var docs []engine.Document
		for i := range 60 {
			docs = append(docs, engine.Document{ID: fmt.Sprint(i), Vector: enginetest.Leaning(1-float64(i)/50, i, dim)})
		}
		if err := s.Upsert(ctx, docs); err != nil {
			t.Fatal(err)
		}
		axis := [][]float32{enginetest.Leaning(1, 0, dim)}
		c, err := s.Pool(ctx, axis, 3, nil, axis)
		if err != nil {
			t.Fatal(err)
		}
		found, err := s.Documents(ctx, c.Refs, engine.NoParts)
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
