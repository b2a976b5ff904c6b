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

// file is the vocabulary: the pieces, and of each the pieces that mean nearly the same.
// `go test ./encoder/builtin -run Vocabulary -update` makes it.
//
//go:embed vocabulary.bin
var file string

// vocabulary is the file, read.
type vocabulary struct {
	pieces     []string
	continuing []bool // the piece goes on with a word
	sign       []bool // the piece is punctuation, no word
	near       []neighbours
	tokens     *tokenizer.Tokenizer
	unknown    uint16 // what stands for a word that no pieces make
}

// neighbours are pieces with their similarity, each three bytes: the piece's number, and
// the similarity of which 255 would be the piece itself.
type neighbours string

func (n neighbours) each(yield func(piece uint16, similarity byte)) {
	for i := 0; i < len(n); i += 3 {
		yield(uint16(n[i])|uint16(n[i+1])<<8, n[i+2])
	}
}

// Neighbour is a piece that means nearly the same as another.
type Neighbour struct {
	Piece      uint16
	Similarity byte
}

// Neighbours are those of a piece, the nearest first.
func Neighbours(piece uint16) []Neighbour {
	var out []Neighbour
	shared().near[piece].each(func(p uint16, s byte) { out = append(out, Neighbour{p, s}) })
	return out
}

const vocabularyMagic = "NSFLWRD\x01"

// Vocabulary is the file that this package embeds, made of pieces and their neighbours.
func Vocabulary(pieces []string, near [][]Neighbour) []byte {
	text := strings.Join(pieces, "\n")
	out := []byte(vocabularyMagic)
	out = binary.LittleEndian.AppendUint32(out, uint32(len(text)))
	out = append(out, text...)
	for _, list := range near {
		out = append(out, byte(len(list)))
		for _, n := range list {
			out = append(out, byte(n.Piece), byte(n.Piece>>8), n.Similarity)
		}
	}
	return out
}

// shared is the vocabulary of the whole program. A damaged file means that the binary was
// built with one, which nothing can mend.
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

// cut is a text as the tokenizer's pieces, without those that begin and end it.
func (v *vocabulary) cut(text string) []int32 {
	ids, _ := v.tokens.Encode(text, len(text)+2)
	return ids[1 : len(ids)-1]
}
