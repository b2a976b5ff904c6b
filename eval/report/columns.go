package report

import (
	"fmt"

	"github.com/nsfl-go/nsfl/eval/sets"
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

// observed is the data for the table of deltas.
type observed struct {
	fusion, passages string
	queries          []extraction
}

// extraction holds the similarities of one document to the terms of a query: the relevant
// document that plain retrieval ranks highest.
type extraction struct {
	query    string // its id
	terms    []string
	fusions  []fused
	document string
	relevant bool
	at       []float64 // by term
	mono     int       // the term for the whole formula as one string
}

// fused is a fusion that an operator of the formula compares documents with, and its parts,
// as indexes of terms.
type fused struct {
	rule  string // and, not, or
	term  int
	parts []int // for a negation: the positive parts together, and the negated one
}

// Observe records the similarities of one query for the table of deltas. All queries must use
// the same fusion and passages.
func (r *Report) Observe(c Columns) error {
	o := &r.observed
	if o.queries == nil {
		o.fusion, o.passages = c.Fusion, c.Passages
	}
	if o.fusion != c.Fusion || o.passages != c.Passages {
		return fmt.Errorf("observing the similarities of query %q: they use %s, %s, but earlier ones used %s, %s", c.Query.ID, c.Fusion, c.Passages, o.fusion, o.passages)
	}
	x := extraction{query: c.Query.ID, fusions: fusionsOf(c.Formula), mono: c.Formula.Terms.Index(c.Formula.Monolithic())}
	best, plain := 0, c.Similarities[x.mono]
	for i, id := range c.IDs {
		relevant := c.Query.Grade(id) > 0
		if relevant && !x.relevant || relevant == x.relevant && plain[i] > plain[best] {
			best, x.relevant = i, relevant
		}
	}
	x.document = c.IDs[best]
	for t := range c.Similarities {
		x.at = append(x.at, float64(c.Similarities[t][best]))
		x.terms = append(x.terms, c.Formula.Terms.At(t).String())
	}
	o.queries = append(o.queries, x)
	return nil
}

// fusionsOf returns the fusions at the root of a formula, except those with a nested part
// that has no similarity of its own.
func fusionsOf(f *query.Formula) (out []fused) {
	add := func(rule string, term query.Node, parts ...query.Node) {
		x := fused{rule: rule, term: f.Terms.Index(term)}
		for _, p := range parts {
			x.parts = append(x.parts, f.Terms.Index(p))
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
