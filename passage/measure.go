package passage

import "unicode"

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
