package report

import (
	"errors"
	"fmt"

	"github.com/nsfl-go/nsfl/logic"
)

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
	o := &r.observed
	if len(o.queries) == 0 {
		return nil, errors.New("no similarities were observed, so there are no deltas")
	}
	t := NewTable(2, "part", "fusion", "S part", "S fusion", "Δ part", "Δ others")
	t.Caption = fmt.Sprintf("Deltas on %s (%s), %s, %s fusion, passages: %s; one document per query.", r.Meta.Set, r.Meta.Split, r.Meta.Encoder, o.fusion, o.passages)
	for _, x := range o.queries {
		is := "not relevant"
		if x.relevant {
			is = "relevant"
		}
		title := fmt.Sprintf("%s: %s (%s)", x.query, clip(r.title(x.document), 70), is)
		t.Rows = append(t.Rows, line{Title: title})
		term := func(t int) string { return clip(x.terms[t], 40) }
		for _, f := range x.fusions {
			fused := x.at[f.term]
			for k, p := range f.parts {
				own := ""
				if len(f.parts) == 2 {
					own = change(logic.Delta(fused, x.at[f.parts[1-k]]))
				}
				t.Add(term(p), term(f.term), three(x.at[p]), three(fused), own, change(logic.Delta(fused, x.at[p])))
			}
			if f.rule == "not" {
				base, mono := x.at[f.parts[0]], x.at[x.mono]
				t.Add("("+negationOf(base, fused, mono)+")", term(x.mono), "", three(mono), "", change(logic.Delta(mono, base)))
			}
		}
	}
	paperDeltas(t)
	t.Notes = append(t.Notes, "Δ part is the gain from the part, Δ others the gain from the other parts: the similarity to the fusion minus that to the others, or to the part. For a string with a negation, Δ is relative to the positive parts, and the brackets show the effect of the negation.", "For orientation: the paper's figures are of one picture.")
	return t, nil
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
