package main

import (
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"
)

// excerpt is the part of a text that is shown on one line: from the beginning,
// or from a little before the first word that an atom has too, where that is
// further on.
func excerpt(text string, atoms []string, width int) string {
	text = strings.Join(strings.Fields(text), " ")
	if textWidth(text) <= width {
		return text
	}
	at, found := 0, -1
	for piece, isWord := range pieces(text) {
		if isWord && matches(piece, atoms) {
			found = at
			break
		}
		at += len(piece)
	}
	if found < 0 || textWidth(text[:found]) < width*2/3 {
		return clip(text, width)
	}
	from := max(0, found-width/4)
	for from > 0 && textWidth(text[from:]) < width-1 { // there is room for more before it
		from--
	}
	from = strings.Index(text[from:], " ") + from + 1 // at a word
	return clip("…"+text[from:], width)
}

// pieces are the words of a text and what lies between them, in order.
func pieces(text string) iter.Seq2[string, bool] {
	return func(yield func(string, bool) bool) {
		for text != "" {
			first, _ := utf8.DecodeRuneInString(text)
			word := isLetter(first)
			end := strings.IndexFunc(text, func(r rune) bool { return isLetter(r) != word })
			if end < 0 {
				end = len(text)
			}
			if !yield(text[:end], word) {
				return
			}
			text = text[end:]
		}
	}
}

func isLetter(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '\'' }

// matches reports whether a word is one of an atom's, but for its ending.
func matches(word string, atoms []string) bool {
	stem := stemOf(word)
	if utf8.RuneCountInString(stem) < 3 {
		return false
	}
	for _, atom := range atoms {
		for piece, isWord := range pieces(atom) {
			if isWord && stemOf(piece) == stem {
				return true
			}
		}
	}
	return false
}

// stemOf takes the commonest English endings off, which is enough to mark words.
func stemOf(word string) string {
	word = strings.TrimSuffix(strings.ToLower(word), "'s")
	for _, ending := range []string{"ies", "es", "s", "ing", "ed", "y", "e"} {
		if stem, ok := strings.CutSuffix(word, ending); ok && utf8.RuneCountInString(stem) >= 3 {
			return stem
		}
	}
	return word
}
