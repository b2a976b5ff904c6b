package report

import (
	"errors"
	"fmt"

	"github.com/nsfl-go/nsfl/logic"
)

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
		term := func(t int) string { return clip(q.terms[t], 40) }
		for _, f := range q.fusions {
			fused := x.at[f.Term]
			for k, p := range f.Parts {
				own := ""
				if len(f.Parts) == 2 {
					own = change(logic.Delta(fused, x.at[f.Parts[1-k]]))
				}
				t.Add(term(p), term(f.Term), three(x.at[p]), three(fused), own, change(logic.Delta(fused, x.at[p])))
			}
			if f.Rule == "not" {
				base, mono := x.at[f.Parts[0]], x.at[x.mono]
				t.Add("("+negationOf(base, fused, mono)+")", term(x.mono), "", three(mono), "", change(logic.Delta(mono, base)))
			}
		}
	}
	paperDeltas(t)
	t.Notes = append(t.Notes, "Δ part is what the part adds to the other one, Δ others what the others add to it: the similarity to the fusion less that to the other, or to the part. Where a negation stands in the string, Δ is taken from the positive parts, and in brackets is what the words did to it.", "For orientation: the paper's figures are of one picture.")
	return t, nil
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
