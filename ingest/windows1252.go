package ingest

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

// isWindows1252 tells whether bytes that are not UTF-8 read as Western text in
// Windows-1252, of which Latin-1 is a part. Any bytes could; so it asks for what
// such text looks like, and refuses damaged UTF-8, Cyrillic, Greek and East Asian
// text in other encodings, and the encodings of DOS and the old Macintosh, whose
// letters are symbols here. Central European text in Windows-1250 is refused
// where it has a letter that is a symbol here, as most of it does.
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
		case unicode.IsControl(r) && !unicode.IsSpace(r): // bytes that stand for nothing among them
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
	case 3*pieces > high: // mostly sound UTF-8, so that the rest is damaged
		return false
	case high > letters: // another alphabet
		return false
	}
	return 20*odd <= high
}

// isOdd says whether r, not ASCII, would be odd between its neighbours.
func isOdd(before, r, after rune) bool {
	switch {
	case unicode.IsUpper(r):
		return unicode.IsLower(before)
	case isWestern(r):
		return false
	case r == '‚' || r == '„': // quotes that open
		return isWestern(before)
	case strings.ContainsRune("’‘–—…\u00AD·\u00A0", r): // what words have within them, such as col·lecció
		return false
	}
	return isWestern(before) && isWestern(after) // a symbol within a word
}

// isWestern knows letters. The accent that Unicode takes for one is none.
func isWestern(r rune) bool { return unicode.IsLetter(r) && r != 'ˆ' }
