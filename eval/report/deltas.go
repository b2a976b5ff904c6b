package report

import (
	"errors"
	"fmt"

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

// best returns the relevant document that plain retrieval ranks highest, or its first document
// if none is relevant.
func (c *Columns) best() (document int, relevant bool) {
	plain := c.Similarities[c.Formula.Terms.Index(c.Formula.Monolithic())]
	for i, id := range c.IDs {
		is := c.Query.Grade(id) > 0
		if is && !relevant || is == relevant && plain[i] > plain[document] {
			document, relevant = i, is
		}
	}
	return document, relevant
}

// Observe adds one document of a query to the table of deltas. All queries must use the same
// fusion and passages.
func (r *Report) Observe(c Columns) error {
	caption := fmt.Sprintf("Deltas on %s (%s), %s, %s fusion, passages: %s; one document per query.", r.Meta.Set, r.Meta.Split, r.Meta.Encoder, c.Fusion, c.Passages)
	if r.deltas == nil {
		r.deltas = NewTable(2, "part", "fusion", "S part", "S fusion", "Δ part", "Δ others")
		r.deltas.Caption = caption
	}
	if r.deltas.Caption != caption {
		return fmt.Errorf("observing the similarities of query %q: they use %s, %s, but earlier ones used others", c.Query.ID, c.Fusion, c.Passages)
	}
	document, relevant := c.best()
	is := "not relevant"
	if relevant {
		is = "relevant"
	}
	r.deltas.Rows = append(r.deltas.Rows, line{Title: fmt.Sprintf("%s: %s (%s)", c.Query.ID, clip(r.title(c.IDs[document]), 70), is)})
	at := func(n query.Node) float64 { return float64(c.Similarities[c.Formula.Terms.Index(n)][document]) }
	r.addDeltas(c.Formula, at)
	return nil
}

// addDeltas adds the deltas of the fusions at the root of a formula, given the similarities to
// its parts. Fusions with a nested part, which has no similarity of its own, are left out.
func (r *Report) addDeltas(f *query.Formula, at func(query.Node) float64) {
	term := func(n query.Node) string { return clip(f.Terms.At(f.Terms.Index(n)).String(), 40) }
	add := func(fusion query.Node, parts ...query.Node) {
		for k, p := range parts {
			others := ""
			if len(parts) == 2 {
				others = change(logic.Delta(at(fusion), at(parts[1-k])))
			}
			r.deltas.Add(term(p), term(fusion), three(at(p)), three(at(fusion)), others, change(logic.Delta(at(fusion), at(p))))
		}
	}
	switch n := f.Root.(type) {
	case *query.And:
		c := query.ReadConjunction(n)
		if len(c.Pos) > 1 && query.AreAtoms(c.Pos) {
			add(c.Fused, c.Pos...)
		}
		for i, with := range c.With {
			if !query.IsAtom(c.Neg[i]) {
				continue
			}
			add(with, c.Fused, c.Neg[i])
			base, mono := at(c.Fused), at(f.Monolithic())
			r.deltas.Add("("+negationOf(base, at(with), mono)+")", term(f.Monolithic()), "", three(mono), "", change(logic.Delta(mono, base)))
		}
	case *query.Or:
		if d := query.ReadDisjunction(n); d.Fused != nil {
			add(d.Fused, d.Alts...)
		}
	}
}

// negationOf describes the effect of a negation in the string, compared with the fusion
// without it: a real negation would invert the delta.
func negationOf(base, fused, mono float64) string {
	switch f, m := logic.Delta(fused, base), logic.Delta(mono, base); {
	case f*m < 0:
		return "inverted"
	case max(m, -m) < max(f, -f):
		return "same sign, weaker"
	}
	return "same sign, not weaker"
}

// deltasTable returns the table of deltas, one document per observed query.
func (r *Report) deltasTable() (*Table, error) {
	if r.deltas == nil {
		return nil, errors.New("no similarities were observed, so there are no deltas")
	}
	t := *r.deltas
	paperDeltas(&t)
	t.Notes = []string{"Δ part is the gain from the part, Δ others the gain from the other parts: the similarity to the fusion minus that to the others, or to the part. For a string with a negation, Δ is relative to the positive parts, and the brackets show the effect of the negation.", "For orientation: the paper's figures are of one picture."}
	return &t, nil
}

// title returns the title of a document for display.
func (r *Report) title(id string) string {
	if r.Meta.Title != nil {
		if s := r.Meta.Title(id); s != "" {
			return s
		}
	}
	return id
}

// clip returns at most n characters of a text.
func clip(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return s
}
