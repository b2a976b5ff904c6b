package report

import (
	"errors"
	"fmt"

	"github.com/nsfl-go/nsfl/logic"
)

// extraction is one document's deltas, as in the paper's table of them.
type extraction struct {
	document string
	relevant bool
	fusions  []extracted
}

// extracted is a fusion taken apart.
type extracted struct {
	name   string
	value  float64
	parts  []part
	mono   string // the monolithic string; only where it has a negation
	monoAt float64
}

type part struct {
	name  string
	value float64
}

// extract takes the fusions apart for one document.
func (c *Columns) extract(fusions []fused) extraction {
	mono := c.Formula.Terms.Index(c.Formula.Monolithic())
	i := c.choose(mono)
	x := extraction{document: c.IDs[i], relevant: c.Query.Grade(c.IDs[i]) > 0}
	for _, f := range fusions {
		e := extracted{name: c.Formula.Terms.At(f.Term).String(), value: c.at(f.Term, i)}
		for _, t := range f.Parts {
			e.parts = append(e.parts, part{c.Formula.Terms.At(t).String(), c.at(t, i)})
		}
		if f.Rule == "not" {
			e.mono, e.monoAt = c.Formula.Terms.At(mono).String(), c.at(mono, i)
		}
		x.fusions = append(x.fusions, e)
	}
	return x
}

// choose finds the document to show: the relevant one which plain retrieval ranks
// highest.
func (c *Columns) choose(mono int) int {
	ranked := descending(c.Similarities[mono])
	for _, i := range ranked {
		if c.Query.Grade(c.IDs[i]) > 0 {
			return i
		}
	}
	return ranked[0]
}

// negationOf says what the words of a negation did, beside what the fusion
// without them does: to invert the delta would be to negate.
func negationOf(base, fused, mono float64) string {
	switch f, m := logic.Delta(fused, base), logic.Delta(mono, base); {
	case f*m < 0:
		return "inverted"
	case max(m, -m) < max(f, -f):
		return "same sign, weaker"
	}
	return "same sign, not weaker"
}

// deltasTable is the table of deltas, a document for each query observed.
func (r *Report) deltasTable() (*Table, error) {
	o := &r.observed
	if len(o.queries) == 0 {
		return nil, errors.New("no similarities were observed; there is nothing to take deltas of")
	}
	t := NewTable(2, "part", "fusion", "S part", "S fusion", "Δ part", "Δ others")
	t.Caption = fmt.Sprintf("Deltas on %s (%s), %s, %s fusion, passages: %s; one document for each query.", r.Meta.Set, r.Meta.Split, r.Meta.Encoder, o.fusion, o.passages)
	t.Label = "tab:deltas"
	for _, q := range o.queries {
		x := q.extraction
		is := "not relevant"
		if x.relevant {
			is = "relevant"
		}
		title := fmt.Sprintf("%s: %s (%s)", q.id, clip(r.title(x.document), 70), is)
		t.Rows = append(t.Rows, line{Rule: true, Title: title})
		for _, e := range x.fusions {
			for k, p := range e.parts {
				own := ""
				if len(e.parts) == 2 {
					own = change(logic.Delta(e.value, e.parts[1-k].value))
				}
				t.Add(clip(p.name, 40), clip(e.name, 40), three(p.value), three(e.value), own, change(logic.Delta(e.value, p.value)))
			}
			if e.mono != "" {
				base := e.parts[0].value
				t.Add("("+negationOf(base, e.value, e.monoAt)+")", clip(e.mono, 40), "", three(e.monoAt), "", change(logic.Delta(e.monoAt, base)))
			}
		}
	}
	paperDeltas(t)
	if o.negations.pairs > 0 {
		t.Notes = append(t.Notes, o.negations.String())
	}
	t.Notes = append(t.Notes, "Δ part is what the part adds to the other one, Δ others what the others add to it: the similarity to the fusion less that to the other, or to the part. Where a negation stands in the string, Δ is taken from the positive parts, and in brackets is what the words did to it.", "For orientation: the paper's figures are of one picture.")
	return t, nil
}

// String is what the words of negations did, as a sentence.
func (n negations) String() string {
	return fmt.Sprintf("Negation in words (%d queries, all documents): a string with NOT in it moves the similarity to the same side as the fusion without it for %.1f %% of the documents, by %.3f on average where the fusion moves it by %.3f. A string that negates would move it to the other side.",
		n.queries, 100*float64(n.sameSign)/float64(n.pairs), n.mono/float64(n.pairs), n.fused/float64(n.pairs))
}

// title is how a document is shown.
func (r *Report) title(id string) string {
	if r.Meta.Title != nil {
		if s := r.Meta.Title(id); s != "" {
			return s
		}
	}
	return id
}

// clip is at most n characters of a text.
func clip(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return s
}
