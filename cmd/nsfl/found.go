package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/nsfl-go/nsfl/internal/matchtext"
	"github.com/nsfl-go/nsfl/internal/progress"
	"github.com/nsfl-go/nsfl/internal/termsafe"
	"github.com/nsfl-go/nsfl/retrieve"
)

// passages prints the matching passages: the best one for each wanted atom, or the best one
// if only one atom is wanted.
func (p *printer) passages(h *retrieve.Hit, formula []string) {
	for _, passage := range passagesOf(h, formula) {
		if !p.passage(h, formula, passage.Text, passage.Atoms) {
			for _, a := range passage.Atoms { // far apart in the text: each has a line of its own
				p.passage(h, formula, passage.Text, []retrieve.Snippet{a})
			}
		}
		if passage.Text != h.Title {
			p.place(h, passage.Place)
		}
	}
}

// passagesOf returns the passages of the wanted atoms, or the best one.
func passagesOf(h *retrieve.Hit, formula []string) []matchtext.Passage {
	all := matchtext.Passages(h)
	if len(all) == 0 {
		all = []matchtext.Passage{{Text: h.Snippet.Text, Place: h.Snippet.Place}}
		if h.Snippet.Atom != "" && len(formula) > 1 {
			all[0].Atoms = []retrieve.Snippet{h.Snippet}
		}
	}
	return all
}

// passage prints a passage on one line, with the words of some atoms marked, and the atoms.
// It prints nothing and returns false if the line would cut off the words of one of several
// atoms.
func (p *printer) passage(h *retrieve.Hit, formula []string, text string, atoms []retrieve.Snippet) bool {
	if text = termsafe.Text(text); text == h.Title {
		return true
	}
	var names []string
	for _, a := range atoms {
		names = append(names, a.Atom)
	}
	marked := marksOf(h, formula, names...)
	why := p.why(h, atoms)
	line := excerpt(text, marked, p.width-5-progress.Columns(why))
	for _, name := range names {
		if one := marksOf(h, formula, name); len(names) > 1 && one.in(text) && !one.in(line) {
			return false
		}
	}
	if line != "" {
		fmt.Fprintf(p, "     %s%s\n", p.mark("", line, marked), p.paint(dim, why))
	}
	return true
}

// why lists the atoms that a passage matches and, with explanations, their similarities.
func (p *printer) why(h *retrieve.Hit, atoms []retrieve.Snippet) string {
	var parts []string
	for _, a := range atoms {
		part := clip(a.Atom, p.width/(3*len(atoms)))
		if p.studied {
			part += fmt.Sprintf(" %.2f", a.Similarity)
		}
		switch {
		case slices.Contains(matchtext.Absent(h), a.Atom):
			part += " " + matchtext.ToBeAbsent
		case unmentioned(h, a.Atom):
			part += " by meaning"
		}
		parts = append(parts, part)
	}
	if len(parts) == 0 {
		return ""
	}
	return "  " + clip("← "+strings.Join(parts, ", "), p.width-8)
}

// unmentioned reports whether a document has none of an atom's words and no similar ones.
func unmentioned(h *retrieve.Hit, atom string) bool {
	return slices.ContainsFunc(h.Words, func(a retrieve.AtomWords) bool { return a.Atom == atom && a.Share == 0 })
}

// unwanted prints the excluded terms that a document mentions or denies.
func (p *printer) unwanted(h *retrieve.Hit) {
	if h.Explanation != nil { // which has it
		return
	}
	for i := range h.Words {
		a := &h.Words[i]
		if !a.Negated {
			continue
		}
		if text := matchtext.Excluded(a); text != "" {
			p.lines(dim, "     ", "     ", termsafe.Text(text))
		}
	}
}

// mark colours a text and highlights its marked words.
func (t *terminal) mark(colour, text string, marked marks) string {
	if !t.colour {
		return text
	}
	var b strings.Builder
	at := 0
	for _, word := range textWords.FindAllStringIndex(text, -1) {
		mark := marked.of(text[word[0]:word[1]])
		if mark == "" {
			continue
		}
		b.WriteString(t.paint(colour, text[at:word[0]]))
		b.WriteString(t.paint(strings.TrimPrefix(colour+";"+mark, ";"), text[word[0]:word[1]]))
		at = word[1]
	}
	b.WriteString(t.paint(colour, text[at:]))
	return b.String()
}

// patterns prints where a document matches the patterns of the filter.
func (p *printer) patterns(h *retrieve.Hit, indent string) {
	for _, pattern := range h.Patterns {
		field, _, _ := strings.Cut(pattern.Pattern, ":")
		var places []string
		for _, m := range pattern.Matches {
			places = append(places, fmt.Sprintf("%s (%s)", m.Text, matchtext.Place(field, m)))
		}
		p.lines("", indent, indent+"  ", termsafe.Text(pattern.Pattern+"  "+strings.Join(places, "; ")))
	}
}

// words prints the lexical part of a score: what it added, and for each atom the share of its
// words that the document has.
func (p *printer) words(h *retrieve.Hit, indent string) {
	if h.Explanation == nil || h.Explanation.Words == nil {
		return
	}
	p.lines("", indent, indent, matchtext.Sum(h.Explanation.Words))
	width := 0
	for i := range h.Words {
		width = max(width, progress.Columns(matchtext.Name(&h.Words[i])))
	}
	width = min(width, p.width/4)
	for i := range h.Words {
		a := &h.Words[i]
		name := pad(clip(matchtext.Name(a), width), width)
		first := fmt.Sprintf("%s  %s  %5.2f %s  ", indent, name, a.Share, pad(bar(max(0, a.Share), 0, 1, 5), 5))
		p.lines("", first, strings.Repeat(" ", progress.Columns(first)), strings.Join(matchtext.Words(a), "; "))
	}
}
