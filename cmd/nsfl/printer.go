package main

import (
	"fmt"
	"strings"

	"github.com/nsfl-go/nsfl/internal/matchtext"
	"github.com/nsfl-go/nsfl/internal/progress"
	"github.com/nsfl-go/nsfl/internal/termsafe"
	"github.com/nsfl-go/nsfl/query"
	"github.com/nsfl-go/nsfl/retrieve"
)

// printer prints a search result.
type printer struct {
	*terminal
	result  *retrieve.Result
	formula *query.Formula // of the question; nil if unknown
	options retrieve.Options
	// studied shows scores and similarities.
	studied bool
}

// head prints the query and notes.
func (p *printer) head() {
	r := p.result
	p.asked()
	for _, cut := range r.Cut {
		p.say(yellow, "the encoder did not read the end of %q", clip(cut, 60))
	}
	if r.DidYouMean != "" {
		p.say(yellow, "did you mean: %s", r.DidYouMean)
	}
	for _, note := range r.Notes {
		p.say(yellow, "%s", strings.Replace(note, "(all shows them)", "(--all shows them)", 1))
	}
	if r.Proof != nil && !p.studied {
		p.say(dim, "%s", r.Proof.Short(r.Documents))
	}
	for _, d := range r.Degraded {
		p.say(red, "incomplete: %s", d)
	}
	switch {
	case len(r.Hits) > 0:
	case r.Documents == 0:
		p.say("", "nothing found: the collection is empty")
	case r.Ranked == 0 && r.Filter != "":
		p.say("", "no documents match the filter %s", r.Filter)
	default:
		p.say("", "nothing found")
	}
	fmt.Fprintln(p)
}

// say prints a line.
func (p *printer) say(colour, format string, args ...any) {
	p.lines(colour, "", "", termsafe.Text(fmt.Sprintf(format, args...)))
}

// asked prints the formula, the filter and, for a sentence, how to search for it as written.
func (p *printer) asked() {
	r := p.result
	first, back := "", ""
	if len(r.Understood) > 0 {
		first, back = "read as: ", "  (--nl off: as it is written)"
	}
	line := p.paint(bold, termsafe.Text(r.Formula))
	if r.Filter != "" {
		line += "  " + p.paint(cyan, termsafe.Text(r.Filter))
	}
	p.lines("", first, strings.Repeat(" ", len(first)), strings.TrimPrefix(line+p.paint(dim, back), "  "))
}

// hits prints the results: score bar, title, matching passages, copies and explanation.
func (p *printer) hits() {
	atoms := atomsOf(p.formula)
	top, low := 0.0, 0.0
	for _, h := range p.result.Hits {
		top, low = max(top, h.Score), min(low, h.Score)
	}
	for i := range p.result.Hits {
		h := &p.result.Hits[i]
		first := fmt.Sprintf("%3d  ", h.Rank)
		if p.studied {
			first += fmt.Sprintf("%+.3f ", h.Score)
		}
		if h.Probability > 0 {
			first += fmt.Sprintf("%3.0f %% ", 100*h.Probability)
		} else if h.Strength != "" && p.result.Candidate == nil {
			first += fmt.Sprintf("%-7s ", h.Strength)
		}
		room := p.width - len(first)
		if p.result.Candidate == nil { // there are others to compare with
			const cells, gap = 10, "  "
			first += p.paint(green, pad(bar(h.Score, low, top, cells), cells)) + gap
			room -= cells + len(gap)
		} else {
			first, room = first+" ", room-1
		}
		fmt.Fprint(p, first)
		p.name(h, room, marksOf(h, atoms))
		if p.options.Text == retrieve.Excerpt {
			p.passages(h, atoms)
		} else {
			p.texts(h, atoms)
		}
		p.unwanted(h)
		if p.options.Fields != nil {
			p.fields(h)
		}
		if h.CopyCount > 0 {
			fmt.Fprintf(p, "     %s\n", p.paint(dim, clip(termsafe.Text(matchtext.Copies(h, len(h.Copies))), p.width-5)))
		}
		if h.Explanation != nil {
			indent := strings.Repeat(" ", 5)
			printExplanation(p.terminal, h.Explanation, indent)
			p.words(h, indent+"  ")
			p.patterns(h, indent+"  ")
			fmt.Fprintln(p)
		}
	}
}

// name prints a document's title, with matched words marked, and its id, in width columns.
func (p *printer) name(h *retrieve.Hit, width int, marked marks) {
	id := clip(termsafe.Text(h.ID), min(30, width/2))
	if h.Title == "" {
		fmt.Fprintln(p, p.paint(bold, clip(termsafe.Text(h.ID), width)))
		return
	}
	title := clip(termsafe.Text(h.Title), width-2-progress.Columns(id))
	fmt.Fprintf(p, "%s  %s\n", p.mark(bold, title, marked), p.paint(dim, id))
}

// atomsOf returns the texts of a formula's atoms.
func atomsOf(f *query.Formula) (atoms []string) {
	if f == nil {
		return nil
	}
	for a := range query.Atoms(f.Root) {
		if a.Kind == query.Text {
			atoms = append(atoms, a.Text)
		}
	}
	return atoms
}
