package passage

import (
	"cmp"
	"strings"
	"unicode"
)

// Lengths are counted in half words: a word is two, a character of a script
// without spaces one. What is longer than any word, such as an address, counts as
// a word for every longWord characters, so that nothing is beyond measure.
const longWord = 24

// meter counts as characters go by.
type meter struct {
	cost  int
	runes int // of the word that is under way
}

func (m *meter) add(r rune) {
	switch {
	case r <= ' ' || r > '~' && isBlank(r): // ASCII is told without looking it up
		m.runes = 0
	case unspaced(r):
		m.cost++
		m.runes = 0
	default:
		if m.runes%longWord == 0 {
			m.cost += 2
		}
		m.runes++
	}
}

// measure is the length of s.
func measure(s string) int {
	var m meter
	for _, r := range s {
		m.add(r)
	}
	return m.cost
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

// clauses cuts what is too long to stay together into pieces of at most limit,
// after a comma or the like where there is one in the second half, else between
// words, else anywhere but before an accent. joined tells of each piece that
// nothing stood between it and the one before.
func clauses(s string, limit int) (pieces []string, joined []bool) {
	glued := false
	for s != "" {
		end := cutAt(s, limit)
		pieces, joined = append(pieces, s[:end]), append(joined, glued)
		rest := strings.TrimLeftFunc(s[end:], isBlank)
		glued = len(rest) == len(s)-end
		s = rest
	}
	return pieces, joined
}

// cutAt is where the first piece of s ends, at its own end if it fits. limit is
// at least 2.
func cutAt(s string, limit int) int {
	var m meter
	var clause, word, letter int
	var before rune
	for i, r := range s {
		switch {
		case i == 0:
		case isBlank(r) && !isBlank(before):
			if word = i; isPause(before) && 2*m.cost >= limit {
				clause = i
			}
		case unspaced(before) && isPause(before) && 2*m.cost >= limit:
			clause, word = i, i
		}
		if i > 0 && !unicode.Is(unicode.M, r) {
			letter = i
		}
		if m.add(r); m.cost > limit {
			return cmp.Or(clause, word, letter, i)
		}
		before = r
	}
	return len(s)
}

func isPause(r rune) bool { return strings.ContainsRune(",;:—–)、，；：", r) }
