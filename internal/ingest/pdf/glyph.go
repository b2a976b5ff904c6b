package pdf

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/unicode/norm"
)

// glyphText returns the text of a glyph name: "A", "eacute", "f_f_i", "uni20AC", "a.sc".
// Names without meaning, such as "g37", have no text.
func glyphText(glyph string) string {
	glyph, _, _ = strings.Cut(glyph, ".")
	if strings.Contains(glyph, "_") {
		var all strings.Builder
		for part := range strings.SplitSeq(glyph, "_") {
			all.WriteString(glyphText(part))
		}
		return all.String()
	}
	if utf8.RuneCountInString(glyph) == 1 {
		return glyph
	}
	if s, ok := glyphs[glyph]; ok {
		return s
	}
	for _, prefix := range []string{"uni", "u"} {
		if hex, ok := strings.CutPrefix(glyph, prefix); ok && len(hex) >= 4 && len(hex) <= 6 {
			if v, err := strconv.ParseUint(hex, 16, 32); err == nil && utf8.ValidRune(rune(v)) {
				return string(rune(v))
			}
		}
	}
	if len(glyph) > 1 && unicode.IsLetter(rune(glyph[0])) {
		if mark, ok := marks[glyph[1:]]; ok {
			return norm.NFC.String(glyph[:1] + mark)
		}
	}
	return ""
}

// marks are the accents in glyph names.
var marks = map[string]string{
	"grave": "\u0300", "acute": "\u0301", "circumflex": "\u0302", "tilde": "\u0303", "macron": "\u0304", "breve": "\u0306",
	"dotaccent": "\u0307", "dieresis": "\u0308", "ring": "\u030A", "hungarumlaut": "\u030B", "caron": "\u030C",
	"cedilla": "\u0327", "ogonek": "\u0328", "commaaccent": "\u0326",
}

// glyphs are the names that no rule covers.
var glyphs = func() map[string]string {
	m := map[string]string{}
	for _, set := range []struct{ chars, names string }{
		{" !\"#$%&'()*+,-./", "space exclam quotedbl numbersign dollar percent ampersand quotesingle parenleft parenright asterisk plus comma hyphen period slash"},
		{"0123456789", "zero one two three four five six seven eight nine"},
		{":;<=>?@[\\]^_`{|}~", "colon semicolon less equal greater question at bracketleft backslash bracketright asciicircum underscore grave braceleft bar braceright asciitilde"},
		{"¡¢£¤¥¦§¨©ª«¬®¯°±²³´µ¶·¸¹º»¼½¾¿×÷", "exclamdown cent sterling currency yen brokenbar section dieresis copyright ordfeminine guillemotleft logicalnot registered macron degree plusminus twosuperior threesuperior acute mu paragraph periodcentered cedilla onesuperior ordmasculine guillemotright onequarter onehalf threequarters questiondown multiply divide"},
		{"ÆæÐðØøÞþßŁłŒœĐđıȷĦħŊŋ", "AE ae Eth eth Oslash oslash Thorn thorn germandbls Lslash lslash OE oe Dcroat dcroat dotlessi dotlessj Hbar hbar Eng eng"},
		{"‘’‚“”„†‡•…‰‹›–—€™−⁄ƒ", "quoteleft quoteright quotesinglbase quotedblleft quotedblright quotedblbase dagger daggerdbl bullet ellipsis perthousand guilsinglleft guilsinglright endash emdash Euro trademark minus fraction florin"},
		{"αβγδεζηθικλμνξοπρστυφχψωςϕϑϵ", "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu1 nu xi omicron pi rho sigma tau upsilon phi chi psi omega sigma1 phi1 theta1 epsilon1"},
		{"ΓΔΘΛΞΠΣΥΦΨΩ", "Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega"},
		{"∞∂∑∏∫√≈≠≤≥∈∉⊂⊃∪∩∀∃∧∨→←↑↓⇒⇔∇⋅∗≡∼′″ℓ◦", "infinity partialdiff summation product integral radical approxequal notequal lessequal greaterequal element notelement propersubset propersuperset union intersection universal existential logicaland logicalor arrowright arrowleft arrowup arrowdown arrowdblright arrowdblboth gradient dotmath asteriskmath equivalence similar prime second lscript openbullet"},
	} {
		names := strings.Fields(set.names)
		for i, r := range []rune(set.chars) {
			m[names[i]] = string(r)
		}
	}
	for ligature, s := range map[string]string{"ff": "ff", "fi": "fi", "fl": "fl", "ffi": "ffi", "ffl": "ffl", "st": "st", "nbspace": " ", "sfthyphen": "-", "hyphenminus": "-"} {
		m[ligature] = s
	}
	return m
}()

// encoding maps bytes to text.
type encoding [256]string

// baseEncoding returns one of the predefined encodings.
func baseEncoding(n name) *encoding {
	var e encoding
	table := charmap.Windows1252
	if n == "MacRomanEncoding" {
		table = charmap.Macintosh
	}
	for i := range e {
		if r := table.DecodeByte(byte(i)); i >= ' ' && r != utf8.RuneError && !unicode.IsControl(r) {
			e[i] = string(r)
		}
	}
	if n == "" { // the standard encoding, used by old fonts
		for i := 0x7F; i < 256; i++ {
			e[i] = ""
		}
		e['\''], e['`'] = "’", "‘"
		for i, r := range []rune("¡¢£⁄¥ƒ§¤'“«‹›") {
			e[0xA1+i] = string(r)
		}
		for code, s := range map[int]string{0xAE: "fi", 0xAF: "fl", 0xB1: "–", 0xB2: "†", 0xB3: "‡", 0xB4: "·", 0xB6: "¶", 0xB7: "•", 0xB8: "‚",
			0xB9: "„", 0xBA: "”", 0xBB: "»", 0xBC: "…", 0xBD: "‰", 0xBF: "¿", 0xD0: "—", 0xE1: "Æ", 0xE8: "Ł", 0xE9: "Ø", 0xEA: "Œ",
			0xF1: "æ", 0xF5: "ı", 0xF8: "ł", 0xF9: "ø", 0xFA: "œ", 0xFB: "ß"} {
			e[code] = s
		}
	}
	return &e
}

// symbols returns the encoding of the font Symbol.
func symbols() *encoding {
	e := *baseEncoding("")
	for i, r := range []rune("ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ") {
		e['A'+i] = string(r)
	}
	for i, r := range []rune("αβχδεφγηιϕκλμνοπθρστυϖωξψζ") {
		e['a'+i] = string(r)
	}
	e[0xB7] = "•"
	return &e
}
