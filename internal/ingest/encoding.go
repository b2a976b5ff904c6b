package ingest

import (
	"bytes"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html/charset"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	utf16 "golang.org/x/text/encoding/unicode"
)

var (
	errEncoding = unusable(Encoding, "it is neither UTF-8 nor plausibly Windows-1252; convert it to UTF-8")
	errUTF16    = unusable(Encoding, "it is damaged UTF-16; convert it to UTF-8")
)

// utf16Of returns the decoder if head begins with a byte-order mark of UTF-16, else nil.
func utf16Of(head []byte) encoding.Encoding {
	if bytes.HasPrefix(head, []byte{0xFF, 0xFE}) || bytes.HasPrefix(head, []byte{0xFE, 0xFF}) {
		return utf16.UTF16(utf16.BigEndian, utf16.UseBOM)
	}
	return nil
}

// isBinary reports whether content contains a zero byte.
func isBinary(content []byte) bool { return bytes.IndexByte(content, 0) >= 0 }

// decode converts content, which is not UTF-16, to valid UTF-8.
func decode(content []byte) ([]byte, error) {
	switch {
	case utf8.Valid(content):
		return content, nil
	case isWindows1252(content):
		return charmap.Windows1252.NewDecoder().Bytes(content)
	}
	return nil, errEncoding
}

// decodePage is decode for HTML, which may declare its encoding. Bytes that are valid UTF-8
// and not only ASCII are UTF-8 regardless of the declaration.
func decodePage(content []byte) ([]byte, error) {
	head := content[:min(len(content), 1024)]
	if !bytes.Contains(bytes.ToLower(head), []byte("charset")) || utf8.Valid(content) && utf8.RuneCount(content) < len(content) {
		return decode(content)
	}
	declared, name, _ := charset.DetermineEncoding(head, "")
	if declared == encoding.Nop || name == "utf-8" || name == "replacement" || name == "windows-1252" && !saysWestern(head) {
		return decode(content)
	}
	decoded, err := declared.NewDecoder().Bytes(content)
	if err != nil {
		return nil, unusable(Encoding, "decoding it from %s, the encoding that it declares: %v", name, err)
	}
	if bytes.ContainsRune(decoded, utf8.RuneError) {
		return nil, unusable(Encoding, "it declares the encoding %s but is not in it; convert it to UTF-8", name)
	}
	return decoded, nil
}

// saysWestern reports whether a page declares Windows-1252 under one of its names. The charset
// lookup returns the same answer for unknown encodings.
func saysWestern(head []byte) bool {
	head = bytes.ToLower(head)
	return slices.ContainsFunc([]string{"1252", "8859-1", "latin1", "ascii"}, func(name string) bool {
		return bytes.Contains(head, []byte(name))
	})
}

// decodeFields converts the fields of a row to valid UTF-8, all from the same encoding.
func decodeFields(fields []string) error {
	row := strings.Join(fields, "\n")
	if utf8.ValidString(row) {
		return nil
	}
	if !isWindows1252([]byte(row)) {
		return errEncoding
	}
	for i, f := range fields {
		decoded, err := charmap.Windows1252.NewDecoder().String(f)
		if err != nil {
			return err
		}
		fields[i] = decoded
	}
	return nil
}

// garbled reports whether fields contain bytes that could not be converted from UTF-16.
func (k *sink) garbled(fields []string) bool {
	return k.utf16 && slices.ContainsFunc(fields, func(f string) bool { return strings.ContainsRune(f, utf8.RuneError) })
}

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
