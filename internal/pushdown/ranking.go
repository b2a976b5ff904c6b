package pushdown

import (
	"fmt"
	"slices"
	"strings"
)

// Source is a source of rows in SQL. The row is t.
type Source struct {
	Table, ID, Vector string
	Where             string         // empty: all rows
	Vectors           map[int]string // of the terms
}

// Ranking returns the statement that ranks all rows of a source by a score. It selects the id,
// the score and the maxima of the gates.
func Ranking(s *Score, from Source, limit string) string {
	w := &sqlWriter{Query: &Query{Score: s}, from: from, keep: "NOT MATERIALIZED", known: map[int]bool{}}
	w.dialect()
	w.similarities()
	score := w.steps()
	var maxima strings.Builder
	for g := range w.maxima {
		maxima.WriteString(", " + w.infix.maximum(g))
	}
	return w.ranked(score, maxima.String(), limit)
}

// ranked returns the statement, with more columns after the score. Similarities of a zero
// vector are NaN.
func (w *sqlWriter) ranked(score, more, limit string) string {
	return fmt.Sprintf("WITH\n%s\nSELECT id, %s AS score%s\nFROM %s\nWHERE %s <> 'NaN' -- a vector of length 0\nORDER BY score DESC, id\nLIMIT %s",
		strings.Join(w.with, ",\n"), score, more, w.last, w.infix.value(0), limit)
}

func (w *sqlWriter) named(name, keep, note, text string) {
	w.with = append(w.with, fmt.Sprintf("%s AS %s ( -- %s\n  %s\n)", name, keep, note, strings.ReplaceAll(text, "\n", "\n  ")))
}

func (w *sqlWriter) similarities() {
	columns := []string{w.from.ID + " AS id"}
	for i := range w.Score.Values[:len(w.Score.Terms)] {
		columns = append(columns, w.column(i))
	}
	where := ""
	if w.from.Where != "" {
		where = "\nWHERE " + w.from.Where
	}
	w.last = "similarities"
	w.named(w.last, w.keep, "of each row to each term", fmt.Sprintf("SELECT %s\nFROM %s t%s\nOFFSET '0'", strings.Join(columns, ",\n  "), w.from.Table, where))
}

func (w *sqlWriter) column(i int) string {
	w.known[i] = true
	v := &w.Score.Values[i]
	return w.infix.text(v.Expr) + " AS " + v.Name
}

// steps writes the values that the score depends on, in subqueries that build on each other,
// and the maxima as soon as they can be computed. It returns the score.
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
			w.named(name, w.keep, "of the parts of the formula", fmt.Sprintf("SELECT *,\n  %s\nFROM %s\nOFFSET '0'", strings.Join(columns, ",\n  "), w.last))
			w.last, layer = name, layer+1
		default:
			w.gates()
		}
	}
}

func (w *sqlWriter) ready() (out []int) {
	for i, v := range w.Score.Values {
		if !w.known[i] && v.Needs <= len(w.maxima) && !slices.ContainsFunc(refs(v.Expr), func(r int) bool { return !w.known[r] }) {
			out = append(out, i)
		}
	}
	return out
}

func (w *sqlWriter) gates() {
	name := fmt.Sprintf("maxima%d", len(w.maxima))
	var columns []string
	for g := len(w.maxima); g < len(w.Score.Gates) && w.known[w.Score.Gates[g].Value]; g++ {
		columns = append(columns, fmt.Sprintf("greatest(0, max(%[1]s) FILTER (WHERE %[1]s <> 'NaN')) AS m%[2]d", w.infix.value(w.Score.Gates[g].Value), g))
		w.maxima = append(w.maxima, name)
	}
	w.named(name, "MATERIALIZED", "the largest score of the negated part", fmt.Sprintf("SELECT %s\nFROM %s", strings.Join(columns, ",\n  "), w.last))
}
