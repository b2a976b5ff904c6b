package tokenizer

import (
	"bytes"

	"golang.org/x/text/unicode/norm"
)

// unicodeForm is one of Unicode's normalization forms.
type unicodeForm norm.Form

var unicodeForms = map[string]unicodeForm{
	"NFC": unicodeForm(norm.NFC), "NFD": unicodeForm(norm.NFD), "NFKC": unicodeForm(norm.NFKC), "NFKD": unicodeForm(norm.NFKD),
}

func (n unicodeForm) normalize(dst, text []byte, _ *scratch) []byte {
	dst = norm.Form(n).Append(dst, text...)
	// Go inserts U+034F into runs of more than thirty accents, the reference does not.
	if joiner := []byte("\u034f"); bytes.Contains(dst, joiner) && !bytes.Contains(text, joiner) {
		dst = bytes.ReplaceAll(dst, joiner, nil)
	}
	return dst
}
