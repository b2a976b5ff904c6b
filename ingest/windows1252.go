package ingest

import "unicode/utf8"

// isWindows1252 tells whether bytes that are not UTF-8 read as Western text in
// Windows-1252, of which Latin-1 is a part. Any bytes could; so it asks for what
// such text looks like, and refuses damaged UTF-8, Cyrillic, Greek and East Asian
// text in other encodings, and the encodings of DOS and the old Macintosh, whose
// letters are symbols here. Central European text in Windows-1250 is refused
// where it has a letter that is a symbol here, as most of it does.
func isWindows1252(content []byte) bool {
	var high, odd, run, pieces, letters int
	for i, b := range content {
		var before, after byte = ' ', ' '
		if i > 0 {
			before = content[i-1]
		}
		if i+1 < len(content) {
			after = content[i+1]
		}
		if b < utf8.RuneSelf {
			if b < ' ' && b != '\t' && b != '\n' && b != '\r' && b != '\f' {
				return false
			}
			if isLetter1252(b) {
				letters++
			}
			run = 0
			continue
		}
		if undefined1252(b) {
			return false
		}
		if r, _ := utf8.DecodeRune(content[i:]); r != utf8.RuneError {
			pieces++
		}
		high++
		if run++; run > 3 || odd1252(before, b, after) {
			odd++
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

func undefined1252(b byte) bool {
	return b == 0x81 || b == 0x8D || b == 0x8F || b == 0x90 || b == 0x9D
}

// odd1252 says whether b, not ASCII, would be odd between its neighbours.
func odd1252(before, b, after byte) bool {
	inside := isLetter1252(before) && isLetter1252(after)
	switch {
	case isUpper1252(b):
		return isLower1252(before)
	case isLetter1252(b):
		return false
	case b == 0x82 || b == 0x84: // quotes that open
		return isLetter1252(before)
	case b == 0x92 || b == 0x91 || b == 0x96 || b == 0x97 || b == 0x85: // ’ ‘ – — …
		return false
	case b == 0xAD || b == 0xB7 || b == 0xA0: // soft hyphen, the dot of col·lecció, space
		return false
	}
	return inside // a symbol within a word
}

func isLetter1252(b byte) bool { return isUpper1252(b) || isLower1252(b) }

func isUpper1252(b byte) bool {
	return b >= 'A' && b <= 'Z' || b >= 0xC0 && b <= 0xDE && b != 0xD7 ||
		b == 0x8A || b == 0x8C || b == 0x8E || b == 0x9F
}

func isLower1252(b byte) bool {
	return b >= 'a' && b <= 'z' || b >= 0xDF && b != 0xF7 ||
		b == 0x9A || b == 0x9C || b == 0x9E || b == 0x83 || b == 0xAA || b == 0xBA
}
