package audit

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/nsfl-go/nsfl/eval/report"
)

// shown is how many pairs or labels a table has at most; JSON has all of them.
const shown = 15

// Formats are those that Write knows.
var Formats = []report.Format{report.Text, report.Markdown, report.JSON, report.HTML}

// Write writes the audit. JSON has all pairs and labels, in full precision.
func (a *Audit) Write(w io.Writer, f report.Format) error {
	if f == report.JSON {
		return report.WriteJSON(w, a)
	}
	return a.document().Write(w, f)
}

// document is the audit in words.
func (a *Audit) document() *report.Document {
	d := &report.Document{Title: fmt.Sprintf("Does NOT reach beyond what it names? %s (%s)", a.Set, a.Split)}
	d.Add("", report.Paragraphs(a.about())...)
	d.Add("In short", a.short()...)
	if t := a.pairTable(); len(t.Rows) > 0 {
		d.Add("The worst combinations", report.Block{Table: t}, report.Block{Text: a.pairNote()})
	}
	if len(a.Labels) > 0 {
		d.Add("Labels under all negations of others", a.labelled()...)
	}
	d.Add("A cap on the gate of NOT", report.Block{Table: a.capTable()}, report.Block{Text: a.capNote()})
	d.Add("How it was measured", report.Paragraphs(method...)...)
	d.Add("What this does not show", report.Block{List: limits})
	notes := slices.Clone(a.Notes)
	if a.Command != "" {
		notes = append(notes, "Printed by: "+a.Command)
	}
	if len(notes) > 0 {
		d.Add("Notes", report.Block{List: notes})
	}
	return d
}

var method = []string{
	"A right answer fits the positive part of a query and has none of its negated labels. Right answers are ranked without the negation and with it; a place is a percentile among them, 0 the best, 100 the last. The excess of a label is how many points lower right answers with it end than right answers to the same query without it that started at the same place (least squares within each query, then the mean over queries). So neither the presence of what is negated, nor the mix of queries, nor the place at the start explains it.",
	"Crude is the difference in fall between all documents that fit the positive part, with and without the label; without B is the same among those that do not have what is negated. What lies between the two is what the presence of B explains.",
	fmt.Sprintf("Queries share documents: standard errors count both, clustered by query and by document. A combination is tested where at least %d queries have at least %d right answers with the label and %d without, and %d documents have it in all; a label where that many negated labels have such queries. Tests are two-sided. Benjamini and Hochberg's correction lets 5 %% of the findings be false, Holm's lets any of them be false with a chance of 5 %%; both count all combinations tested.", MinQueries, MinSide, MinSide, MinDocuments),
}

var limits = []string{
	"That a label is the cause. Documents with it may differ in what nobody labelled, and a document without the label B may still speak of B: that it falls is then what was asked for.",
	"That documents get lost as a whole. Places are relative: where some fall, others rise.",
	"Anything of combinations that could not be tested, of labels that the set does not have, and of other encoders, collections and ways to ask.",
	"How much it matters. A finding is a fall that chance does not explain, large or small; its size is in the table, and the largest of many are rather overstated.",
}

func (a *Audit) about() string {
	asked := fmt.Sprintf("%d queries A AND NOT B, of all pairs of labels with enough documents", a.Queries)
	if a.Own {
		asked = fmt.Sprintf("%d queries with a negation, the set's own", a.Queries)
	}
	return fmt.Sprintf("%d documents, %s; %s, mode %s, %s fusion, passages: %s.", a.Documents, asked, a.Encoder, a.Method, a.Fusion, a.Passages)
}

// short is the answer.
func (a *Audit) short() []report.Block {
	n := len(a.Pairs)
	if n == 0 {
		return report.Paragraphs(a.tooFew())
	}
	plain := &a.Caps[0]
	tested := count(n, "combination", "combinations") + " of a negated label with another one that could be tested"
	if plain.Falls+plain.Rises == 0 {
		return report.Paragraphs(
			"No sign that NOT reaches beyond what it names: of "+tested+", none shows documents with the other label falling or rising by more than chance explains.",
			fmt.Sprintf("That is no proof of the contrary. Half of the intervals reach further than %.1f points to either side, and to stand out among so many tests an effect must be larger still.", reach(a.Pairs, func(p *Pair) *Effect { return &p.Effect })),
		)
	}
	out := report.Paragraphs(fmt.Sprintf("NOT reaches beyond what it names. Of %s, %d show documents with the other label falling by more than chance explains, and %d show them rising; by the strict correction %d of these %d remain. The typical excess of all combinations, up or down, is %.1f percentile points.",
		tested, plain.Falls, plain.Rises, plain.Holm, plain.Falls+plain.Rises, plain.Typical))
	var worst []string
	for i := range a.Pairs[:min(n, 3)] {
		if p := &a.Pairs[i]; p.falls() {
			worst = append(worst, p.String())
		}
	}
	if len(worst) > 0 {
		out = append(out, report.Block{List: worst})
	}
	if last := &a.Pairs[n-1]; last.rises() {
		out = append(out, report.Paragraphs(fmt.Sprintf("The largest rise: with NOT %q, documents with %q end %.0f points higher (%.0f to %.0f).", last.Negated, last.Label, -last.Excess, -last.High, -last.Low))...)
	}
	if s := a.mending(); s != "" {
		out = append(out, report.Block{Text: s})
	}
	return out
}

// tooFew says that nothing can be said.
func (a *Audit) tooFew() string {
	s := "The set is too small for an answer on single combinations: no combination of a negated label with another one has the documents and queries that a test needs. That is not the same as no effect."
	if p := a.Nearest; p != nil {
		s += fmt.Sprintf(" The nearest, NOT %q and %q, has %s with enough right answers on both sides (%d are needed) and %s with the label among them (%d are needed).",
			p.Negated, p.Label, count(p.Queries, "query", "queries"), MinQueries, count(p.Documents, "document", "documents"), MinDocuments)
	}
	return s
}

// String is a pair in words.
func (p *Pair) String() string {
	return fmt.Sprintf("With NOT %q, documents with %q but without %q end %.0f percentile points lower (95 %% interval %s) than documents without %q that fit as well and started at the same place: %s, %s with %q. The presence of %q is not the reason, for none of them has it; counted with those that do, the difference would seem to be %.0f.",
		p.Negated, p.Label, p.Negated, p.Excess, between(p.Low, p.High), p.Label, count(p.Queries, "query", "queries"), count(p.Documents, "document", "documents"), p.Label, p.Negated, p.Crude)
}

// reach is the median half width of the intervals.
func reach[T any](all []T, of func(*T) *Effect) float64 {
	var widths []float64
	for i := range all {
		e := of(&all[i])
		widths = append(widths, (e.High-e.Low)/2)
	}
	slices.Sort(widths)
	return widths[len(widths)/2]
}

// mending says what the cap that changes most does.
func (a *Audit) mending() string {
	var best *Capped
	for i := range a.Caps {
		if c := &a.Caps[i]; c.Change != nil && (best == nil || c.Change.Value < best.Change.Value) {
			best = c
		}
	}
	if best == nil || best.Change.High >= 0 {
		return ""
	}
	return fmt.Sprintf("A cap of %g on the gate brings the mean of those falls from %.1f to %.1f points; %d instead of %d fall by %d points or more. mAP@100 of negated queries goes from %.3f to %.3f (%s).",
		best.Cap, *a.Caps[0].Mean, *best.Mean, best.Large, a.Caps[0].Large, LargeFall, a.Caps[0].MAP, best.MAP, report.Interval(best.Cost, 3))
}

func (a *Audit) pairTable() *report.Table {
	t := report.NewTable(2, "NOT (B)", "documents with", "excess", "95 % interval", "crude", "without B", "queries", "documents", "p, BH", "p, Holm")
	for i := range a.Pairs {
		if p := &a.Pairs[i]; p.falls() && len(t.Rows) < shown {
			t.Add(p.Negated, p.Label, points(p.Excess), between(p.Low, p.High), points(p.Crude), points(p.Apart),
				fmt.Sprint(p.Queries), fmt.Sprint(p.Documents), report.Probability(p.PBH), report.Probability(p.PHolm))
		}
	}
	return t
}

func (a *Audit) pairNote() string {
	return fmt.Sprintf("Percentile points; above 0 is a fall. %d of %s tested fall, %d of them by %d points or more; the table has the %d worst.",
		a.Caps[0].Falls, count(len(a.Pairs), "combination", "combinations"), a.Caps[0].Large, LargeFall, min(shown, a.Caps[0].Falls))
}

// labelled is which labels fall whatever is negated.
func (a *Audit) labelled() (out []report.Block) {
	falls, rises := 0, 0
	t := report.NewTable(1, "documents with", "excess", "95 % interval", "negated labels", "queries", "documents", "p, BH", "p, Holm")
	for i := range a.Labels {
		l := &a.Labels[i]
		if l.rises() {
			rises++
		}
		if !l.falls() {
			continue
		}
		if falls++; falls > shown {
			continue
		}
		t.Add(l.Label, points(l.Excess), between(l.Low, l.High), fmt.Sprint(l.Negated), fmt.Sprint(l.Queries), fmt.Sprint(l.Documents), report.Probability(l.PBH), report.Probability(l.PHolm))
	}
	if falls > 0 {
		out = append(out, report.Block{Table: t})
	}
	s := fmt.Sprintf("Of %s tested over all negations together, %d fall by more than chance explains, and %d rise.", count(len(a.Labels), "label", "labels"), falls, rises)
	if falls+rises == 0 {
		s += fmt.Sprintf(" Half of the intervals reach further than %.1f points to either side.", reach(a.Labels, func(l *Label) *Effect { return &l.Effect }))
	}
	return append(out, report.Block{Text: s})
}

// capTable has what a cap mends only where something could be tested.
func (a *Audit) capTable() *report.Table {
	t := report.NewTable(1, "cap")
	if len(a.Pairs) > 0 {
		t.Head = append(t.Head, "mean fall", "difference", "typical", "fall", fmt.Sprint("≥ ", LargeFall), "rise", "Holm")
	}
	t.Head = append(t.Head, "mAP@100", "difference")
	for i := range a.Caps {
		c := &a.Caps[i]
		row := []string{"none"}
		if c.Cap > 0 {
			row[0] = fmt.Sprint(c.Cap)
		}
		if len(a.Pairs) > 0 {
			mean := ""
			if c.Mean != nil {
				mean = points(*c.Mean)
			}
			row = append(row, mean, report.Interval(c.Change, 1), fmt.Sprintf("%.1f", c.Typical), fmt.Sprint(c.Falls), fmt.Sprint(c.Large), fmt.Sprint(c.Rises), fmt.Sprint(c.Holm))
		}
		t.Add(append(row, fmt.Sprintf("%.4f", c.MAP), report.Interval(c.Cost, 4))...)
	}
	return t
}

func (a *Audit) capNote() string {
	s := "The gate is how much of a penalty NOT takes, from 0 to 1. "
	if len(a.Pairs) > 0 {
		s += "Mean fall is that of the combinations that fall without a cap, by negated label first, its interval from resampled negated labels; they were chosen for falling, so that it is rather too large, under every cap alike. Typical is the size of all excesses that could be tested, up or down, less what chance adds. A cap makes all movements smaller, those by chance too, so that more combinations may stand out while the falls are smaller. "
	}
	return s + fmt.Sprintf("mAP@100 is that of the set's own negated queries, the mean over templates, its interval from resampled queries (95 %%, 10,000 resamples, seed %d).", a.Seed)
}

func points(v float64) string { return report.Signed(v, 1) }

func between(low, high float64) string {
	minus := func(v float64) string {
		return strings.Replace(fmt.Sprintf("%.1f", math.Round(v*10)/10), "-", "−", 1)
	}
	return minus(low) + " to " + minus(high)
}

func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
