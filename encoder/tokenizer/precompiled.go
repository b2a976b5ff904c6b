package tokenizer

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"unicode"
	"unicode/utf8"
)

// precompiled is SentencePiece's table of character replacements: a trie in a double array
// (of the Darts library) whose values are offsets into a string of replacements that end
// with a zero byte.
type precompiled struct {
	units []uint32
	into  []byte
}

func readPrecompiled(raw json.RawMessage) (normalizer, error) {
	var f struct {
		Type                string
		PrecompiledCharsmap string `json:"precompiled_charsmap"`
	}
	if err := decode(raw, &f); err != nil {
		return nil, err
	}
	table, err := base64.StdEncoding.DecodeString(f.PrecompiledCharsmap)
	if err != nil {
		return nil, fmt.Errorf("its precompiled_charsmap: %w", err)
	}
	if len(table) < 4 {
		return nil, errors.New("its precompiled_charsmap is too short")
	}
	size, table := binary.LittleEndian.Uint32(table), table[4:]
	if size == 0 || size%4 != 0 || uint64(size) > uint64(len(table)) || !utf8.Valid(table[size:]) {
		return nil, errors.New("its precompiled_charsmap is damaged")
	}
	p := &precompiled{units: make([]uint32, size/4), into: table[size:]}
	for i := range p.units {
		p.units[i] = binary.LittleEndian.Uint32(table[4*i:])
	}
	return p, nil
}

// normalize looks up each grapheme in the table and, if it is not found, each of its
// characters. As in the reference, a grapheme is replaced by the entry for its shortest
// matching prefix, ignoring the rest, and only graphemes of less than six bytes are looked
// up.
func (p *precompiled) normalize(dst, text []byte, _ *scratch) []byte {
	for len(text) > 0 {
		size := graphemeEnd(text)
		grapheme := text[:size]
		text = text[size:]
		if size < 6 {
			if into, ok := p.lookup(grapheme); ok {
				dst = append(dst, into...)
				continue
			}
		}
		for len(grapheme) > 0 {
			_, size := utf8.DecodeRune(grapheme)
			if into, ok := p.lookup(grapheme[:size]); ok {
				dst = append(dst, into...)
			} else {
				dst = append(dst, grapheme[:size]...)
			}
			grapheme = grapheme[size:]
		}
	}
	return dst
}

// lookup returns the replacement for the shortest matching prefix of a text.
func (p *precompiled) lookup(text []byte) (into []byte, ok bool) {
	at := offset(p.units[0])
	for _, c := range text {
		at ^= uint32(c)
		if c == 0 || at >= uint32(len(p.units)) {
			return nil, false
		}
		unit := p.units[at]
		if unit&(1<<31|0xff) != uint32(c) {
			return nil, false
		}
		at ^= offset(unit)
		if unit>>8&1 == 1 { // end of a key
			if at >= uint32(len(p.units)) {
				return nil, false
			}
			value := p.units[at] & (1<<31 - 1)
			if value > uint32(len(p.into)) {
				return nil, false
			}
			into, _, _ = bytes.Cut(p.into[value:], []byte{0})
			return into, true
		}
	}
	return nil, false
}

// offset returns the distance from a node to its children.
func offset(unit uint32) uint32 { return unit >> 10 << (unit & (1 << 9) >> 6) }

// graphemeEnd returns the end of the first user-perceived character of a text, by those
// rules of Unicode's annex 29 that matter to precompiled: a character and its marks, a
// prepended mark and the next character, a line break.
//
// It omits Hangul syllables, flags, emoji sequences and Indic conjuncts. Their members
// have three bytes or more, so a sequence is looked up member by member anyway. The only
// visible difference is a last member that has an accent of two bytes and is changed by
// the table: ™ with an acute after ❤ and U+200D.
func graphemeEnd(text []byte) int {
	if len(text) > 1 && text[0]|text[1] < utf8.RuneSelf {
		if text[0] == '\r' && text[1] == '\n' {
			return 2
		}
		return 1
	}
	r, end := utf8.DecodeRune(text)
	for unicode.Is(unicode.Prepended_Concatenation_Mark, r) && end < len(text) {
		next, size := utf8.DecodeRune(text[end:])
		if isBreaking(next) {
			return end
		}
		r = next
		end += size
	}
	if isBreaking(r) {
		return end
	}
	for end < len(text) {
		next, size := utf8.DecodeRune(text[end:])
		if next < 0x300 || !isMark(next) {
			break
		}
		end += size
	}
	return end
}

// isBreaking reports whether a character never joins others: controls and line ends.
func isBreaking(r rune) bool {
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp) && !isMark(r) &&
		!unicode.Is(unicode.Prepended_Concatenation_Mark, r)
}

// isMark reports whether a character belongs to the previous one: marks, joiners, skin
// tones, and the vowels am of Thai and Lao.
func isMark(r rune) bool {
	switch r {
	case 0x200d, 0x0e33, 0x0eb3:
		return true
	}
	return unicode.In(r, unicode.M, unicode.Other_Grapheme_Extend) || 0x1f3fb <= r && r <= 0x1f3ff
}
