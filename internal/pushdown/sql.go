package pushdown

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// SQLOptions are the options of pgvector.
type SQLOptions struct {
	// Type of the column of vectors: vector, halfvec or sparsevec; empty: vector.
	Type string
	// Metric of the index that candidates come from: cosine, ip or l2; empty: cosine. The
	// similarities are cosines whatever it is.
	Metric string
}

var (
	sqlTypes   = []string{"vector", "halfvec", "sparsevec"}
	sqlMetrics = map[string]string{"cosine": "<=>", "ip": "<#>", "l2": "<->"}
)

// SQL writes one statement over a table with pgvector.
//
// The similarities of each row are computed once, in a subquery that OFFSET '0' separates:
// otherwise PostgreSQL computes them again for every use. (Written as OFFSET 0, the planner uses
// a single process.) With candidates the subquery is materialized. Over all rows the maxima of
// the gates are a separate scan, which is cheaper than keeping every row.
func SQL(q *Query, o SQLOptions) (*Output, error) {
	if err := q.check(); err != nil {
		return nil, err
	}
	w, err := newSQL(q, o)
	if err != nil {
		return nil, err
	}
	if w.from.Where, err = w.where(); err != nil {
		return nil, err
	}
	if len(q.Near) > 0 {
		w.pool()
	}
	w.similarities()
	return w.output(w.steps()), nil
}

// sqlWriter writes a statement, one subquery after the other.
type sqlWriter struct {
	*Query
	SQLOptions
	parameters
	infix             infix
	table, id, vector string // quoted
	from              Source
	keep              string // whether a table that is read twice is kept
	with              []string
	last              string       // the last table
	known             map[int]bool // the values that it has
	maxima            []string     // the tables that have them, by gate
}

func newSQL(q *Query, o SQLOptions) (w *sqlWriter, err error) {
	w = &sqlWriter{Query: q, SQLOptions: o, keep: "NOT MATERIALIZED", known: map[int]bool{}}
	if w.Type == "" {
		w.Type = sqlTypes[0]
	}
	if w.Metric == "" {
		w.Metric = "cosine"
	}
	if !slices.Contains(sqlTypes, w.Type) {
		return nil, fmt.Errorf("the vectors are of type %q: it is vector, halfvec or sparsevec", w.Type)
	}
	if sqlMetrics[w.Metric] == "" {
		return nil, fmt.Errorf("the index is by %q: it is cosine, ip or l2", w.Metric)
	}
	if w.table, err = quoteTable(q.Names.Table); err != nil {
		return nil, err
	}
	if w.id, err = quoteName(cmp.Or(q.Names.ID, "id")); err != nil {
		return nil, err
	}
	if w.vector, err = quoteName(cmp.Or(q.Names.Vector, "embedding")); err != nil {
		return nil, err
	}
	w.from = Source{Table: w.table, ID: "t." + w.id, Vector: w.cast("t."+w.vector, "vector"), Vectors: map[int]string{}}
	for _, t := range q.Score.Terms {
		w.from.Vectors[t] = w.put("vector", w.term(t), q.Vectors[t])
	}
	w.dialect()
	return w, nil
}

func (w *sqlWriter) dialect() {
	w.infix = infix{
		least: call("least"), greatest: call("greatest"),
		branch: func(less, than, then, otherwise string) string {
			return fmt.Sprintf("CASE WHEN %s < %s THEN %s ELSE %s END", less, than, then, otherwise)
		},
		cosine: func(term int) (string, int) {
			return fmt.Sprintf("1 - (%s <=> %s)", w.from.Vector, w.from.Vectors[term]), loose
		},
		value:   func(i int) string { return w.Score.Values[i].Name },
		maximum: func(gate int) string { return fmt.Sprintf("(SELECT m%d FROM %s)", gate, w.maxima[gate]) },
	}
}

// put returns a parameter or, with Inline, the value.
func (w *sqlWriter) put(kind, of string, value any) string {
	p := w.add(kind, of, value)
	if w.Inline {
		return literal(p)
	}
	return p.Name + "::" + p.Type
}

func (w *sqlWriter) cast(vector, to string) string {
	if w.Type == "vector" {
		return vector
	}
	return vector + "::" + to
}

func (w *sqlWriter) where() (string, error) {
	has := "t." + w.vector + " IS NOT NULL"
	if w.Filter == nil {
		return has, nil
	}
	condition, err := w.filter().write(w.Filter)
	return has + " AND " + condition, err
}

// pool writes the candidates and makes them the source of rows.
func (w *sqlWriter) pool() {
	var lists []string
	for j, near := range w.Near {
		name := fmt.Sprintf("near%d", j)
		target := w.cast(w.put("vector", w.near(j), near), w.Type)
		w.named(name, "MATERIALIZED", "candidates, by the index", fmt.Sprintf("SELECT t.%s, t.%s\nFROM %s t\nWHERE %s\nORDER BY %s %s %s\nLIMIT %d",
			w.id, w.vector, w.table, w.from.Where, "t."+w.vector, sqlMetrics[w.Metric], target, w.Candidates))
		lists = append(lists, "TABLE "+name)
	}
	w.keep, w.from.Where, w.from.Table = "MATERIALIZED", "", "near0"
	if len(lists) > 1 {
		w.from.Table = "pool"
		w.named(w.from.Table, "MATERIALIZED", "each of them once", fmt.Sprintf("SELECT DISTINCT ON (%[1]s) %[1]s, %[2]s\nFROM (%[3]s) u\nORDER BY %[1]s",
			w.id, w.vector, strings.Join(lists, " UNION ALL ")))
	}
}

func (w *sqlWriter) output(score string) *Output {
	out := &Output{Target: "sql", Parameters: w.list, Columns: []string{"id", "score"}, Settings: w.settings()}
	out.Statement = w.ranked(score, "", fmt.Sprint(w.K))
	out.Notes = w.notes()
	out.Text = w.text(out)
	return out
}

// settings returns the settings with which an index returns enough candidates.
func (w *sqlWriter) settings() []Setting {
	if len(w.Near) == 0 {
		return nil
	}
	return []Setting{
		{"hnsw.ef_search", fmt.Sprint(min(1000, max(40, w.Candidates)))},
		{"hnsw.iterative_scan", "relaxed_order"},
		{"ivfflat.iterative_scan", "relaxed_order"},
	}
}

func (w *sqlWriter) notes() []string {
	out := w.about()
	if len(w.Near) > 0 && w.Metric != "cosine" {
		out = append(out, "The index is by "+w.Metric+", which orders as the cosine does where vectors are of length 1.")
	}
	return out
}
