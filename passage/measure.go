package passage

import "unicode"

// longToken is how many bytes count as a token however few an encoder sees in them: a
// line of a thousand letters is one unknown word to some, and would have no end.
const longToken = 24

// measure is the length of s in tokens.
func (c *cutter) measure(s string) int {
	return max(c.count(s), (len(s)+longToken-1)/longToken)
}

// estimate is about how many tokens s has: one for a sign, for a character of a script
// without spaces, and for every six letters of a word or fewer.
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

// unspaced tells whether r is of a script that puts no spaces between words.
func unspaced(r rune) bool {
	switch {
	case r < 0x0E00:
		return false
	case r < 0x0F00, // Thai, Lao
		r >= 0x1000 && r < 0x10A0,   // Burmese
		r >= 0x1780 && r < 0x1800,   // Khmer
		r >= 0x2E80 && r < 0xA000,   // Chinese, Japanese
		r >= 0xF900 && r < 0xFB00,   // more Chinese
		r >= 0xFF66 && r < 0xFFA0,   // narrow Japanese
		r >= 0x20000 && r < 0x40000: // rare Chinese
		return true
	}
	return false
}
