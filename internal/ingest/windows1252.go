package ingest

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

// isWindows1252 reports whether bytes that are not UTF-8 read as Western text in Windows-1252,
// a superset of Latin-1. Any bytes could, so it checks for features of such text. It rejects
// damaged UTF-8, Cyrillic, Greek and East Asian text in other encodings, and the encodings of
// DOS and the old Macintosh, whose letters are symbols here. It rejects Central European text
// in Windows-1250 if it contains a letter that is a symbol here, as most of it does.
func isWindows1252(content []byte) bool {
	at := func(i int) rune {
		if i < 0 || i >= len(content) {
			return ' '
		}
		return charmap.Windows1252.DecodeByte(content[i])
	}
	var high, odd, run, pieces, letters int
	for i := range content {
		switch r := at(i); {
		case unicode.IsControl(r) && !unicode.IsSpace(r): // including undefined bytes
			return false
		case content[i] < utf8.RuneSelf:
			if isWestern(r) {
				letters++
			}
			run = 0
		default:
			if r, _ := utf8.DecodeRune(content[i:]); r != utf8.RuneError {
				pieces++
			}
			high++
			if run++; run > 3 || isOdd(at(i-1), r, at(i+1)) {
				odd++
			}
		}
	}
	switch {
	case 3*pieces > high: // mostly valid UTF-8, so the rest is damaged
		return false
	case high > letters: // another alphabet
		return false
	}
	return 20*odd <= high
}

// isOdd reports whether r, which is not ASCII, is implausible between its neighbours.
func isOdd(before, r, after rune) bool {
	switch {
	case unicode.IsUpper(r):
		return unicode.IsLower(before)
	case isWestern(r):
		return false
	case r == '‚' || r == '„': // opening quotes
		return isWestern(before)
	case strings.ContainsRune("’‘–—…\u00AD·\u00A0", r): // characters within words, such as col·lecció
		return false
	}
	return isWestern(before) && isWestern(after) // a symbol within a word
}

// isWestern reports whether r is a letter. It excludes ˆ, which Unicode classifies as one.
func isWestern(r rune) bool { return unicode.IsLetter(r) && r != 'ˆ' }
