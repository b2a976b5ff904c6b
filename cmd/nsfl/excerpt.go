package main

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/nsfl-go/nsfl/internal/matchtext"
	"github.com/nsfl-go/nsfl/internal/progress"
	"github.com/nsfl-go/nsfl/internal/words"
	"github.com/nsfl-go/nsfl/retrieve"
)

// textWords matches the words of a text.
var textWords = regexp.MustCompile(`[\p{L}\p{M}\p{Nd}']+`)

// Marks for an atom's own word, a similar word, and a word that the document denies.
const (
	markExact  = "1;" + yellow
	markSoft   = "4;" + yellow
	markAbsent = "4;" + red
)

// marks maps the words of a document to highlight, as written or stemmed, to their marks.
type marks map[string]string

// marksOf returns the words of some atoms, or of all if none is given, that were found in a
// document. If lexical matching is off, it returns the atoms' own words.
func marksOf(h *retrieve.Hit, formula []string, atoms ...string) marks {
	out := marks{}
	if h.Words == nil {
		out.addTexts(formula)
		return out
	}
	for i := range h.Words {
		a := &h.Words[i]
		if len(atoms) > 0 && !slices.Contains(atoms, a.Atom) {
			continue
		}
		for _, f := range a.Found {
			if !matchtext.Telling(a, f) {
				continue
			}
			switch {
			case f.Denied:
				out[f.Matched] = markAbsent
			case f.Exact():
				out[f.Matched], out[f.Word] = markExact, markExact
			default:
				out[f.Matched] = markSoft
			}
		}
	}
	return out
}

// addTexts adds the words of atoms, except the shortest.
func (m marks) addTexts(atoms []string) {
	for _, stem := range words.Stems(plain(strings.Join(atoms, " "))) {
		if utf8.RuneCountInString(stem) >= 3 {
			m[stem] = markExact
		}
	}
}

// of returns the mark of a word, or an empty string.
func (m marks) of(word string) string {
	word = strings.TrimSuffix(plain(word), "'s")
	if mark := m[word]; mark != "" {
		return mark
	}
	return m[words.Stem(word)]
}

// in reports whether a text has a marked word.
func (m marks) in(text string) bool {
	for _, word := range textWords.FindAllString(text, -1) {
		if m.of(word) != "" {
			return true
		}
	}
	return false
}

// plain returns a text in lower case without accents, as used for matching.
func plain(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return r
	}, norm.NFD.String(strings.ToLower(text)))
}

// excerpt returns the part of a text that is shown on one line: from the beginning, or from
// shortly before the first marked word if that is further on.
func excerpt(text string, marked marks, width int) string {
	text = strings.Join(strings.Fields(text), " ")
	if progress.Columns(text) <= width {
		return text
	}
	found := 0
	for _, at := range textWords.FindAllStringIndex(text, -1) {
		if marked.of(text[at[0]:at[1]]) != "" {
			found = at[0]
			break
		}
	}
	if progress.Columns(text[:found]) < width*2/3 {
		return clip(text, width)
	}
	from := max(0, found-width/4)
	for from > 0 && progress.Columns(text[from:]) < width-1 { // there is room for more before it
		from--
	}
	from = strings.Index(text[from:], " ") + from + 1 // at a word
	return clip("…"+text[from:], width)
}
