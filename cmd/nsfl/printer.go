package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/nsfl-go/nsfl/internal/progress"
	"github.com/nsfl-go/nsfl/internal/said"
	"github.com/nsfl-go/nsfl/internal/screen"
	"github.com/nsfl-go/nsfl/query"
	"github.com/nsfl-go/nsfl/retrieve"
)

// printer shows a result to a person.
type printer struct {
	*terminal
	result  *retrieve.Result
	options *retrieve.Options
}

// head says what was asked and what was done.
func (p *printer) head() {
	r := p.result
	say := func(colour, format string, args ...any) {
		p.lines(colour, "", "", screen.Text(fmt.Sprintf(format, args...)))
	}
	for i, note := range r.Understood {
		if i == 0 {
			note = "read as: " + note + "   (--nl off: as it is written)"
		}
		say(dim, "%s", note)
	}
	switch both := progress.Columns(r.Formula + "  " + r.Filter); {
	case r.Filter == "":
		say(bold, "%s", r.Formula)
	case p.wraps && both > p.width:
		say(bold, "%s", r.Formula)
		say(cyan, "%s", r.Filter)
	default:
		fmt.Fprintln(p, p.paint(bold, r.Formula)+"  "+p.paint(cyan, r.Filter))
	}
	reason := ""
	if r.Reason != "" {
		reason = " (" + r.Reason + ")"
	}
	ranked := fmt.Sprintf("%d of %d documents ranked", r.Ranked, r.Documents)
	if r.Proof != nil {
		ranked = r.Proof.Says
	}
	say(dim, "%s%s: %s", r.Mode, reason, ranked)
	for _, cut := range r.Cut {
		say(yellow, "the encoder did not read the end of %q", clip(cut, 60))
	}
	for _, note := range r.Notes {
		say(dim, "%s", note)
	}
	for _, d := range r.Degraded {
		say(red, "incomplete: %s", d)
	}
	if len(r.Hits) == 0 {
		fmt.Fprintln(p, "nothing found")
	}
	fmt.Fprintln(p)
}

// plan says what was encoded and how long each step took.
func (p *printer) plan() {
	r := p.result
	label := "encoded"
	for _, s := range r.Strings {
		fmt.Fprintf(p, "  %-9s %s\n", label, s)
		label = ""
	}
	fmt.Fprintf(p, "  %-9s %s, %s fusion", "by", screen.Line(r.Encoder), r.Fusion)
	if r.Profile != "" {
		fmt.Fprintf(p, ", profile %s", screen.Line(r.Profile))
	}
	fmt.Fprintln(p)
	t := r.Timings
	fmt.Fprintf(p, "  %-9s %.2f ms: encode %.2f, find %.2f, rank %.2f, compare %.2f, read %.2f, explain %.2f\n\n", "took",
		ms(t.Total()), ms(t.Encode), ms(t.Find), ms(t.Rank), ms(t.Compare), ms(t.Read), ms(t.Explain))
}

// hits is a list with bars: the score, the title, the passages that matched, copies, and
// why.
func (p *printer) hits() {
	atoms := atomsOf(p.result.Formula)
	top, low := 0.0, 0.0
	for _, h := range p.result.Hits {
		top, low = max(top, h.Score), min(low, h.Score)
	}
	for i := range p.result.Hits {
		h := &p.result.Hits[i]
		worth := fmt.Sprintf("%+.3f", h.Score)
		if h.Probability > 0 {
			worth += fmt.Sprintf(" %3.0f %%", 100*h.Probability)
		}
		fmt.Fprintf(p, "%3d  %s %s  ", h.Rank, worth, p.paint(green, pad(bar(h.Score, low, top, 10), 10)))
		p.name(h, p.width-len(worth)-18, marksOf(h, atoms))
		if p.options.Text == retrieve.Excerpt {
			p.passages(h, atoms)
		} else {
			p.texts(h, atoms)
		}
		if p.options.Fields != nil {
			p.fields(h)
		}
		if h.CopyCount > 0 {
			fmt.Fprintf(p, "     %s\n", p.paint(dim, clip(screen.Text(said.Copies(h, len(h.Copies))), p.width-5)))
		}
		if h.Explanation != nil {
			indent := strings.Repeat(" ", 5)
			printExplanation(p.terminal, h.Explanation, indent)
			p.words(h, indent+"  ")
			fmt.Fprintln(p)
		}
	}
}

// name is the title of a document, its found words marked, and its id, in so many
// columns.
func (p *printer) name(h *retrieve.Hit, width int, marked marks) {
	id := clip(screen.Text(h.ID), min(30, width/2))
	if h.Title == "" {
		fmt.Fprintln(p, p.paint(bold, clip(screen.Text(h.ID), width)))
		return
	}
	title := clip(screen.Text(h.Title), width-2-progress.Columns(id))
	fmt.Fprintf(p, "%s  %s\n", p.mark(bold, title, marked), p.paint(dim, id))
}

// atomsOf are the texts of a formula's atoms.
func atomsOf(formula string) (atoms []string) {
	n, err := query.Parse(formula)
	if err != nil {
		return nil
	}
	for a := range query.Atoms(n) {
		if a.Kind == query.Text {
			atoms = append(atoms, a.Text)
		}
	}
	return atoms
}

// ms is a time in milliseconds.
func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
