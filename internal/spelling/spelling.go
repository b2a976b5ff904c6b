// Package spelling suggests corrections for misspelled words. It does not know what the
// words name.
package spelling

import (
	"cmp"
	"path"
	"slices"
	"strings"
)

// Most is the maximum number of suggestions.
const Most = 3

// Words returns the candidates that word may be a misspelling of, most likely first: a
// few letters differ, or word is a part of the candidate. For paths the last element
// alone may match.
func Words(word string, among []string) []string {
	type candidate struct {
		word string
		far  int
	}
	word = strings.ToLower(word)
	limit := max(1, len([]rune(word))/3)
	var found []candidate
	for _, w := range among {
		lower := strings.ToLower(w)
		far := distance(word, lower)
		if base := path.Base(lower); base != lower {
			far = min(far, distance(word, base))
		}
		if len(word) >= 3 && strings.Contains(lower, word) {
			far = min(far, limit)
		}
		if far <= limit && len(word) > 0 {
			found = append(found, candidate{w, far})
		}
	}
	slices.SortStableFunc(found, func(a, b candidate) int { return cmp.Compare(a.far, b.far) })
	var out []string
	for _, c := range found[:min(Most, len(found))] {
		out = append(out, c.word)
	}
	return out
}

// Closest returns the candidate that word is most likely a misspelling of, or "" if none is
// similar enough: they begin alike, and about one letter in four may differ.
func Closest(word string, among []string) string {
	length := len([]rune(word))
	if length < 5 {
		return ""
	}
	best, least := "", length/4+1
	for _, w := range among {
		if d := len([]rune(w)) - length; d >= least || -d >= least || w[0] != word[0] {
			continue
		}
		if far := distance(word, w); far < least {
			best, least = w, far
		}
	}
	return best
}

// Meant returns a "did you mean" question for word, or "" if no candidate is similar.
func Meant(word string, among []string) string { return Ask(Words(word, among)) }

// Ask returns a "did you mean" question for words, or "" if there are none.
func Ask(words []string) string {
	if len(words) == 0 {
		return ""
	}
	last := len(words) - 1
	text := words[last]
	if last > 0 {
		text = strings.Join(words[:last], ", ") + " or " + text
	}
	return "did you mean " + text + "?"
}

// longest is the number of letters compared: ids may be arbitrarily long.
const longest = 256

// distance is the number of letters to change, delete, insert, or swap with their
// neighbour.
func distance(from, to string) int {
	a, b := []rune(from), []rune(to)
	a, b = a[:min(longest, len(a))], b[:min(longest, len(b))]
	var before []int // two rows up
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range a {
		next := make([]int, len(b)+1)
		next[0] = i + 1
		for j := range b {
			changed := row[j]
			if a[i] != b[j] {
				changed++
			}
			next[j+1] = min(changed, row[j+1]+1, next[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				next[j+1] = min(next[j+1], before[j-1]+1)
			}
		}
		before, row = row, next
	}
	return row[len(b)]
}
