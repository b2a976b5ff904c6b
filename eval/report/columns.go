package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/nsfl-go/nsfl/eval/sets"
	"github.com/nsfl-go/nsfl/logic"
	"github.com/nsfl-go/nsfl/query"
)

// Columns holds the similarities of all documents to the terms of a query, as computed by
// lab.Columns.
type Columns struct {
	Query            *sets.Query
	Fusion, Passages string // how the similarities were computed
	Formula          *query.Formula
	IDs              []string    // document ids
	Similarities     [][]float32 // by term of the formula and document
}

// mostCandidates is the number of documents per query for which the page shows deltas.
const mostCandidates = 40

// observed is the part of the columns that the report keeps.
type observed struct {
	fusion, passages string
	histograms       map[histogramKey]*[bins]int
	queries          []observedQuery
}

// observedQuery holds the zero and first order of a query's candidates, as ranked by plain
// retrieval, and the data for the table of deltas.
type observedQuery struct {
	id           string
	terms        []string
	fusions      []fused
	documents    []string
	relevant     []int // 0 or 1
	similarities [][]short
	extraction   extraction
}

// extraction holds the similarities of one document, as in the paper's table of deltas: the
// relevant document that plain retrieval ranks highest.
type extraction struct {
	document string
	relevant bool
	at       []float64 // by term
	mono     int       // the term for the whole formula as one string
}

// fused is a fusion that an operator of the formula compares documents with, and its parts,
// as indexes of terms.
type fused struct {
	Rule  string `json:"rule"` // and, not, or
	Term  int    `json:"term"`
	Parts []int  `json:"parts"` // for a negation: the positive parts together, and the negated one
}

// Histograms have bins for deltas from −1 to 1; the outer bins include everything beyond.
const (
	bins     = 100
	binWidth = 2.0 / bins
)

type histogramKey struct {
	rule     string
	regime   logic.Regime
	relevant bool
}

// Observe records the similarities of one query for the charts and the table of deltas. It
// keeps little data, so any number of queries may be observed. All must use the same fusion
// and passages.
func (r *Report) Observe(c Columns) error {
	o := &r.observed
	if o.histograms == nil {
		o.fusion, o.passages, o.histograms = c.Fusion, c.Passages, map[histogramKey]*[bins]int{}
	}
	if o.fusion != c.Fusion || o.passages != c.Passages {
		return fmt.Errorf("observing the similarities of query %q: they use %s, %s, but earlier ones used %s, %s", c.Query.ID, c.Fusion, c.Passages, o.fusion, o.passages)
	}
	fusions := fusionsOf(c.Formula)
	for i, id := range c.IDs {
		relevant := c.Query.Grade(id) > 0
		for _, f := range fusions {
			s, parts := c.at(f.Term, i), c.parts(f, i)
			o.count(histogramKey{f.Rule, logic.RegimeOf(s, parts), relevant}, delta(f.Rule, s, parts))
		}
	}
	o.queries = append(o.queries, c.keep(fusions))
	return nil
}

func (c *Columns) at(term, document int) float64 { return float64(c.Similarities[term][document]) }

func (c *Columns) parts(f fused, document int) (out []float64) {
	for _, p := range f.Parts {
		out = append(out, c.at(p, document))
	}
	return out
}

// delta is the first order of a fusion: its gain over the dominant part (equation 3) or, for
// a negation, over the positive parts (equation 5).
func delta(rule string, s float64, parts []float64) float64 {
	if rule == "not" {
		return logic.Delta(s, parts[0])
	}
	return logic.Delta(s, slices.Max(parts))
}

func (o *observed) count(key histogramKey, delta float64) {
	h := o.histograms[key]
	if h == nil {
		h = new([bins]int)
		o.histograms[key] = h
	}
	h[min(max(int(math.Floor((delta+1)/binWidth)), 0), bins-1)]++
}

// keep extracts the data that the page and the table show.
func (c *Columns) keep(fusions []fused) observedQuery {
	x := extraction{mono: c.Formula.Terms.Index(c.Formula.Monolithic())}
	ranked := descending(c.Similarities[x.mono])
	best := ranked[max(0, slices.IndexFunc(ranked, func(i int) bool { return c.Query.Grade(c.IDs[i]) > 0 }))]
	x.document, x.relevant = c.IDs[best], c.Query.Grade(c.IDs[best]) > 0
	ranked = ranked[:min(mostCandidates, len(ranked))]
	q := observedQuery{id: c.Query.ID, fusions: fusions}
	for _, line := range ranked {
		q.documents = append(q.documents, c.IDs[line])
		q.relevant = append(q.relevant, min(1, max(0, c.Query.Grade(c.IDs[line]))))
	}
	for t := range c.Similarities {
		x.at = append(x.at, c.at(t, best))
		q.terms = append(q.terms, c.Formula.Terms.At(t).String())
		var column []short
		for _, line := range ranked {
			column = append(column, short(c.Similarities[t][line]))
		}
		q.similarities = append(q.similarities, column)
	}
	q.extraction = x
	return q
}

// descending returns the documents of a column, most similar first.
func descending(column []float32) []int {
	order := make([]int, len(column))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(column[b], column[a]) })
	return order
}

// fusionsOf returns the fusions at the root of a formula, except those with a nested part
// that has no similarity of its own.
func fusionsOf(f *query.Formula) []fused {
	out := []fused{} // not nil, so that JSON has a list
	add := func(rule string, term query.Node, parts ...query.Node) {
		x := fused{Rule: rule, Term: f.Terms.Index(term)}
		for _, p := range parts {
			x.Parts = append(x.Parts, f.Terms.Index(p))
		}
		out = append(out, x)
	}
	switch n := f.Root.(type) {
	case *query.And:
		c := query.ReadConjunction(n)
		if len(c.Pos) > 1 && query.AreAtoms(c.Pos) {
			add("and", c.Fused, c.Pos...)
		}
		for i, with := range c.With {
			if query.IsAtom(c.Neg[i]) {
				add("not", with, c.Fused, c.Neg[i])
			}
		}
	case *query.Or:
		if d := query.ReadDisjunction(n); d.Fused != nil {
			add("or", d.Fused, d.Alts...)
		}
	}
	return out
}
