package postgres

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/remote"
)

func (t *Table) byCosine() bool { return t.access != nil && (t.access.operator == "<=>" || t.unit) }

// compared is up to how many rows are compared one by one rather than found by an index that
// has another order than the cosine.
const compared = 50_000

// statement has the server compare the rows that the index has nearest, limit for each of
// Near, or the best of all if the limit is 0.
func (t *Table) statement(q *remote.Search, limit int) (text string, args arguments) {
	args = slices.Clone(t.given)
	first := len(args)
	for _, v := range q.Vectors {
		args.add(vector(v))
	}
	passing := t.there + " AND " + t.fields.where(q.Filter, &args)
	length := args.add(cmp.Or(limit, q.K))
	lists := make([]string, len(q.Near))
	for j, v := range q.Near {
		order := fmt.Sprintf("(%s <=> $%d) + 0", t.vector, first+v+1) // which no index has
		if limit > 0 {
			order = fmt.Sprintf("%s %s $%d::vector", t.access.vectors, t.access.operator, first+v+1)
			if t.access.typ != "vector" {
				order += "::" + t.access.typ
			}
		}
		lists[j] = fmt.Sprintf("(SELECT %d AS list, t.%s::text AS id, %s AS v FROM %s t WHERE %s ORDER BY %s LIMIT %s)",
			j, quoted(t.roles.ID), t.vector, t.rel.name, passing, order, length)
	}
	text = fmt.Sprintf("WITH found AS MATERIALIZED (%s) SELECT list, id, %s FROM found", strings.Join(lists, " UNION ALL "), cosines("v", first, len(q.Vectors)))
	return text, args
}

// Lists runs that statement.
func (t tableDriver) Lists(ctx context.Context, f *remote.Findings, limit int) error {
	text, args := t.statement(f.Search, limit)
	var settings map[string]string
	if limit > 0 {
		settings = t.scanSettings(limit)
	}
	f.Exact, f.Slack = limit == 0, t.slack()
	counts := make([]int, len(f.Near))
	for j := range f.Ends {
		f.Ends[j] = [2]remote.End{{Last: 1}, {All: true}} // there are no passages
	}
	err := t.similarities(ctx, text, args, settings, len(f.Vectors), func(list int, id string, similarities []float32) {
		counts[list]++
		if id != "" {
			f.Add(engine.Ref{Key: id}, similarities)
		}
		// The list need not be in order, but no further row comes before its last.
		f.Ends[list][0].Last = float64(similarities[f.Near[list]])
	})
	for j, n := range counts {
		f.Ends[j][0].All = n < limit
		f.Short = f.Short || n < limit // the index may have given up before the end
	}
	return err
}

// slack is how far the order of the index may be from that of the cosine.
func (t *Table) slack() float64 {
	switch {
	case t.access == nil:
		return 0
	case t.unit:
		return 2 * unitSlack
	case strings.HasPrefix(t.access.typ, "halfvec"):
		return 1e-3
	}
	return 1e-6
}

// maxScanTuples is how many rows of an HNSW index a list looks at, most of which may not pass a
// filter. After that, all rows that pass are compared.
const maxScanTuples = 20_000

// scanSettings are those under which an index is read: with twice as many candidates in sight
// as are wanted, and on until there are enough. With as many as are wanted, a search of 100,000
// rows takes 0.6 times the processor time, and mode sqo misses 4 % of its results.
func (t *Table) scanSettings(limit int) map[string]string {
	s := map[string]string{}
	if t.access.method != "ivfflat" {
		s["hnsw.ef_search"] = strconv.Itoa(min(1000, max(64, 2*limit)))
		if t.scans {
			maps.Copy(s, map[string]string{"hnsw.iterative_scan": "relaxed_order", "hnsw.max_scan_tuples": strconv.Itoa(max(maxScanTuples, 4*limit)), "hnsw.scan_mem_multiplier": "32"})
		}
	}
	if t.access.method != "hnsw" {
		lists := cmp.Or(t.access.lists, 100)
		s["ivfflat.probes"] = strconv.Itoa(min(lists, max(10, lists/8, int(3*math.Sqrt(float64(lists))))))
		if t.scans {
			s["ivfflat.iterative_scan"] = "relaxed_order"
		}
	}
	return s
}

func (t tableDriver) Compare(ctx context.Context, f *remote.Findings, refs []engine.Ref) error {
	args := slices.Clone(t.given)
	first := len(args)
	for _, v := range f.Vectors {
		args.add(vector(v))
	}
	text := fmt.Sprintf("SELECT 0, t.%s::text, %s FROM %s t WHERE %s AND %s",
		quoted(t.roles.ID), cosines(t.vector, first, len(f.Vectors)), t.rel.name, t.there, t.anyOf(t.id.those(refs), &args))
	return t.similarities(ctx, text, args, nil, len(f.Vectors), func(_ int, id string, similarities []float32) {
		f.Add(engine.Ref{Key: id}, similarities)
	})
}

// cosines returns the cosines of a vector and the parameters after the first ones.
func cosines(v string, first, n int) string {
	out := make([]string, n)
	for i := range out {
		out[i] = fmt.Sprintf("1 - (%s <=> $%d)", v, first+i+1)
	}
	return strings.Join(out, ", ")
}

// similarities runs a statement that gives lists of ids with similarities. A vector without
// direction has none.
func (t *Table) similarities(ctx context.Context, text string, args arguments, settings map[string]string, n int, each func(list int, id string, similarities []float32)) error {
	var list int
	var id string
	values, similarities := make([]float64, n), make([]float32, n)
	targets := []any{&list, &id}
	for i := range values {
		targets = append(targets, &values[i])
	}
	return t.each(ctx, text, args, settings, targets, func() error {
		if slices.ContainsFunc(values, math.IsNaN) {
			return nil
		}
		for i, x := range values {
			similarities[i] = float32(x)
		}
		each(list, id, similarities)
		return nil
	})
}
