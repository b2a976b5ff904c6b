package builtin

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// vocabulary holds the pieces of words. A piece is looked up by its text and by
// whether it begins a word.
type vocabulary struct {
	first, rest map[string]int32
	special     []special

	unknown, begin, end int32
}

// special is a token that is recognised where a text spells it out.
type special struct {
	text string
	id   int32
}

// continued marks a piece that goes on with a word.
const continued = "##"

// readVocabulary reads a piece a line, in the order of their ids.
func readVocabulary(lines string, size int) (*vocabulary, error) {
	pieces := strings.Split(lines, "\n")
	if len(pieces) != size {
		return nil, fmt.Errorf("%d pieces of words, want %d", len(pieces), size)
	}
	v := &vocabulary{first: make(map[string]int32, size), rest: make(map[string]int32, size/4)}
	for i, p := range pieces {
		if tail, ok := strings.CutPrefix(p, continued); ok && tail != "" {
			v.rest[tail] = int32(i)
		}
		// The text "##ing" is never looked up whole: its signs are words.
		v.first[p] = int32(i)
	}
	for _, text := range []string{"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"} {
		id, ok := v.first[text]
		if !ok {
			return nil, fmt.Errorf("no %s among the pieces of words", text)
		}
		v.special = append(v.special, special{text, id})
	}
	v.unknown, v.begin, v.end = v.first["[UNK]"], v.first["[CLS]"], v.first["[SEP]"]
	return v, nil
}

// longestWord is in characters; a longer one is unknown.
const longestWord = 100

// word appends the ids of a word's pieces: greedily the longest that the
// vocabulary has, or the unknown token for all of the word.
func (v *vocabulary) word(ids []int32, word []byte) []int32 {
	if len(word) > longestWord && utf8.RuneCount(word) > longestWord {
		return append(ids, v.unknown)
	}
	start, pieces := len(ids), v.first
	for at := 0; at < len(word); pieces = v.rest {
		id, end := longestPiece(pieces, word, at)
		if end == at {
			return append(ids[:start], v.unknown)
		}
		ids = append(ids, id)
		at = end
	}
	return ids
}

// longestPiece is the longest piece that word has at a place, and where it ends.
func longestPiece(pieces map[string]int32, word []byte, at int) (id int32, end int) {
	for end = len(word); end > at; end-- {
		if id, ok := pieces[string(word[at:end])]; ok {
			return id, end
		}
	}
	return 0, at
}
