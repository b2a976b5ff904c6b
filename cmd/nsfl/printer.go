package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/nsfl-go/nsfl/query"
	"github.com/nsfl-go/nsfl/retrieve"
)

// printer shows a result to a person.
type printer struct {
	*terminal
	result *retrieve.Result
}

// head says what was asked and what was done.
func (p *printer) head() {
	r := p.result
	fmt.Fprint(p, p.paint(bold, r.Formula))
	if r.Filter != "" {
		fmt.Fprint(p, "  ", p.paint(cyan, r.Filter))
	}
	reason := r.Reason
	if reason != "" {
		reason = " (" + reason + ")"
	}
	fmt.Fprintf(p, "\n%s\n", p.paint(dim, fmt.Sprintf("%s%s: %d of %d documents ranked", r.Mode, reason, r.Ranked, r.Documents)))
	for _, cut := range r.Cut {
		fmt.Fprintf(p, "%s\n", p.paint(yellow, fmt.Sprintf("the encoder did not read the end of %q", clip(cut, 60))))
	}
	for _, note := range r.Notes {
		fmt.Fprintf(p, "%s\n", p.paint(dim, note))
	}
	for _, d := range r.Degraded {
		fmt.Fprintf(p, "%s\n", p.paint(red, "incomplete: "+d))
	}
	if len(r.Hits) == 0 {
		fmt.Fprintln(p, "nothing found")
	}
	fmt.Fprintln(p)
}

// plan says what was encoded and how long each step took.
func (p *printer) plan() {
	r := p.result
	for i, s := range r.Strings {
		label := ""
		if i == 0 {
			label = "encoded"
		}
		fmt.Fprintf(p, "  %-9s %s\n", label, s)
	}
	fmt.Fprintf(p, "  %-9s %s, %s fusion", "by", r.Encoder, r.Fusion)
	if r.Profile != "" {
		fmt.Fprintf(p, ", profile %s", r.Profile)
	}
	fmt.Fprintln(p)
	t := r.Timings
	fmt.Fprintf(p, "  %-9s %.2f ms: encode %.2f, find %.2f, rank %.2f, compare %.2f, read %.2f, explain %.2f\n\n", "took",
		ms(t.Total()), ms(t.Encode), ms(t.Find), ms(t.Rank), ms(t.Compare), ms(t.Read), ms(t.Explain))
}

// hits is a list with bars: the score, the title, the passage that matched, and
// why.
func (p *printer) hits() {
	atoms := atomsOf(p.result.Formula)
	top, low := 0.0, 0.0
	for _, h := range p.result.Hits {
		top, low = max(top, h.Score), min(low, h.Score)
	}
	for _, h := range p.result.Hits {
		share := 0.0
		if top > low {
			share = (h.Score - low) / (top - low)
		}
		title := h.Title
		if title == "" {
			title = h.ID
		}
		worth := fmt.Sprintf("%+.3f", h.Score)
		if h.Probability > 0 {
			worth += fmt.Sprintf(" %3.0f %%", 100*h.Probability)
		}
		fmt.Fprintf(p, "%3d  %s %s  %s", h.Rank, worth, p.paint(green, pad(bar(share, 10), 10)), p.paint(bold, clip(clean(title), p.width-40)))
		if h.Title != "" {
			fmt.Fprintf(p, "  %s", p.paint(dim, clip(clean(h.ID), 30)))
		}
		fmt.Fprintln(p)
		p.snippet(&h, atoms)
		if h.Explanation != nil {
			printExplanation(p, h.Explanation, strings.Repeat(" ", 5))
			fmt.Fprintln(p)
		}
	}
}

// snippet shows the passage that matched, the atoms' words marked, and the atom
// it is nearest to.
func (p *printer) snippet(h *retrieve.Hit, atoms []string) {
	why := ""
	if h.Snippet.Atom != "" && len(atoms) > 1 {
		why = fmt.Sprintf("  ← %s %.2f", h.Snippet.Atom, h.Snippet.Similarity)
	}
	text := excerpt(clean(h.Snippet.Text), atoms, p.width-5-textWidth(why))
	if text != "" && text != h.Title {
		fmt.Fprintf(p, "     %s%s\n", p.mark(text, atoms), p.paint(dim, why))
	}
}

// mark paints the words of a text that an atom has too.
func (p *printer) mark(text string, atoms []string) string {
	if !p.colour {
		return text
	}
	var b strings.Builder
	for word, isWord := range pieces(text) {
		if isWord && matches(word, atoms) {
			word = p.paint(yellow, word)
		}
		b.WriteString(word)
	}
	return b.String()
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

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
