package tokenizer

import (
	"bytes"
	"unicode/utf8"
)

// kind classifies a character for the patterns of GPT-2 and CLIP.
type kind uint8

const (
	letter kind = iota
	number
	sign
	blank
)

// kindAt returns the kind and the length of the first character.
func kindAt(text []byte) (kind, int) {
	r, size := utf8.DecodeRune(text)
	switch {
	case 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z':
		return letter, size
	case isWhite(r):
		return blank, size
	case isLetter(r):
		return letter, size
	case isNumber(r):
		return number, size
	}
	return sign, size
}

// runEnd returns the end of the run of a kind that continues at a position.
func runEnd(text []byte, at int, of kind) int {
	for at < len(text) {
		k, size := kindAt(text[at:])
		if k != of {
			break
		}
		at += size
	}
	return at
}

// contraction returns the length of the 's, 't, 're, 've, 'm, 'll or 'd at the start of text.
func contraction(text []byte) int {
	if text[0] != '\'' {
		return 0
	}
	for _, c := range [...]string{"'s", "'t", "'re", "'ve", "'m", "'ll", "'d"} {
		if bytes.HasPrefix(text, []byte(c)) {
			return len(c)
		}
	}
	return 0
}

// gpt2Words matches
//
//	's|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+
//
// and so matches at every position.
type gpt2Words struct{}

func (gpt2Words) find(text []byte, from int) (start, end int) {
	if from == len(text) {
		return -1, -1
	}
	if n := contraction(text[from:]); n > 0 {
		return from, from + n
	}
	at := from
	if text[at] == ' ' && at+1 < len(text) {
		at++
	}
	if k, size := kindAt(text[at:]); k != blank {
		return from, runEnd(text, at+size, k)
	}
	end = runEnd(text, from, blank)
	if end == len(text) {
		return from, end
	}
	// Leave the last of several white-space characters to the next word, which takes it if
	// it is a space.
	if _, size := utf8.DecodeLastRune(text[from:end]); end-size > from {
		end -= size
	}
	return from, end
}

// clipWords matches
//
//	's|'t|'re|'ve|'m|'ll|'d|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+
//
// and, with priority, special strings.
type clipWords struct{ special []string }

func (p clipWords) find(text []byte, from int) (start, end int) {
	at := runEnd(text, from, blank)
	if at == len(text) {
		return -1, -1
	}
	for _, s := range p.special {
		if bytes.HasPrefix(text[at:], []byte(s)) {
			return at, at + len(s)
		}
	}
	if n := contraction(text[at:]); n > 0 {
		return at, at + n
	}
	k, size := kindAt(text[at:])
	if k == number {
		return at, at + size
	}
	return at, runEnd(text, at+size, k)
}
