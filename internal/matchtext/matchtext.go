// Package matchtext describes which terms of a formula a document matches: which were
// found and where, which the document denies, and which copies of it exist. The command
// line and the agents' tools share these texts. The package knows results, and nothing
// about how they are rendered.
package matchtext

import (
	"fmt"
	"slices"
	"strings"

	"github.com/nsfl-go/nsfl/internal/words"
	"github.com/nsfl-go/nsfl/logic"
	"github.com/nsfl-go/nsfl/passage"
	"github.com/nsfl-go/nsfl/query"
	"github.com/nsfl-go/nsfl/retrieve"
)

// ToBeAbsent describes a term that a document denies.
const ToBeAbsent = "ruled out by the text"

// Sum formats a score as the sum of its vector and lexical parts.
func Sum(w *logic.WordsOf) string {
	added, sign := w.Weight*w.Lexical, "+"
	if added < 0 {
		sign, added = "−", -added
	}
	return fmt.Sprintf("%.3f by vectors %s %.3f by words = %.3f", w.Vectors, sign, added, w.Vectors+w.Weight*w.Lexical)
}

// Name returns an atom with its negation.
func Name(a *retrieve.AtomWords) string {
	if a.Negated {
		return "NOT " + a.Atom
	}
	return a.Atom
}

// much is the share of an atom, or the similarity of a word, from which it is reported.
const much = 0.5

// denied reports whether a document denies a word or a similar one: a text without milk
// may still have cream.
func denied(f words.Found) bool { return f.Denied && f.Similarity >= much }

// Absent returns the atoms that a document denies.
func Absent(h *retrieve.Hit) (atoms []string) {
	for i := range h.Words {
		if a := &h.Words[i]; a.Share < 0 && slices.ContainsFunc(a.Found, denied) {
			atoms = append(atoms, h.Words[i].Atom)
		}
	}
	return atoms
}

// Telling reports whether a match is significant. Matches of words that occur in nearly
// every document, such as function words within an atom, are not.
func Telling(a *retrieve.AtomWords, f words.Found) bool {
	return f.Matched != "" && 4*f.Weight*float64(len(a.Found)) >= 1
}

// Excluded describes what a document has of an excluded atom: that it rules it out, is
// about it, or mentions it. It is empty where the document has none of it.
func Excluded(a *retrieve.AtomWords) string {
	var absent, there []string
	for _, f := range a.Found {
		switch {
		case !Telling(a, f):
		case denied(f):
			absent = append(absent, fmt.Sprintf("%s (%s)", f.Matched, Where(f)))
		case f.Exact():
			there = append(there, mentions(f))
		}
	}
	switch {
	case a.Share < 0 && absent != nil:
		return ToBeAbsent + ": " + strings.Join(absent, ", ")
	case there != nil:
		return strings.Join(there, ", ")
	}
	return ""
}

// mentions tells a document about a word from one that only mentions it.
func mentions(f words.Found) string {
	switch {
	case f.About:
		return "about " + f.Matched
	case f.Mentions == 0:
		return "mentions " + f.Matched
	case f.Passages == 1:
		return fmt.Sprintf("mentions %s (%s)", f.Matched, Where(f))
	}
	return fmt.Sprintf("mentions %s in %d of %d passages", f.Matched, f.Mentions, f.Passages)
}

// Words describes each word of an atom: its match in the document and where it is.
func Words(a *retrieve.AtomWords) (out []string) {
	for _, f := range a.Found {
		out = append(out, word(f, Where(f)))
	}
	return out
}

func word(f words.Found, where string) string {
	switch {
	case f.Matched == "":
		return f.Word + ": not found"
	case f.Denied && f.Exact():
		return fmt.Sprintf("%s: %s (%s)", f.Matched, ToBeAbsent, where)
	case f.Denied:
		return fmt.Sprintf("%s: %s ~%.2f, %s (%s)", f.Word, f.Matched, f.Similarity, ToBeAbsent, where)
	case f.Exact():
		return fmt.Sprintf("%s (%s)", f.Matched, where)
	}
	return fmt.Sprintf("%s: %s ~%.2f (%s)", f.Word, f.Matched, f.Similarity, where)
}

// Where returns the place of a word: the title, or a passage counted from 1.
func Where(f words.Found) string { return place(f.Passage) }

// Place returns the place of a match of a pattern in a field.
func Place(field string, m words.Match) string {
	if !query.IsTextField(field) {
		return field
	}
	return place(m.Passage)
}

func place(passage int) string {
	if passage == 0 {
		return "title"
	}
	return fmt.Sprintf("passage %d", passage)
}

// Copies lists up to most copies of a hit, or returns "" if there are none.
func Copies(h *retrieve.Hit, most int) string {
	if h.CopyCount == 0 {
		return ""
	}
	text := fmt.Sprintf("and %d copies: ", h.CopyCount)
	if h.CopyCount == 1 {
		text = "and a copy: "
	}
	for i, c := range h.Copies[:min(most, len(h.Copies))] {
		if i > 0 {
			text += ", "
		}
		text += c.ID
	}
	if most < h.CopyCount {
		text += ", …"
	}
	return text
}

// Passage is a best-matching passage with the atoms it matches best.
type Passage struct {
	Text  string
	Place passage.Place
	Atoms []retrieve.Snippet
}

// Passages returns the best-matching passage of each wanted atom, without duplicates: in
// a short document one passage is often the best for all.
func Passages(h *retrieve.Hit) (out []Passage) {
	at := map[string]int{}
	for _, s := range h.Passages {
		i, ok := at[s.Text]
		if !ok {
			i = len(out)
			at[s.Text] = i
			out = append(out, Passage{Text: s.Text, Place: s.Place})
		}
		out[i].Atoms = append(out[i].Atoms, s)
	}
	return out
}
