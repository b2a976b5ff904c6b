package words

import (
	_ "embed"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/nsfl-go/nsfl/encoder/tokenizer"
)

// file is the vocabulary: the pieces, and for each piece those with a similar meaning. `go
// test ./encoder/builtin -run Vocabulary -update` generates it and shows the format.
//
//go:embed vocabulary.bin
var file string

// vocabulary is the decoded file.
type vocabulary struct {
	pieces     []string
	continuing []bool // the piece continues a word
	sign       []bool // the piece is punctuation
	near       []neighbours
	tokens     *tokenizer.Tokenizer
	unknown    uint16 // the piece for words that cannot be split into pieces
}

// neighbours encodes pieces and similarities in three bytes each: the ID of the piece and its
// similarity, on a scale where 255 is identity.
type neighbours string

func (n neighbours) each(yield func(piece uint16, similarity byte)) {
	for i := 0; i < len(n); i += 3 {
		yield(uint16(n[i])|uint16(n[i+1])<<8, n[i+2])
	}
}

const vocabularyMagic = "NSFLWRD\x01"

// shared returns the vocabulary of the program. A damaged file panics, because it is compiled
// into the binary and cannot be repaired.
var shared = sync.OnceValue(func() *vocabulary {
	v, err := readVocabulary(file)
	if err != nil {
		panic("words: the vocabulary in the binary is damaged: " + err.Error())
	}
	return v
})

func readVocabulary(data string) (*vocabulary, error) {
	rest, ok := strings.CutPrefix(data, vocabularyMagic)
	if !ok || len(rest) < 4 {
		return nil, errors.New("it begins otherwise")
	}
	length := int(binary.LittleEndian.Uint32([]byte(rest[:4])))
	if rest = rest[4:]; length > len(rest) {
		return nil, errors.New("it ends too early")
	}
	v := &vocabulary{pieces: strings.Split(rest[:length], "\n")}
	rest = rest[length:]
	if len(v.pieces) > int(fragment) {
		return nil, fmt.Errorf("it has %d pieces, at most %d can be numbered", len(v.pieces), fragment)
	}
	v.near = make([]neighbours, len(v.pieces))
	v.continuing, v.sign = make([]bool, len(v.pieces)), make([]bool, len(v.pieces))
	for i, piece := range v.pieces {
		if rest == "" || len(rest) < 1+3*int(rest[0]) {
			return nil, errors.New("it ends too early")
		}
		size := 3 * int(rest[0])
		v.near[i], rest = neighbours(rest[1:1+size]), rest[1+size:]
		v.continuing[i] = strings.HasPrefix(piece, "##")
		first, _ := utf8.DecodeRuneInString(strings.TrimPrefix(piece, "##"))
		v.sign[i] = !unicode.IsLetter(first) && !unicode.IsDigit(first)
	}
	if rest != "" {
		return nil, fmt.Errorf("%d bytes follow it", len(rest))
	}
	var err error
	if v.tokens, err = tokenizer.Uncased(v.pieces); err != nil {
		return nil, err
	}
	unknown, ok := v.tokens.ID("[UNK]")
	if !ok {
		return nil, errors.New("it has no piece for unknown words")
	}
	v.unknown = uint16(unknown)
	return v, nil
}

// cut returns the token IDs of a text, without the start and end tokens. White space that is a
// control character, such as a page break, separates words; the tokenizer would join them.
func (v *vocabulary) cut(text string) []int32 {
	for _, space := range []string{"\f", "\v", "\u0085"} {
		text = strings.ReplaceAll(text, space, " ") // a copy only if there is one
	}
	ids, _ := v.tokens.Encode(text, len(text)+2)
	return ids[1 : len(ids)-1]
}
