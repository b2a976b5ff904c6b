package tokenizer

import (
	"unicode"
	"unicode/utf8"
)

// graphemeEnd is where the first user-perceived character of a text ends, by the
// rules of Unicode's annex 29 that matter to precompiled: a character and the
// marks on it, a sign that goes with the next character, a line's end.
//
// Left out are syllables of Hangul, flags, emoji and Indic consonants that are
// joined. The members of these have three bytes or more, so that joined they are
// asked for one by one, as they are apart. Only one that is last and has an accent
// of two bytes, and that the table changes, would show: ™ with an acute after ❤
// and U+200D.
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

// isBreaking says which characters nothing is joined to: controls and the ends of
// lines.
func isBreaking(r rune) bool {
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp) && !isMark(r) &&
		!unicode.Is(unicode.Prepended_Concatenation_Mark, r)
}

// isMark says which characters belong to the one before: marks, the joiners, the
// colours of skin, and the vowels am of Thai and Lao.
func isMark(r rune) bool {
	switch r {
	case 0x200d, 0x0e33, 0x0eb3:
		return true
	}
	return unicode.In(r, unicode.M, unicode.Other_Grapheme_Extend) || 0x1f3fb <= r && r <= 0x1f3ff
}
