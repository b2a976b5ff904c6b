// Package said puts into words what a document has of a formula's words: which were
// found, where, and which the document says to be absent; and which copies there are of
// it. The shell and the agents'
// tools tell the same of a result, so it is written once. It knows results, and nothing
// of how they are drawn.
package said

import (
	"fmt"
	"slices"
	"strings"

	"github.com/nsfl-go/nsfl/logic"
	"github.com/nsfl-go/nsfl/passage"
	"github.com/nsfl-go/nsfl/retrieve"
	"github.com/nsfl-go/nsfl/words"
)

// ToBeAbsent describes a term that a document denies.
const ToBeAbsent = "ruled out by the text"

// Sum is a score as vectors and words made it.
func Sum(w *logic.WordsOf) string {
	added, sign := w.Weight*w.Said, "+"
	if added < 0 {
		sign, added = "−", -added
	}
	return fmt.Sprintf("%.3f by vectors %s %.3f by words = %.3f", w.Vectors, sign, added, w.Vectors+w.Weight*w.Said)
}

// Name is an atom as the formula has it: wanted, or not.
func Name(a *retrieve.AtomWords) string {
	if a.Negated {
		return "NOT " + a.Atom
	}
	return a.Atom
}

// much is how much of an atom, or of the meaning of a word, is worth telling.
const much = 0.5

// denied reports whether a document says a word, or one near to it, to be absent: who has
// no milk may have cream.
func denied(f words.Found) bool { return f.Denied && f.Similarity >= much }

// Absent are the atoms of which a document says that it has them not.
func Absent(h *retrieve.Hit) (atoms []string) {
	for i := range h.Words {
		if a := &h.Words[i]; a.Share < 0 && slices.ContainsFunc(a.Found, denied) {
			atoms = append(atoms, h.Words[i].Atom)
		}
	}
	return atoms
}

// Telling reports whether a word that was found tells something: those that nearly every
// document has, as the words between an atom's words, do not.
func Telling(a *retrieve.AtomWords, f words.Found) bool {
	return f.Said != "" && 4*f.Weight*float64(len(a.Found)) >= 1
}

// Excluded describes what a document has of an excluded atom: that it rules it out, is
// about it, or mentions it. It is empty where the document has none of it.
func Excluded(a *retrieve.AtomWords) string {
	var absent, there []string
	for _, f := range a.Found {
		switch {
		case !Telling(a, f):
		case denied(f):
			absent = append(absent, fmt.Sprintf("%s (%s)", f.Said, Where(f)))
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
		return "about " + f.Said
	case f.Mentions == 0:
		return "mentions " + f.Said
	case f.Passages == 1:
		return fmt.Sprintf("mentions %s (%s)", f.Said, Where(f))
	}
	return fmt.Sprintf("mentions %s in %d of %d passages", f.Said, f.Mentions, f.Passages)
}

// Words are an atom's words, each with what the document has of it and where.
func Words(a *retrieve.AtomWords) (out []string) {
	for _, f := range a.Found {
		out = append(out, word(f, Where(f)))
	}
	return out
}

func word(f words.Found, where string) string {
	switch {
	case f.Said == "":
		return f.Word + ": not found"
	case f.Denied && f.Exact():
		return fmt.Sprintf("%s: %s (%s)", f.Said, ToBeAbsent, where)
	case f.Denied:
		return fmt.Sprintf("%s: %s ~%.2f, %s (%s)", f.Word, f.Said, f.Similarity, ToBeAbsent, where)
	case f.Exact():
		return fmt.Sprintf("%s (%s)", f.Said, where)
	}
	return fmt.Sprintf("%s: %s ~%.2f (%s)", f.Word, f.Said, f.Similarity, where)
}

// Where returns the place of a word: the title, or a passage counted from 1.
func Where(f words.Found) string {
	if f.Passage == 0 {
		return "title"
	}
	return fmt.Sprintf("passage %d", f.Passage)
}

// Copies names documents that say what a hit says, so many at most; empty where there are
// none.
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

// Passage is one that has most of some atoms.
type Passage struct {
	Text  string
	Place passage.Place
	Atoms []retrieve.Snippet
}

// Passages are those that have most of each wanted atom, each once, whatever number of
// atoms it is the best of: a short document is often the best of all.
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
