package main

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/nsfl-go/nsfl/internal/progress"
)

// words are what can be marked in a text.
var words = regexp.MustCompile(`[\p{L}\p{Nd}']+`)

// stems are what words are compared by: without their endings.
type stems map[string]bool

// stemsOf are the stems of all words of some texts.
func stemsOf(texts []string) stems {
	out := stems{}
	for _, word := range words.FindAllString(strings.Join(texts, " "), -1) {
		out[stemOf(word)] = true
	}
	return out
}

// has reports whether a word is one of those the stems are of, but for its ending.
func (s stems) has(word string) bool {
	stem := stemOf(word)
	return utf8.RuneCountInString(stem) >= 3 && s[stem]
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

// excerpt is the part of a text that is shown on one line: from the beginning, or
// from a little before the first word that is marked, where that is further on.
func excerpt(text string, marked stems, width int) string {
	text = strings.Join(strings.Fields(text), " ")
	if progress.Columns(text) <= width {
		return text
	}
	found := 0
	for _, at := range words.FindAllStringIndex(text, -1) {
		if marked.has(text[at[0]:at[1]]) {
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
