// Package matchtext puts into words what a document has of a formula's words: which were
// found, where, and which the document says to be absent; and which copies there are of
// it. The shell and the agents'
// tools tell the same of a result, so it is written once. It knows results, and nothing
// of how they are drawn.
package matchtext

import (
	"fmt"
	"slices"
	"strings"

	"github.com/nsfl-go/nsfl/logic"
	"github.com/nsfl-go/nsfl/passage"
	"github.com/nsfl-go/nsfl/retrieve"
	"github.com/nsfl-go/nsfl/words"
)

// ToBeAbsent is what is said of that which a document denies.
const ToBeAbsent = "said to be absent"

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

// Excluded tells that a document says an excluded atom to be absent, or that it names it
// all the same; empty: neither.
func Excluded(h *retrieve.Hit, a *retrieve.AtomWords) string {
	var absent, named []string
	for _, f := range a.Found {
		switch {
		case !Telling(a, f):
		case denied(f):
			absent = append(absent, fmt.Sprintf("%s (%s)", f.Said, Where(h, f)))
		case f.Exact():
			named = append(named, fmt.Sprintf("%s (%s)", f.Said, Where(h, f)))
		}
	}
	switch {
	case a.Share < 0 && absent != nil:
		return ToBeAbsent + ": " + strings.Join(absent, ", ")
	case a.Share >= much && named != nil:
		return "excluded, and there: " + strings.Join(named, ", ")
	}
	return ""
}

// Words are an atom's words, each with what the document has of it and where.
func Words(h *retrieve.Hit, a *retrieve.AtomWords) (out []string) {
	for _, f := range a.Found {
		out = append(out, word(f, Where(h, f)))
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

// Where is the place of a word, passages being counted from 1: a reader does not count
// the title among them.
func Where(h *retrieve.Hit, f words.Found) string {
	switch {
	case h.Title == "":
		return fmt.Sprintf("passage %d", f.Passage+1)
	case f.Passage == 0:
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
