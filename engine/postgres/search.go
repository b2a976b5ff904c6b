package postgres

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/remote"
)

// search is what Pool and Compare ask for, as a statement. The first of its vectors
// is $1.
type search struct {
	*remote.Search
	dim   int
	limit int  // how long lists are
	few   int  // up to this number, documents that pass a filter are compared one by one
	exact bool // all documents are compared
}

// settings are those under which the indexes are read: as many candidates in
// sight as they allow, and on until there are enough.
func (q *search) settings() map[string]string {
	s := map[string]string{"jit": "off"}
	if !q.exact {
		s["hnsw.ef_search"] = strconv.Itoa(min(1000, max(200, 4*q.limit)))
		s["hnsw.iterative_scan"] = "relaxed_order"
		s["hnsw.max_scan_tuples"] = strconv.Itoa(math.MaxInt32)
		s["hnsw.scan_mem_multiplier"] = "32"
	}
	return s
}

// sql is the statement: the lists of each of near, all that is in one of them,
// and the similarities of that to each of the vectors. After those come whether
// the lists are exact and, for each of near, how near the last of the documents'
// list and of the passages' is, or -2 where a list has all there is.
func (q *search) sql() (string, arguments) {
	w := writer{search: q}
	w.similarities()
	w.limit = w.args.add(q.limit)
	exact := strconv.FormatBool(q.exact)
	if q.Filter != nil {
		w.narrow()
		exact = "(SELECT few FROM narrow)"
	}
	w.column(exact)
	for j, v := range q.Near {
		all, documents, passages := fmt.Sprintf("e%d", j), fmt.Sprintf("d%d", j), fmt.Sprintf("p%d", j)
		if q.exact || q.Filter != nil {
			w.all(all, v)
		}
		if q.exact {
			w.column("-2::float8")
			w.column("-2::float8")
			continue
		}
		w.nearest(documents, v, "documents")
		w.nearest(passages, v, "passages")
	}
	return fmt.Sprintf("WITH %s, found AS (%s) SELECT d.ref, %s FROM found JOIN {c}.documents d USING (ref) %s",
		strings.Join(w.with, ", "), strings.Join(w.found, " UNION "), strings.Join(w.columns, ", "), q.best()), w.args
}

// comparison returns the statement that compares some documents, in the form of a search.
func (q *search) comparison(refs []int64) (string, arguments) {
	w := writer{search: q}
	w.similarities()
	w.column("true")
	return fmt.Sprintf("SELECT d.ref, %s FROM {c}.documents d %s WHERE d.ref = ANY(%s)",
		strings.Join(w.columns, ", "), q.best(), w.args.add(refs)), w.args
}

// similarities are the columns of those to all vectors.
func (w *writer) similarities() {
	for i, v := range w.Vectors {
		w.args.add(vector(v))
		w.column(similarity(i))
	}
}

func (q *search) best() string {
	numbers := make([]int, len(q.Vectors))
	for i := range numbers {
		numbers[i] = i
	}
	return passages(numbers)
}

// similarity is the similarity of document d to a vector, as package engine defines it.
func similarity(v int) string {
	return fmt.Sprintf("CASE WHEN b.m%[1]d IS NULL THEN -(d.vector <#> $%[2]d) ELSE (b.m%[1]d - (d.vector <#> $%[2]d)) / 2 END", v, v+1)
}

// passages joins to document d the largest similarities of its passages.
func passages(numbers []int) string {
	parts := make([]string, len(numbers))
	for i, v := range numbers {
		parts[i] = fmt.Sprintf("max(-(p.vector <#> $%d)) AS m%d", v+1, v)
	}
	return "CROSS JOIN LATERAL (SELECT " + strings.Join(parts, ", ") + " FROM {c}.passages p WHERE p.ref = d.ref) b"
}

type writer struct {
	*search
	with, found, columns []string
	args                 arguments
	limit                string // the parameter of how long lists are
}

func (w *writer) column(text string) { w.columns = append(w.columns, text) }

func (w *writer) list(name, text string) {
	w.with = append(w.with, name+" AS MATERIALIZED ("+text+")")
	w.found = append(w.found, "SELECT ref FROM "+name)
}

// narrow looks whether few documents pass the filter: then comparing all of those
// costs less than going on through an index until enough of them have come by. It
// stops as soon as there are too many. A document may be in it twice.
func (w *writer) narrow() {
	set := set(w.Filter, &w.args)
	var few any // NULL: no limit
	if !w.exact {
		few = w.few
	}
	limit := w.args.add(few) + "::bigint"
	w.with = append(w.with,
		fmt.Sprintf("pass AS MATERIALIZED (SELECT ref FROM (%s) s LIMIT %s + 1)", set, limit),
		fmt.Sprintf("narrow AS MATERIALIZED (SELECT %[1]s IS NULL OR count(*) <= %[1]s AS few FROM pass)", limit))
}

// all is the list of the k best by the definition. It looks at all documents or,
// with a filter, at those that pass if they are few.
func (w *writer) all(name string, v int) {
	where := "true"
	if w.Filter != nil {
		where = "(SELECT few FROM narrow) AND d.ref IN (SELECT ref FROM pass)"
	}
	w.list(name, fmt.Sprintf("SELECT d.ref FROM {c}.documents d %s WHERE %s ORDER BY %s DESC, d.ref LIMIT %s",
		passages([]int{v}), where, similarity(v), w.limit))
}

// nearest is the list that the index of a table gives, and the similarity of its
// last. It need not be in order, but no further row comes before its last.
func (w *writer) nearest(name string, v int, table string) {
	where := "true"
	if w.Filter != nil {
		where = "NOT (SELECT few FROM narrow) AND " + condition(w.Filter, "t.ref", &w.args)
	}
	distance := fmt.Sprintf("%s <#> %s", indexed("t.vector", w.dim), indexed(fmt.Sprintf("$%d::vector", v+1), w.dim))
	w.list(name, fmt.Sprintf("SELECT t.ref, %s AS x FROM {c}.%s t WHERE t.vector IS NOT NULL AND %s ORDER BY %s LIMIT %s",
		distance, table, where, distance, w.limit))
	w.column(fmt.Sprintf("(SELECT CASE WHEN count(*) < %s THEN -2 ELSE -(array_agg(x))[count(*)] END FROM %s)", w.limit, name))
}

// Lists fetches, for each of f.Near, the documents and the passages that the indexes have
// nearest, and has the server compute the similarities of all of those.
func (d managedDriver) Lists(ctx context.Context, f *remote.Findings, limit int) error {
	q := search{Search: f.Search, dim: d.dim, exact: limit == 0, limit: cmp.Or(limit, f.K)}
	if !q.exact {
		size, err := d.calls.Size.Get(ctx, d.Size)
		if err != nil {
			return err
		}
		// An index has to give limit·documents/passing before there are enough, and one
		// document from there costs some ten that are compared one by one.
		q.few = int(math.Sqrt(10 * float64(limit) * float64(size.Documents)))
	}
	text, args := q.sql()
	return d.find(ctx, f, &q, text, args)
}

func (d managedDriver) Compare(ctx context.Context, f *remote.Findings, refs []engine.Ref) error {
	q := search{Search: f.Search, dim: d.dim, exact: true}
	text, args := q.comparison(numbers(refs))
	return d.find(ctx, f, &q, text, args)
}

func (d managedDriver) find(ctx context.Context, f *remote.Findings, q *search, text string, args arguments) error {
	f.Slack = 1e-6
	if d.dim > maxIndexed {
		f.Slack = 1e-3 // the lists are in half precision
	}
	var ref int64
	var all bool // documents that pass were compared
	values, similarities := make([]float64, len(q.Vectors)), make([]float32, len(q.Vectors))
	last := make([][2]float64, len(q.Near))
	targets := []any{&ref}
	for i := range values {
		targets = append(targets, &values[i])
	}
	targets = append(targets, &all)
	for j := range last {
		last[j] = [2]float64{-2, -2} // if there is no row
		targets = append(targets, &last[j][0], &last[j][1])
	}
	err := d.each(ctx, d.statement(text), args, q.settings(), targets, func() error {
		for i, x := range values {
			if math.IsNaN(x) || math.Abs(x) > 1.001 {
				return fmt.Errorf("the server has computed a similarity of %g, the stored vectors are not of length 1", x)
			}
			similarities[i] = float32(x)
		}
		f.Add(refOf(ref), similarities)
		return nil
	})
	for j := range last {
		for i, x := range last[j] {
			f.Ends[j][i] = remote.End{Last: x, All: x == -2}
		}
	}
	f.Exact = all || q.exact
	return err
}
