package pushdown

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// SQLOptions are what is particular to pgvector.
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

// SQL is one statement over a table with vectors of pgvector.
//
// The similarities of each row are computed once, in a subquery that OFFSET '0' keeps apart:
// PostgreSQL would otherwise compute one again wherever its name stands. (Written OFFSET 0 it
// is an expression to the planner, which then leaves the scan to one process.) Over a pool the
// subquery is materialized; over all rows the maxima of the gates are a scan of their own,
// which computes what they need and nothing else, and costs less than to keep a line for
// every row.
func SQL(q *Query, o SQLOptions) (*Output, error) {
	if err := q.check(); err != nil {
		return nil, err
	}
	w, err := newSQL(q, o)
	if err != nil {
		return nil, err
	}
	where, err := w.where()
	if err != nil {
		return nil, err
	}
	if len(q.Near) > 0 {
		w.pool(where)
		where, w.keep = "", "MATERIALIZED"
	}
	w.similarities(where)
	return w.output(w.steps()), nil
}

// sqlWriter writes a statement, one table after the other.
type sqlWriter struct {
	*Query
	SQLOptions
	parameters
	infix             infix
	table, id, vector string // quoted
	source            string // the table that rows come from
	keep              string // whether a table that is read twice is kept
	with              []string
	last              string       // the last table
	known             map[int]bool // the values that it has
	maxima            []string     // the tables that have them, by gate
	vectors           map[int]string
}

func newSQL(q *Query, o SQLOptions) (w *sqlWriter, err error) {
	w = &sqlWriter{Query: q, SQLOptions: o, keep: "NOT MATERIALIZED", known: map[int]bool{}, vectors: map[int]string{}}
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
	w.source = w.table
	w.infix = infix{
		least: call("least"), greatest: call("greatest"),
		branch: func(less, than, then, otherwise string) string {
			return fmt.Sprintf("CASE WHEN %s < %s THEN %s ELSE %s END", less, than, then, otherwise)
		},
		cosine: func(term int) (string, int) {
			return fmt.Sprintf("1 - (%s <=> %s)", w.cast("t."+w.vector, "vector"), w.vectors[term]), loose
		},
		value:   func(i int) string { return q.Score.Values[i].Name },
		maximum: func(gate int) string { return fmt.Sprintf("(SELECT m%d FROM %s)", gate, w.maxima[gate]) },
	}
	for _, t := range q.Score.Terms {
		w.vectors[t] = w.put("vector", w.term(t), q.Vectors[t])
	}
	return w, nil
}

// put is a value where it is used: a parameter, or the value itself.
func (w *sqlWriter) put(kind, of string, value any) string {
	p := w.add(kind, of, value)
	if w.Inline {
		return literal(p)
	}
	return p.Name + "::" + p.Type
}

// cast is a vector as one of another type than the column's.
func (w *sqlWriter) cast(vector, to string) string {
	if w.Type == "vector" {
		return vector
	}
	return vector + "::" + to
}

// where is the condition on rows, which have a vector at least.
func (w *sqlWriter) where() (string, error) {
	has := "t." + w.vector + " IS NOT NULL"
	if w.Filter == nil {
		return has, nil
	}
	condition, err := w.filter().write(w.Filter)
	return has + " AND " + condition, err
}

// named adds a table to the statement.
func (w *sqlWriter) named(name, keep, note, text string) {
	w.with = append(w.with, fmt.Sprintf("%s AS %s ( -- %s\n  %s\n)", name, keep, note, strings.ReplaceAll(text, "\n", "\n  ")))
}

// pool writes the candidates.
func (w *sqlWriter) pool(where string) {
	var lists []string
	for j, near := range w.Near {
		w.source = fmt.Sprintf("near%d", j)
		target := w.cast(w.put("vector", w.near(j), near), w.Type)
		w.named(w.source, "MATERIALIZED", "candidates, by the index", fmt.Sprintf("SELECT t.%s, t.%s\nFROM %s t\nWHERE %s\nORDER BY t.%s %s %s\nLIMIT %d",
			w.id, w.vector, w.table, where, w.vector, sqlMetrics[w.Metric], target, w.Candidates))
		lists = append(lists, "TABLE "+w.source)
	}
	if len(lists) > 1 {
		w.source = "pool"
		w.named(w.source, "MATERIALIZED", "each of them once", fmt.Sprintf("SELECT DISTINCT ON (%[1]s) %[1]s, %[2]s\nFROM (%[3]s) u\nORDER BY %[1]s",
			w.id, w.vector, strings.Join(lists, " UNION ALL ")))
	}
}

// similarities writes what is ranked, with the values that are read off its vectors.
func (w *sqlWriter) similarities(where string) {
	columns := []string{"t." + w.id + " AS id"}
	for i := range w.Score.Values[:len(w.Score.Terms)] {
		columns = append(columns, w.column(i))
	}
	if where != "" {
		where = "\nWHERE " + where
	}
	w.last = "similarities"
	w.named(w.last, w.keep, "of each row to each term", fmt.Sprintf("SELECT %s\nFROM %s t%s\nOFFSET '0'", strings.Join(columns, ",\n  "), w.source, where))
}

// column is a value with its name.
func (w *sqlWriter) column(i int) string {
	w.known[i] = true
	v := &w.Score.Values[i]
	return w.infix.text(v.Expr) + " AS " + v.Name
}

// steps writes the values that the score reads, in tables of which each has those that the
// tables before it make possible, and the maxima as soon as they can be computed. It
// returns the score.
func (w *sqlWriter) steps() string {
	for layer := 1; ; {
		ready := w.ready()
		switch {
		case w.known[w.Score.Root]:
			return w.infix.value(w.Score.Root)
		case slices.Contains(ready, w.Score.Root):
			return w.infix.text(w.Score.Values[w.Score.Root].Expr)
		case len(ready) > 0:
			columns := make([]string, len(ready))
			for i, v := range ready {
				columns[i] = w.column(v)
			}
			name := fmt.Sprintf("values%d", layer)
			w.named(name, w.keep, "of what is inside the formula", fmt.Sprintf("SELECT *,\n  %s\nFROM %s\nOFFSET '0'", strings.Join(columns, ",\n  "), w.last))
			w.last, layer = name, layer+1
		default:
			w.gates()
		}
	}
}

// ready are the values that can be computed, and are not.
func (w *sqlWriter) ready() (out []int) {
	for i, v := range w.Score.Values {
		if !w.known[i] && v.Needs <= len(w.maxima) && !slices.ContainsFunc(refs(v.Expr), func(r int) bool { return !w.known[r] }) {
			out = append(out, i)
		}
	}
	return out
}

// gates writes the maxima of all gates whose values are known.
func (w *sqlWriter) gates() {
	name := fmt.Sprintf("maxima%d", len(w.maxima))
	var columns []string
	for g := len(w.maxima); g < len(w.Score.Gates) && w.known[w.Score.Gates[g].Value]; g++ {
		columns = append(columns, fmt.Sprintf("greatest(0, max(%[1]s) FILTER (WHERE %[1]s <> 'NaN')) AS m%[2]d", w.infix.value(w.Score.Gates[g].Value), g))
		w.maxima = append(w.maxima, name)
	}
	w.named(name, "MATERIALIZED", "the most that a row has of what is negated", fmt.Sprintf("SELECT %s\nFROM %s", strings.Join(columns, ",\n  "), w.last))
}

// output is the statement, which ranks by a score.
func (w *sqlWriter) output(score string) *Output {
	out := &Output{Target: "sql", Parameters: w.list, Columns: []string{"id", "score"}, Settings: w.settings()}
	// A vector of length 0 has no direction, and its similarities are not numbers.
	out.Statement = fmt.Sprintf("WITH\n%s\nSELECT id, %s AS score\nFROM %s\nWHERE %s <> 'NaN' -- a vector of length 0\nORDER BY score DESC, id\nLIMIT %d",
		strings.Join(w.with, ",\n"), score, w.last, w.infix.value(0), w.K)
	out.Notes = w.notes()
	out.Text = w.text(out)
	return out
}

// settings are those under which an index gives as many candidates as are wanted.
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

// notes are what a user must know.
func (w *sqlWriter) notes() []string {
	out := w.about()
	if len(w.Near) > 0 && w.Metric != "cosine" {
		out = append(out, "The index is by "+w.Metric+", which orders as the cosine does where vectors are of length 1.")
	}
	return out
}
