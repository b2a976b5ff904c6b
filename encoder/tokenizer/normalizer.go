package tokenizer

import (
	"bytes"
	"encoding/json"
	"fmt"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// normalizer changes a text before it is split.
type normalizer interface {
	// normalize appends the normalized text to dst.
	normalize(dst, text []byte, s *scratch) []byte
}

// readNormalizers reads a component and its nested components, in order.
func readNormalizers(raw json.RawMessage) ([]normalizer, error) {
	kind, err := kindOf(raw)
	if kind == "" || err != nil {
		return nil, err
	}
	var n normalizer
	switch kind {
	case "Sequence":
		return readSequence(raw, "normalizers", readNormalizers)
	case "BertNormalizer":
		n, err = readBERT(raw)
	case "NFC", "NFD", "NFKC", "NFKD":
		n, err = unicodeForms[kind], decode(raw, &struct{ Type string }{})
	case "Lowercase":
		n, err = lowercase{}, decode(raw, &struct{ Type string }{})
	case "Strip":
		n, err = readStrip(raw)
	case "Replace":
		n, err = readReplace(raw)
	case "Precompiled":
		n, err = readPrecompiled(raw)
	default:
		err = errUnsupported
	}
	if err != nil {
		return nil, fmt.Errorf("normalizer %s: %w", kind, err)
	}
	return []normalizer{n}, nil
}

// lowercase converts to lower case.
type lowercase struct{}

func (lowercase) normalize(dst, text []byte, _ *scratch) []byte {
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRune(text[i:])
		i += size
		dst = appendLower(dst, r)
	}
	return dst
}

// appendLower appends the lower case of r. Only U+0130 becomes two characters; Go's tables
// have only the first of them.
func appendLower(dst []byte, r rune) []byte {
	if r == 0x130 {
		return append(dst, "i\u0307"...)
	}
	return utf8.AppendRune(dst, unicode.ToLower(r))
}

// strip trims white space from the ends.
type strip struct{ left, right bool }

func readStrip(raw json.RawMessage) (normalizer, error) {
	var f struct {
		Type       string
		StripLeft  bool `json:"strip_left"`
		StripRight bool `json:"strip_right"`
	}
	err := decode(raw, &f)
	return strip{f.StripLeft, f.StripRight}, err
}

func (n strip) normalize(dst, text []byte, _ *scratch) []byte {
	if n.left {
		text = bytes.TrimLeftFunc(text, unicode.IsSpace)
	}
	if n.right {
		text = bytes.TrimRightFunc(text, unicode.IsSpace)
	}
	return append(dst, text...)
}

// replace replaces each match of a pattern by a string.
type replace struct {
	pattern pattern
	content string
}

func readReplace(raw json.RawMessage) (normalizer, error) {
	var f struct {
		Type    string
		Pattern json.RawMessage
		Content string
	}
	if err := decode(raw, &f); err != nil {
		return nil, err
	}
	p, err := readPattern(f.Pattern)
	return replace{p, f.Content}, err
}

func (n replace) normalize(dst, text []byte, _ *scratch) []byte {
	at := 0
	for {
		start, end := n.pattern.find(text, at)
		if start < 0 {
			return append(dst, text[at:]...)
		}
		dst = append(append(dst, text[at:start]...), n.content...)
		at = end
	}
}

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
