package audit

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// shown is how many pairs or labels a table has at most; JSON has all of them.
const shown = 15

// document is the audit in words.
func (a *Audit) document() *document {
	d := &document{title: fmt.Sprintf("Does NOT reach beyond what it names? %s (%s)", a.Set, a.Split)}
	d.add("", paragraph(a.about()))
	d.add("In short", a.short()...)
	if t := a.pairTable(); t != nil {
		d.add("The worst combinations", t, paragraph(a.pairNote()))
	}
	if len(a.Labels) > 0 {
		d.add("Labels under all negations of others", a.labelled()...)
	}
	d.add("A cap on the gate of NOT", a.capTable(), paragraph(a.capNote()))
	d.add("How it was measured", paragraphs(method)...)
	d.add("What this does not show", limits)
	var notes list
	notes = append(notes, a.Notes...)
	if a.Command != "" {
		notes = append(notes, "Printed by: "+a.Command)
	}
	if len(notes) > 0 {
		d.add("Notes", notes)
	}
	return d
}

var method = []string{
	"A right answer fits the positive part of a query and has none of its negated labels. Right answers are ranked without the negation and with it; a place is a percentile among them, 0 the best, 100 the last. The excess of a label is how many points lower right answers with it end than right answers to the same query without it that started at the same place (least squares within each query, then the mean over queries). So neither the presence of what is negated, nor the mix of queries, nor the place at the start explains it.",
	"Crude is the difference in fall between all documents that fit the positive part, with and without the label; without B is the same among those that do not have what is negated. What lies between the two is what the presence of B explains.",
	fmt.Sprintf("Queries share documents: standard errors count both, clustered by query and by document. A combination is tested where at least %d queries have at least %d right answers with the label and %d without, and %d documents have it in all; a label where that many negated labels have such queries. Tests are two-sided. Benjamini and Hochberg's correction lets 5 %% of the findings be false, Holm's lets any of them be false with a chance of 5 %%; both count all combinations tested.", MinQueries, MinSide, MinSide, MinDocuments),
}

var limits = list{
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
func (a *Audit) short() (out []block) {
	n := len(a.Pairs)
	if n == 0 {
		return paragraphs([]string{a.tooFew()})
	}
	plain := &a.Caps[0]
	tested := count(n, "combination", "combinations") + " of a negated label with another one that could be tested"
	if plain.Falls+plain.Rises == 0 {
		return paragraphs([]string{
			"No sign that NOT reaches beyond what it names: of " + tested + ", none shows documents with the other label falling or rising by more than chance explains.",
			fmt.Sprintf("That is no proof of the contrary. Half of the intervals reach further than %.1f points to either side, and to stand out among so many tests an effect must be larger still.", reach(a.Pairs, func(p *Pair) *Effect { return &p.Effect })),
		})
	}
	out = append(out, paragraph(fmt.Sprintf("NOT reaches beyond what it names. Of %s, %d show documents with the other label falling by more than chance explains, and %d show them rising; by the strict correction %d of these %d remain. The typical excess of all combinations, up or down, is %.1f percentile points.",
		tested, plain.Falls, plain.Rises, plain.Holm, plain.Falls+plain.Rises, plain.Typical)))
	var worst list
	for i := range a.Pairs[:min(n, 3)] {
		if p := &a.Pairs[i]; p.falls() {
			worst = append(worst, p.String())
		}
	}
	if len(worst) > 0 {
		out = append(out, worst)
	}
	if last := &a.Pairs[n-1]; last.rises() {
		out = append(out, paragraph(fmt.Sprintf("The largest rise: with NOT %q, documents with %q end %.0f points higher (%.0f to %.0f).", last.Negated, last.Label, -last.Excess, -last.High, -last.Low)))
	}
	if s := a.mending(); s != "" {
		out = append(out, paragraph(s))
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
		best.Cap, *a.Caps[0].Mean, *best.Mean, best.Large, a.Caps[0].Large, LargeFall, a.Caps[0].MAP, best.MAP, interval(best.Cost, 3))
}

func (a *Audit) pairTable() block {
	t := &table{head: []string{"NOT (B)", "documents with", "excess", "95 % interval", "crude", "without B", "queries", "documents", "p, BH", "p, Holm"}, left: 2}
	for i := range a.Pairs {
		if p := &a.Pairs[i]; p.falls() && len(t.rows) < shown {
			t.rows = append(t.rows, []string{p.Negated, p.Label, points(p.Excess), between(p.Low, p.High), points(p.Crude), points(p.Apart),
				fmt.Sprint(p.Queries), fmt.Sprint(p.Documents), probability(p.PBH), probability(p.PHolm)})
		}
	}
	if len(t.rows) == 0 {
		return nil
	}
	return t
}

func (a *Audit) pairNote() string {
	return fmt.Sprintf("Percentile points; above 0 is a fall. %d of %s tested fall, %d of them by %d points or more; the table has the %d worst.",
		a.Caps[0].Falls, count(len(a.Pairs), "combination", "combinations"), a.Caps[0].Large, LargeFall, min(shown, a.Caps[0].Falls))
}

// labelled is which labels fall whatever is negated.
func (a *Audit) labelled() (out []block) {
	falls, rises := 0, 0
	t := &table{head: []string{"documents with", "excess", "95 % interval", "negated labels", "queries", "documents", "p, BH", "p, Holm"}, left: 1}
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
		t.rows = append(t.rows, []string{l.Label, points(l.Excess), between(l.Low, l.High), fmt.Sprint(l.Negated), fmt.Sprint(l.Queries), fmt.Sprint(l.Documents), probability(l.PBH), probability(l.PHolm)})
	}
	if falls > 0 {
		out = append(out, t)
	}
	s := fmt.Sprintf("Of %s tested over all negations together, %d fall by more than chance explains, and %d rise.", count(len(a.Labels), "label", "labels"), falls, rises)
	if falls+rises == 0 {
		s += fmt.Sprintf(" Half of the intervals reach further than %.1f points to either side.", reach(a.Labels, func(l *Label) *Effect { return &l.Effect }))
	}
	return append(out, paragraph(s))
}

// capTable has what a cap mends only where something could be tested.
func (a *Audit) capTable() block {
	t := &table{head: []string{"cap"}, left: 1}
	if len(a.Pairs) > 0 {
		t.head = append(t.head, "mean fall", "difference", "typical", "fall", fmt.Sprint("≥ ", LargeFall), "rise", "Holm")
	}
	t.head = append(t.head, "mAP@100", "difference")
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
			row = append(row, mean, interval(c.Change, 1), fmt.Sprintf("%.1f", c.Typical), fmt.Sprint(c.Falls), fmt.Sprint(c.Large), fmt.Sprint(c.Rises), fmt.Sprint(c.Holm))
		}
		t.rows = append(t.rows, append(row, fmt.Sprintf("%.4f", c.MAP), interval(c.Cost, 4)))
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

func points(v float64) string { return signed(v, 1) }

// signed is a number with its sign. What rounds to 0 has none.
func signed(v float64, digits int) string {
	s := fmt.Sprintf("%+.*f", digits, v)
	if strings.Trim(s, "+-0.") == "" {
		return s[1:]
	}
	return strings.Replace(s, "-", "−", 1)
}

func between(low, high float64) string {
	minus := func(v float64) string {
		return strings.Replace(fmt.Sprintf("%.1f", math.Round(v*10)/10), "-", "−", 1)
	}
	return minus(low) + " to " + minus(high)
}

// interval is empty where there is none.
func interval(in *Interval, digits int) string {
	if in == nil {
		return ""
	}
	return signed(in.Value, digits) + " [" + signed(in.Low, digits) + ", " + signed(in.High, digits) + "]"
}

func probability(p float64) string {
	if p < 0.001 {
		return fmt.Sprintf("%.0e", p)
	}
	return fmt.Sprintf("%.3f", p)
}

func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
