package passage

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// clauses splits a text that is too long into units of about limit tokens each: after a
// comma or the like in the second half if there is one, otherwise between words. A word is
// split only if it exceeds the maximum. before and penalty apply to the first unit.
func (c *cutter) clauses(units []unit, s string, limit int, before separator, penalty int32) []unit {
	for s != "" {
		end, inside := c.clause(s, limit)
		text := s[:end]
		if strings.TrimLeftFunc(text, isBlank) == "" { // an indentation longer than a passage
			s = strings.TrimLeftFunc(s, isBlank)
			continue
		}
		cost := c.measure(text)
		if before == nothing && len(units) > 0 {
			cost++ // the halves of a word may have more tokens than the word
		}
		units = append(units, unit{text: text, cost: int32(cost), penalty: penalty, separator: before})
		rest := strings.TrimLeftFunc(s[end:], isBlank)
		before, penalty = space, atClause
		switch {
		case inside:
			before = within
		case len(rest) == len(s)-end:
			before = nothing
		}
		s = rest
	}
	return units
}

// clause returns the end of the first piece of s, and whether it is inside a word.
func (c *cutter) clause(s string, limit int) (end int, inside bool) {
	cost, pause := 0, 0
	for end < len(s) {
		word := s[end:runeStart(s, min(len(s), end+c.max*longToken+utf8.UTFMax))] // longer words are too long anyway
		word = word[:wordEnd(word)]
		fits, more := c.fitting(word)
		if end > 0 && (fits < len(word) || cost+more > limit) {
			if pause > 0 {
				return pause, false
			}
			return end, false
		}
		end += fits
		if fits < len(word) {
			return end, true
		}
		if cost += more; 2*cost >= limit {
			if r, _ := utf8.DecodeLastRuneInString(word); isPause(r) {
				pause = end
			}
		}
	}
	return end, false
}

// wordEnd returns the end of the first word of s, including the spaces before it. In
// scripts without spaces each character is a word, with the marks and accents after it.
func wordEnd(s string) int {
	begun, alone := false, false
	for i, r := range s {
		switch {
		case isBlank(r):
			if begun {
				return i
			}
		case alone && !unicode.Is(unicode.M, r) && !isPause(r) && !isEnd(r) && !isCloser(r):
			return i
		case unspaced(r) && begun && !alone:
			return i
		default:
			begun, alone = true, alone || unspaced(r)
		}
	}
	return len(s)
}

// fitting returns how much of a word fits in a passage, and its cost: all of it or, if the
// word must be split, the first of its halves, quarters and so on that fits, preferably not
// ending before an accent.
func (c *cutter) fitting(word string) (end, cost int) {
	if cost = c.measure(word); cost <= c.max {
		return len(word), cost
	}
	_, first := utf8.DecodeRuneInString(word)
	fits := len(word)
	for fits > first && c.measure(word[:fits]) > c.max {
		fits = runeStart(word, fits/2)
	}
	for end = fits; end > 0; end = runeStart(word, end-1) {
		if r, _ := utf8.DecodeRuneInString(word[end:]); !unicode.Is(unicode.M, r) {
			return end, c.max
		}
	}
	return max(first, fits), c.max
}

// runeStart returns the last character boundary up to i.
func runeStart(s string, i int) int {
	for i > 0 && i < len(s) && !utf8.RuneStart(s[i]) {
		i--
	}
	return i
}

func isPause(r rune) bool { return strings.ContainsRune(",;:—–)、，；：", r) }

// longToken is the number of bytes that count as at least one token: some encoders treat a
// line of a thousand letters as one unknown word, which would never be split.
const longToken = 24

// measure returns the length of s in tokens.
func (c *cutter) measure(s string) int {
	return max(c.count(s), (len(s)+longToken-1)/longToken)
}

// estimate estimates the number of tokens in s: one for a symbol, for a character of a
// script without spaces, and for every six letters of a word or fewer.
func estimate(s string) int {
	const letters = 6
	n, run := 0, 0
	for _, r := range s {
		switch {
		case r == ' ' || isBlank(r):
			run = 0
		case unspaced(r) || !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.Is(unicode.M, r):
			n++
			run = 0
		default:
			if run%letters == 0 {
				n++
			}
			run++
		}
	}
	return n
}

// unspaced reports whether r belongs to a script that does not separate words with spaces.
func unspaced(r rune) bool {
	switch {
	case r < 0x0E00:
		return false
	case r < 0x0F00, // Thai, Lao
		r >= 0x1000 && r < 0x10A0,   // Burmese
		r >= 0x1780 && r < 0x1800,   // Khmer
		r >= 0x2E80 && r < 0xA000,   // Chinese, Japanese
		r >= 0xF900 && r < 0xFB00,   // more Chinese
		r >= 0xFF66 && r < 0xFFA0,   // half-width Japanese
		r >= 0x20000 && r < 0x40000: // rare Chinese
		return true
	}
	return false
}
