package tokenizer

import (
	"unicode"
	"unicode/utf8"
)

// graphemeEnd returns the end of the first user-perceived character of a text, by those
// rules of Unicode's annex 29 that matter to precompiled: a character and its marks, a
// prepended mark and the next character, a line break.
//
// It omits Hangul syllables, flags, emoji sequences and Indic conjuncts. Their members
// have three bytes or more, so a sequence is looked up member by member anyway. The only
// visible difference is a last member that has an accent of two bytes and is changed by
// the table: ™ with an acute after ❤ and U+200D.
func graphemeEnd(text []byte) int {
	if len(text) > 1 && text[0]|text[1] < utf8.RuneSelf {
		if text[0] == '\r' && text[1] == '\n' {
			return 2
		}
		return 1
	}
	r, end := utf8.DecodeRune(text)
	for unicode.Is(unicode.Prepended_Concatenation_Mark, r) && end < len(text) {
		next, size := utf8.DecodeRune(text[end:])
		if isBreaking(next) {
			return end
		}
		r = next
		end += size
	}
	if isBreaking(r) {
		return end
	}
	for end < len(text) {
		next, size := utf8.DecodeRune(text[end:])
		if next < 0x300 || !isMark(next) {
			break
		}
		end += size
	}
	return end
}

// isBreaking reports whether a character never joins others: controls and line ends.
func isBreaking(r rune) bool {
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp) && !isMark(r) &&
		!unicode.Is(unicode.Prepended_Concatenation_Mark, r)
}

// isMark reports whether a character belongs to the previous one: marks, joiners, skin
// tones, and the vowels am of Thai and Lao.
func isMark(r rune) bool {
	switch r {
	case 0x200d, 0x0e33, 0x0eb3:
		return true
	}
	return unicode.In(r, unicode.M, unicode.Other_Grapheme_Extend) || 0x1f3fb <= r && r <= 0x1f3ff
}
