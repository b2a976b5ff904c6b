package tokenizer

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"unicode/utf8"
)

// precompiled is SentencePiece's table of characters and what becomes of them: a
// trie in a double array (of the library Darts) whose values are places in a
// string, where what is put in ends with a zero byte.
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

// normalize asks the table for each grapheme, and where that has nothing for
// each of its characters. As in the reference a grapheme becomes what the table
// has for the shortest beginning of it, whatever follows there, and only one of
// less than six bytes is asked for.
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

// lookup is what the table has for the shortest beginning of a text.
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
		if unit>>8&1 == 1 { // a key ends here
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

// offset is how far from a node its children are.
func offset(unit uint32) uint32 { return unit >> 10 << (unit & (1 << 9) >> 6) }
