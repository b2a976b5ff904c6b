package audit

import (
	"fmt"
	"io"

	"github.com/nsfl-go/nsfl/eval/report"
)

// The maximum numbers of pairs in a table; JSON has all of them.
const (
	shownFalls = 15
	shownRises = 5
)

// Formats are the formats that Write supports.
var Formats = []report.Format{report.Text, report.Markdown, report.JSON}

// Write writes the audit. JSON has all pairs, in full precision.
func (a *Audit) Write(w io.Writer, f report.Format) error {
	if f == report.JSON {
		return report.WriteJSON(w, a)
	}
	return report.WriteTables(w, f, a.pairTable(), a.capTable())
}

// pairTable shows the significant pairs: the worst falls and the largest rises.
func (a *Audit) pairTable() *report.Table {
	t := report.NewTable(2, "NOT (B)", "documents with", "excess", "95 % interval", "queries", "documents", "p, BH", "p, Holm")
	t.Caption = fmt.Sprintf("Does NOT reach beyond the label it names? %s (%s): %d documents, %d queries A AND NOT B; %s, mode %s, %s fusion, passages: %s.",
		a.Set, a.Split, a.Documents, a.Queries, a.Encoder, a.Method, a.Fusion, a.Passages)
	if len(a.Pairs) == 0 {
		t.Notes = []string{fmt.Sprintf("The set is too small for an answer, which does not mean that there is no effect: no label has %d queries with enough right answers with and without it, and %d documents, for any negated label.", MinQueries, MinDocuments)}
		return t
	}
	plain := &a.Caps[0]
	first, last := min(plain.Falls, shownFalls), len(a.Pairs)-min(plain.Rises, shownRises)
	for i := range a.Pairs {
		if p := &a.Pairs[i]; i < first || i >= last {
			t.Add(p.Negated, p.Label, report.Signed(p.Excess, 1), report.Range(p.Low, p.High, 1),
				fmt.Sprint(p.Queries), fmt.Sprint(p.Documents), report.Probability(p.PBH), report.Probability(p.PHolm))
		}
	}
	t.Notes = []string{
		fmt.Sprintf("Of %d tested pairs of a negated label and another label, %d fall significantly and %d rise; %d also by Holm's correction. The typical excess of all pairs, up or down, is %.1f percentile points. The table shows the worst falls (%d) and the largest rises (%d).",
			len(a.Pairs), plain.Falls, plain.Rises, plain.Holm, plain.Typical, first, len(a.Pairs)-last),
		"Excess: how many percentile points lower right answers with the label end than right answers to the same query without it that started at the same position; none of them has B. Errors are clustered by query and by document; tests are two-sided and corrected for all pairs. The label need not be the cause: documents without the label B may still mention B.",
	}
	return t
}

// capTable includes the effect on pairs only if any pair could be tested.
func (a *Audit) capTable() *report.Table {
	t := report.NewTable(1, "cap")
	t.Caption = "A cap on the gate of NOT: the maximum share of the penalty that NOT applies, from 0 to 1."
	tested := len(a.Pairs) > 0
	if tested {
		t.Head = append(t.Head, "mean fall", "difference", "typical", "fall", fmt.Sprint("≥ ", LargeFall), "rise", "Holm")
		t.Notes = append(t.Notes, "Mean fall is the mean over the pairs that fall without a cap, averaged by negated label first, with an interval from resampled negated labels. The pairs were selected for falling, so it is somewhat too large under every cap. A cap reduces all movements, including those by chance, so more pairs may be significant although the falls are smaller.")
	}
	t.Head = append(t.Head, "mAP@100", "difference")
	for i := range a.Caps {
		c := &a.Caps[i]
		row := []string{"none"}
		if c.Cap > 0 {
			row[0] = fmt.Sprint(c.Cap)
		}
		if tested {
			mean := ""
			if c.Mean != nil {
				mean = report.Signed(*c.Mean, 1)
			}
			row = append(row, mean, report.Interval(c.Change, 1), fmt.Sprintf("%.1f", c.Typical), fmt.Sprint(c.Falls), fmt.Sprint(c.Large), fmt.Sprint(c.Rises), fmt.Sprint(c.Holm))
		}
		t.Add(append(row, fmt.Sprintf("%.4f", c.MAP), report.Interval(c.Cost, 4))...)
	}
	t.Notes = append(t.Notes, fmt.Sprintf("mAP@100 is measured on the set's own negated queries and averaged over templates, with an interval from resampled queries (95 %%, seed %d).", a.Seed))
	t.Notes = append(append(t.Notes, a.Notes...), report.PrintedBy(a.Command)...)
	return t
}
