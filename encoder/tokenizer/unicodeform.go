package tokenizer

import (
	"bytes"
	"slices"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// unicodeForm is one of Unicode's normalization forms.
type unicodeForm struct {
	form, apart norm.Form // apart is the form without composition
}

var unicodeForms = map[string]unicodeForm{
	"NFC":  {norm.NFC, norm.NFD},
	"NFD":  {norm.NFD, norm.NFD},
	"NFKC": {norm.NFKC, norm.NFKD},
	"NFKD": {norm.NFKD, norm.NFKD},
}

func (n unicodeForm) normalize(dst, text []byte, _ *scratch) []byte {
	dst = n.form.Append(dst, text...)
	// Go inserts U+034F into runs of more than thirty accents. The reference does not, and
	// normalizes runs of any length.
	if joiner := []byte("\u034f"); bytes.Count(dst, joiner) > bytes.Count(text, joiner) {
		dst = n.unbroken(dst[:0], text)
	}
	return dst
}

// classed is a character with its combining class.
type classed struct {
	r     rune
	class uint8
}

// unbroken implements the algorithm of Unicode's annex 15 literally.
func (n unicodeForm) unbroken(dst, text []byte) []byte {
	var chars []classed
	for _, r := range string(text) {
		for _, part := range n.apart.String(string(r)) {
			chars = append(chars, classed{part, n.apart.PropertiesString(string(part)).CCC()})
		}
	}
	for start := 0; start < len(chars); {
		end := start + 1
		for end < len(chars) && chars[end].class != 0 {
			end++
		}
		if chars[start].class != 0 {
			start-- // the text begins with accents
		}
		slices.SortStableFunc(chars[start+1:end], func(a, b classed) int { return int(a.class) - int(b.class) })
		start = end
	}
	if n.form != n.apart {
		chars = compose(chars)
	}
	for _, c := range chars {
		dst = utf8.AppendRune(dst, c.r)
	}
	return dst
}

// compose merges characters with the last preceding starter if a composed character exists
// and no character of the same class is in between.
func compose(chars []classed) []classed {
	out, base := chars[:0], -1
	for _, c := range chars {
		if base >= 0 && (base == len(out)-1 || out[len(out)-1].class < c.class) {
			both := norm.NFC.String(string([]rune{out[base].r, c.r}))
			if r, size := utf8.DecodeRuneInString(both); size == len(both) {
				out[base].r = r
				continue
			}
		}
		if c.class == 0 {
			base = len(out)
		}
		out = append(out, c)
	}
	return out
}
